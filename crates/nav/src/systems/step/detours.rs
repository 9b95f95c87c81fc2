//! Detours: the ways to free places beside targets, past bodies that stay, for those who waited.

use super::{places::list_places, proposal::Proposal, strip_ground::Reservation};
use crate::{
    NavMap,
    occupancy::{MapOccupancy, Occupancy},
    systems::{
        reach::{Approach, DETOUR_RADIUS, overlaps},
        storage::{targets::Target, threads::Threads},
    },
};
use bevy_ecs::entity::EntityIndex;
use nav_grid::{
    Cell, Directions, Footprint, Grid, Rules,
    fields::{DetourField, Passage},
    rules::BodyPolicy,
};

/// The detours of a tick. Buffers are kept from tick to tick.
#[derive(Default)]
pub(super) struct Detours {
    askers: Vec<Asker>,
    detours: Vec<Detour>,
    /// How many of them are of this tick.
    used: usize,
}

/// A body that looks for a detour.
#[derive(Clone, Copy)]
struct Asker {
    slot: usize,
    /// Its place in the list of proposals.
    proposal: u32,
    /// Its place in the list of detours.
    detour: Option<u32>,
}

/// The way to the free places of one target, for bodies of one kind.
#[derive(Default)]
pub(super) struct Detour {
    slot: usize,
    pub(super) rules: Rules,
    stop_distance: u16,
    /// All places, and those that are free.
    places: Vec<Cell>,
    free: Vec<Cell>,
    starts: Vec<Cell>,
    pub(super) field: DetourField,
}

impl Detours {
    /// Makes the detours for those who found no cell, from where everybody is now.
    pub(super) fn make(
        &mut self,
        reservation: &Reservation,
        occupancy: &Occupancy,
        blocked: impl Iterator<Item = u32>,
    ) {
        let Reservation {
            targets, params, ..
        } = *reservation;
        self.askers.clear();
        self.used = 0;
        self.askers.extend(blocked.filter_map(|proposal| {
            let target = reservation.proposals[proposal as usize].target;
            Some(Asker {
                slot: targets.slot(target)?,
                proposal,
                detour: None,
            })
        }));
        if self.askers.is_empty() {
            return;
        }
        self.askers
            .sort_unstable_by_key(|asker| (asker.slot, asker.proposal));
        let (askers, detours, used) = (&mut self.askers, &mut self.detours, &mut self.used);
        for askers in askers.chunk_by_mut(|one, other| one.slot == other.slot) {
            let target = targets.at(askers[0].slot);
            let map = target.seen.map;
            let (Some(map), Some(bodies)) = (params.map(Some(map)), occupancy.of(map)) else {
                continue;
            };
            let is_full = is_ring_full(map.grid(), bodies, target);
            let first = *used;
            for asker in askers {
                let proposal = &reservation.proposals[asker.proposal as usize];
                if is_full && proposal.reaches_beside() {
                    continue;
                }
                let Ok(chaser) = reservation.solids.get(proposal.agent) else {
                    continue;
                };
                let approach = Approach::from(&*chaser.chaser);
                let rules = approach.rules.with_bodies(BodyPolicy::Ignore);
                let is_same =
                    |detour: &Detour| (detour.rules, detour.stop_distance) == (rules, approach.stop_distance);
                let known = detours[first..*used].iter().position(is_same);
                let place = known.map_or(*used, |place| first + place);
                if known.is_none() {
                    if detours.len() == *used {
                        detours.push(Detour::default());
                    }
                    *used += 1;
                    let detour = &mut detours[place];
                    (detour.slot, detour.rules) = (asker.slot, rules);
                    detour.stop_distance = approach.stop_distance;
                    detour.starts.clear();
                }
                asker.detour = Some(place as u32);
                detours[place].starts.push(proposal.from);
            }
        }
        self.askers.sort_unstable_by_key(|asker| asker.proposal);
        let detours = &mut self.detours[..self.used];
        let threads = Threads::for_work(detours.len(), DETOURS_PER_TASK_MIN);
        threads.share_out(detours, &mut Vec::new(), |detour, ()| {
            let target = targets.at(detour.slot);
            let map = target.seen.map;
            if let (Some(map), Some(bodies)) = (params.map(Some(map)), occupancy.of(map)) {
                detour.make(reservation, map, bodies, target);
            }
        });
    }

    /// The detour of a body that asked for one.
    pub(super) fn of(&self, proposal: u32) -> Option<&Detour> {
        let asker = self
            .askers
            .binary_search_by_key(&proposal, |asker| asker.proposal);
        let detour = self.askers[asker.ok()?].detour?;
        self.detours.get(detour as usize)
    }
}

/// Fewer detours than this are not worth a task.
const DETOURS_PER_TASK_MIN: usize = 8;

/// Whether nobody of one cell finds room beside a target of one cell.
fn is_ring_full(grid: &Grid, bodies: &MapOccupancy, target: &Target) -> bool {
    let cell = target.seen.position.cell;
    let taken = bodies.bodies().occupied_around(cell);
    let is_free = |way| {
        cell.step(way)
            .is_some_and(|beside| grid.fits(beside, Footprint::ONE))
    };
    target.seen.body == Footprint::ONE && !Directions(!taken.0).into_iter().any(is_free)
}

impl Detour {
    fn make(
        &mut self,
        reservation: &Reservation,
        map: &NavMap,
        bodies: &MapOccupancy,
        target: &Target,
    ) {
        let Self {
            rules,
            stop_distance,
            places,
            free,
            starts,
            field,
            ..
        } = self;
        let approach = Approach {
            rules: *rules,
            stop_distance: *stop_distance,
            through_links: false,
        };
        let grid = map.grid();
        list_places(grid, approach, &target.seen, places);
        let others = Others {
            reservation,
            bodies,
            target,
            rules: *rules,
        };
        free.clear();
        free.extend(places.iter().filter(|&&place| others.leave_free(place)));
        places.sort_unstable();
        starts.sort_unstable();
        starts.dedup();
        let passage = |cell| others.passage(cell, places.binary_search(&cell).is_ok());
        let window = (target.seen.position.cell, DETOUR_RADIUS);
        if free.is_empty() {
            starts.clear();
        }
        field.compute((grid, *rules), window, free, starts, passage);
    }

    /// Whether a place is one from which the target is within reach.
    pub(super) fn is_place(&self, cell: Cell) -> bool {
        self.places.binary_search(&cell).is_ok()
    }
}

/// The bodies around a target, as those see them who look for a detour to it.
struct Others<'a> {
    reservation: &'a Reservation<'a>,
    bodies: &'a MapOccupancy,
    target: &'a Target,
    rules: Rules,
}

/// What a body is to those who look for a detour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Other {
    /// Another one after the same target that is not beside it: it goes the same way.
    Companion,
    /// Somebody on the way elsewhere.
    Passer,
    /// Somebody who waits for a way elsewhere, and makes room if asked.
    Waiter,
    /// Another one after the same target, as large, that is beside it: it moves along.
    Neighbour,
    /// Somebody who stays: within reach of its own target, or after nobody.
    Stayer,
}

impl Others<'_> {
    /// What somebody is who holds a cell.
    fn other(&self, holder: EntityIndex) -> Other {
        let Reservation {
            solids, entities, ..
        } = *self.reservation;
        let agent = entities.resolve_from_index(holder);
        let Ok(chaser) = solids.get(agent) else {
            return Other::Stayer;
        };
        let is_beside = chaser.cursor.is_reached();
        if chaser.chasing.0 == self.target.entity {
            let is_alike = chaser.body.map(|body| body.footprint) == Some(self.rules.footprint);
            return match (is_beside, is_alike) {
                (false, _) => Other::Companion,
                (true, true) => Other::Neighbour,
                (true, false) => Other::Stayer,
            };
        }
        if is_beside {
            Other::Stayer
        } else if chaser.search_timer.stands() {
            Other::Waiter
        } else {
            Other::Passer
        }
    }

    /// Who is in the way at a place: of several the one who makes least room, and how many.
    fn others_at(&self, place: Cell) -> Option<(Other, u8)> {
        let mut last = None;
        let mut worst: Option<(Other, u8)> = None;
        for cell in self.rules.footprint.area(place).cells() {
            let holder = self.bodies.holder(cell);
            if holder.is_none() || holder == last {
                continue;
            }
            last = holder;
            if let Some(holder) = holder {
                let other = self.other(holder);
                worst = Some(worst.map_or((other, 1), |(before, count)| {
                    (before.max(other), count.saturating_add(1))
                }));
            }
        }
        worst
    }

    /// Whether nobody stays at a place beside the target. Who is only on the way there leaves it
    /// free: it asks as well, or is the one who asks.
    fn leave_free(&self, place: Cell) -> bool {
        match self.others_at(place) {
            None => true,
            Some((Other::Companion, _)) => self.rules.footprint != Footprint::ONE,
            Some(_) => false,
        }
    }

    /// What it takes to come past a place, which is one beside the target or not.
    fn passage(&self, place: Cell, is_beside: bool) -> Passage {
        if overlaps(self.rules, place, &self.target.seen) {
            return Passage::Blocked;
        }
        match self.others_at(place) {
            None => Passage::Free,
            Some((Other::Companion, _)) if is_beside => Passage::AmongGoals(1),
            Some((Other::Companion, _)) => Passage::Toll(1),
            Some((Other::Passer, _)) => Passage::Toll(2),
            Some((Other::Waiter, count)) => Passage::Toll(count.saturating_mul(8)),
            Some((Other::Neighbour, count)) if is_beside => {
                Passage::AmongGoals(count.saturating_mul(4))
            }
            Some((Other::Neighbour | Other::Stayer, _)) => Passage::Blocked,
        }
    }
}

impl Proposal {
    /// Whether its body is of one cell and comes as near as that.
    fn reaches_beside(&self) -> bool {
        self.near == 1
    }
}

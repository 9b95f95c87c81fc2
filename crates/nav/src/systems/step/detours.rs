//! Detours: the ways to free places beside targets, past bodies that stay, for those who waited.

use super::{
    proposal::Proposal, right_of_way::RightOfWay, strip_ground::Reservation,
    surroundings::Surroundings,
};
use crate::{
    BodyKind, Chaser, NavMap,
    occupancy::{MapOccupancy, Occupancy, OccupancyRows},
    systems::{
        places::list_places,
        reach::{Approach, DETOUR_RADIUS},
        storage::{chaser::ChaserView, targets::Target, threads::Threads},
        target_view::TargetView,
    },
};
use bevy_ecs::prelude::*;
use nav_grid::{
    Cell, Direction, Directions, Footprint, Grid, fields::DetourField, rules::BodyPolicy,
};

/// The detours of a tick. Buffers are kept from tick to tick.
#[derive(Default)]
pub(super) struct Detours {
    askers: Vec<Asker>,
    list: Vec<Detour>,
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
    /// How near those come whose it is.
    pub(super) approach: Approach,
    /// Whether nobody is in the way of its bodies, who share cells with others.
    is_soft: bool,
    /// Whose it is alone: a body of several cells would be in its own way on that of others.
    owner: Option<Entity>,
    /// All places, and those that are free.
    places: Vec<Cell>,
    free: Vec<Cell>,
    starts: Vec<Cell>,
    /// Past those who are on the way themselves.
    around: DetourField,
    /// Past those, too, who make room or move along: for those who do not get there otherwise.
    through: DetourField,
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
        let (askers, detours, used) = (&mut self.askers, &mut self.list, &mut self.used);
        for askers in askers.chunk_by_mut(|one, other| one.slot == other.slot) {
            let target = targets.at(askers[0].slot);
            let map = target.seen.map;
            let (Some(map), Some(bodies)) = (params.map(Some(map)), occupancy.of(map)) else {
                continue;
            };
            let is_full = is_ring_full(reservation, map.grid(), bodies, target);
            let first = *used;
            for asker in askers {
                let proposal = &reservation.proposals[asker.proposal as usize];
                if is_full && proposal.reaches_beside() {
                    continue;
                }
                let Ok(chaser) = reservation.solids.get(proposal.agent) else {
                    continue;
                };
                let approach = approach_of(chaser.chaser);
                let rules = approach.rules;
                let is_soft = proposal.body.kind == BodyKind::Soft;
                let is_apart = rules.footprint != Footprint::ONE && !is_soft;
                let key = (approach, is_soft, is_apart.then_some(proposal.agent));
                let is_same = |detour: &Detour| detour.key() == key;
                let known = detours[first..*used].iter().position(is_same);
                let place = known.map_or(*used, |place| first + place);
                if known.is_none() {
                    if detours.len() == *used {
                        detours.push(Detour::default());
                    }
                    *used += 1;
                    let detour = &mut detours[place];
                    (detour.slot, detour.approach) = (asker.slot, approach);
                    (detour.is_soft, detour.owner) = (is_soft, key.2);
                    detour.starts.clear();
                }
                asker.detour = Some(place as u32);
                detours[place].starts.push(proposal.from);
            }
        }
        self.askers.sort_unstable_by_key(|asker| asker.proposal);
        let detours = &mut self.list[..self.used];
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
        self.list.get(detour as usize)
    }
}

/// How near a chaser comes by a detour: bodies and links are looked at otherwise.
fn approach_of(chaser: &Chaser) -> Approach {
    let approach = Approach::from(chaser);
    Approach {
        rules: approach.rules.with_bodies(BodyPolicy::Ignore),
        through_links: false,
        ..approach
    }
}

/// Fewer detours than this are not worth a task.
const DETOURS_PER_TASK_MIN: usize = 8;

/// Whether nobody of one cell finds room beside a target of one cell, nor makes anybody leave who waits
/// there for a way elsewhere.
fn is_ring_full(
    reservation: &Reservation,
    grid: &Grid,
    bodies: &MapOccupancy,
    target: &Target,
) -> bool {
    let cell = target.seen.position.cell;
    let taken = bodies.bodies().occupied_around(cell);
    let is_free = |way| {
        cell.step(way)
            .is_some_and(|beside| grid.fits(beside, Footprint::ONE))
    };
    let waits = |way| {
        let holder = cell.step(way).and_then(|beside| bodies.holder(beside));
        let other = holder.and_then(|holder| reservation.standing(holder).1);
        other.is_some_and(|other| {
            other.chasing.0 != target.entity
                && !other.cursor.is_reached()
                && other.search_timer.stands()
        })
    };
    target.seen.body == Footprint::ONE
        && !target.seen.is_entered
        && !Directions(!taken.0).into_iter().any(is_free)
        && !taken.into_iter().any(waits)
}

impl Detour {
    /// What those who share it have in common, beside their target.
    fn key(&self) -> (Approach, bool, Option<Entity>) {
        (self.approach, self.is_soft, self.owner)
    }

    /// The next cell on the way of a solid body that steps alone, before all others, and has nobody make
    /// room: around all who do not go on. `None` if no way leads to a free place.
    pub(super) fn next_of_one(
        &mut self,
        reservation: &Reservation,
        bodies: &MapOccupancy,
        view: &TargetView,
        chaser: &ChaserView,
    ) -> Option<Cell> {
        let (agent, from) = (*chaser.entity, chaser.cell());
        (self.slot, self.approach) = (view.slot, approach_of(chaser.chaser));
        (self.is_soft, self.owner) = (false, Some(agent));
        self.starts.clear();
        self.starts.push(from);
        self.lead_around(view.grid(), &self.others(reservation, bodies, view.target));
        let ground = (view.grid(), self.approach.rules);
        let way = self.around.best_step(ground, from, Directions::ALL);
        let step = way.and_then(|way| from.step(way));
        step.or_else(|| self.around.best_link(ground, from))
    }

    /// Those around a target, as who goes by the detour sees them.
    fn others<'a>(
        &self,
        reservation: &'a Reservation<'a>,
        bodies: &'a MapOccupancy,
        target: &'a Target,
    ) -> Surroundings<'a> {
        Surroundings {
            reservation,
            bodies,
            target,
            rules: self.approach.rules,
            is_soft: self.is_soft,
            owner: self.owner,
            is_pressed: target.anchor.is_pressed(reservation.params.now()),
        }
    }

    /// Makes the way around others from those who ask.
    fn lead_around(&mut self, grid: &Grid, others: &Surroundings) {
        let Self {
            approach,
            places,
            free,
            starts,
            around,
            ..
        } = self;
        let target = others.target;
        list_places(grid, *approach, &target.seen, places);
        free.clear();
        free.extend(places.iter().filter(|&&place| others.at(place).is_none()));
        places.sort_unstable();
        starts.sort_unstable();
        starts.dedup();
        let window = (target.seen.position.cell, DETOUR_RADIUS);
        around.compute(
            (grid, approach.rules),
            window,
            free,
            if free.is_empty() { &[] } else { starts },
            |place| others.passage_around(place),
        );
    }

    fn make(
        &mut self,
        reservation: &Reservation,
        map: &NavMap,
        bodies: &MapOccupancy,
        target: &Target,
    ) {
        let (grid, rules) = (map.grid(), self.approach.rules);
        let others = self.others(reservation, bodies, target);
        self.lead_around(grid, &others);
        let Self {
            places,
            free,
            starts,
            around,
            through,
            ..
        } = self;
        let window = (target.seen.position.cell, DETOUR_RADIUS);
        starts.retain(|&start| around.cost(start).is_none());
        if !others.is_pressed {
            return;
        }
        if starts.is_empty() {
            free.clear();
        } else if free.is_empty() {
            free.extend(
                places
                    .iter()
                    .filter(|&&place| others.may_be_cleared(grid, place, places)),
            );
        }
        if free.is_empty() {
            starts.clear();
        }
        let is_place = |place| places.binary_search(&place).is_ok();
        through.compute((grid, rules), window, free, starts, |place| {
            others.passage_through(place, is_place(place))
        });
    }

    /// The field that leads a body on, if one does.
    pub(super) fn field(&self, proposal: &Proposal) -> Option<&DetourField> {
        self.field_from(proposal.from, proposal.presses)
    }

    /// The field that leads on from a cell; past those who make room only if they do.
    pub(super) fn field_from(&self, from: Cell, presses: bool) -> Option<&DetourField> {
        let leads_on = |field: &&DetourField| field.cost(from).is_some_and(|cost| cost > 0);
        let around = Some(&self.around).filter(leads_on);
        around.or_else(|| Some(&self.through).filter(|field| presses && leads_on(field)))
    }

    /// Whether a body keeps to its way until a place is free: somebody is there who goes on and has the
    /// right of way.
    pub(super) fn waits_for(
        &self,
        reservation: &Reservation,
        rows: &OccupancyRows,
        proposal: &Proposal,
        place: Cell,
    ) -> bool {
        let own = (proposal.target, self.owner);
        let mut area = proposal.body.footprint.area(place).cells();
        area.any(|cell| {
            let holder = rows.holder(cell);
            let other = holder.and_then(|holder| reservation.standing(holder).1);
            other.is_some_and(|other| {
                !other.search_timer.stands()
                    && other.entity != proposal.agent
                    && reservation.right_of_way(own, &other) == Some(RightOfWay::Other)
            })
        })
    }

    /// The steps from a place that lead to another one from which the target is within reach.
    pub(super) fn ways_along(&self, grid: &Grid, at: Cell) -> Directions {
        let steps = grid.steps(at, self.approach.rules).into_iter();
        let stays = |way: &Direction| at.step(*way).is_some_and(|to| self.is_place(to));
        steps.filter(stays).collect()
    }

    /// Whether a place is one from which the target is within reach.
    pub(super) fn is_place(&self, cell: Cell) -> bool {
        self.places.binary_search(&cell).is_ok()
    }
}

impl Proposal {
    /// Whether its body is of one cell and comes as near as that.
    fn reaches_beside(&self) -> bool {
        self.near == 1
    }
}

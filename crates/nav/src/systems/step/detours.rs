//! Detours: the ways to free places beside targets, past bodies that stay, for bodies that waited.

use super::{
    crowd::{Crowd, Other, Surroundings},
    proposals::Proposal,
    reserve::Reservation,
};
use crate::{
    BodyKind, Chaser, NavMap,
    occupancy::{BodyPlaces, Entry, MapOccupancy, OccupancyRows},
    systems::{
        fields::FIELD_CHASERS_MIN,
        guidance::{
            Guide, Ranked, TargetView, list_nearer, list_places,
            reach::{Approach, DETOUR_RADIUS},
        },
        storage::{columns::ChaserView, targets::Target, threads::Threads},
    },
};
use bevy_ecs::prelude::*;
use bevy_platform::collections::HashMap;
use nav_grid::{
    Cell, Direction, Directions, Footprint, Grid, fields::CostField, rules::BodyPolicy,
};

/// The detours of a tick. Buffers are kept from tick to tick.
#[derive(Default)]
pub(super) struct Detours {
    /// The bodies that look for a detour, by their places in the list of proposals, and the place in the
    /// list of detours.
    askers: Vec<(u32, usize)>,
    list: Vec<Detour>,
    /// The first ones, which are of this tick.
    used: usize,
    /// Whether the ring of a target is full, by its slot.
    full: HashMap<usize, bool>,
    /// The places in the list of detours, by what tells one from another.
    known: HashMap<(usize, Approach, bool, Option<Entity>), usize>,
}

/// The way to the free places of one target, for bodies of one kind.
#[derive(Default)]
pub(super) struct Detour {
    slot: usize,
    /// How near its bodies come to the target.
    pub(super) approach: Approach,
    /// Whether its bodies share cells with others, so that none is in their way.
    is_soft: bool,
    /// The one body that it is for: a body of several cells would be in its own way on a shared one,
    /// and the only body on its way to a destination comes as near as it can.
    owner: Option<Entity>,
    /// All places within reach of the target, and the free ones.
    places: Vec<Cell>,
    free: Vec<Cell>,
    starts: Vec<Cell>,
    /// The way past moving bodies.
    around: CostField,
    /// The way past bodies that make room or move along, too: where there is no way around.
    through: CostField,
}

impl Detours {
    /// Makes the detours for bodies that found no cell, from where all bodies are now.
    pub(super) fn make(
        &mut self,
        reservation: &Reservation,
        occupancy: &BodyPlaces,
        blocked: impl Iterator<Item = u32>,
    ) {
        let Reservation { crowd, proposals } = *reservation;
        let (targets, params) = (crowd.targets, crowd.params);
        let Self {
            askers,
            list,
            used,
            full,
            known,
        } = self;
        askers.clear();
        *used = 0;
        full.clear();
        known.clear();
        for place in blocked {
            let proposal = &proposals[place as usize];
            let Some(slot) = targets.slot(proposal.target) else {
                continue;
            };
            let target = targets.at(slot);
            let map = target.seen.map;
            let (Some(map), Some(bodies)) = (params.map(Some(map)), occupancy.of(map)) else {
                continue;
            };
            let is_full = || is_ring_full(&crowd, map.grid(), bodies, target);
            // The ring is all that bodies of one cell with the least reach look for.
            if proposal.tuning.near() == 1 && *full.entry(slot).or_insert_with(is_full) {
                continue;
            }
            let Ok(chaser) = crowd.solids.get(proposal.agent) else {
                continue;
            };
            let approach = approach_of(chaser.chaser);
            let is_soft = proposal.body.kind == BodyKind::Soft;
            // On its way to a destination of its own, it may come nearer than others did.
            let is_alone = target.seen.is_entered && target.chasers < FIELD_CHASERS_MIN;
            let is_apart = (approach.rules.footprint != Footprint::ONE || is_alone) && !is_soft;
            let owner = is_apart.then_some(proposal.agent);
            let key = (slot, approach, is_soft, owner);
            let number = *known.entry(key).or_insert(*used);
            if number == *used {
                *used += 1;
                list.resize_with(list.len().max(*used), Detour::default);
                let detour = &mut list[number];
                (detour.slot, detour.approach) = (slot, approach);
                (detour.is_soft, detour.owner) = (is_soft, owner);
                detour.starts.clear();
            }
            list[number].starts.push(proposal.from);
            askers.push((place, number));
        }
        askers.sort_unstable();
        let detours = &mut self.list[..self.used];
        let threads = Threads::for_work(detours.len(), DETOURS_PER_TASK_MIN);
        threads.share_out(detours, &mut Vec::new(), |detour, ()| {
            let target = targets.at(detour.slot);
            let map = target.seen.map;
            if let (Some(map), Some(bodies)) = (params.map(Some(map)), occupancy.of(map)) {
                detour.make(&crowd, map, bodies, target);
            }
        });
    }

    /// The detour of a body that asked for one.
    pub(super) fn of(&self, proposal: u32) -> Option<&Detour> {
        let asker = self.askers.binary_search_by_key(&proposal, |asker| asker.0);
        Some(&self.list[self.askers[asker.ok()?].1])
    }
}

/// How near a chaser comes by a detour, which handles bodies and links itself.
fn approach_of(chaser: &Chaser) -> Approach {
    let approach = Approach::from(chaser);
    Approach {
        rules: approach.rules.with_bodies(BodyPolicy::Ignore),
        through_links: false,
        ..approach
    }
}

/// Fewer detours than this are not worth a task: each takes some microseconds.
const DETOURS_PER_TASK_MIN: usize = 8;

/// Whether a body of one cell finds no room beside a target of one cell, and no body there waits for
/// a way elsewhere, or may stand further off, and would leave.
fn is_ring_full(crowd: &Crowd, grid: &Grid, bodies: &MapOccupancy, target: &Target) -> bool {
    let cell = target.seen.position.cell;
    let taken = bodies.bodies().occupied_around(cell);
    let is_free = |way| {
        cell.step(way)
            .is_some_and(|beside| grid.fits(beside, Footprint::ONE))
    };
    let waits = |way| {
        let holder = cell.step(way).and_then(|beside| bodies.holder(beside));
        let other = holder.and_then(|holder| crowd.standing(holder).1);
        other.is_some_and(|other| {
            let is_companion = other.chasing.0 == target.entity;
            let waits = !other.cursor.is_reached() && other.crowding.stands;
            if is_companion {
                other.tuning.near() > 1
            } else {
                waits
            }
        })
    };
    target.seen.body == Footprint::ONE
        && !target.seen.is_entered
        && !Directions(!taken.0).into_iter().any(is_free)
        && !taken.into_iter().any(waits)
}

impl Detour {
    /// The way of a solid body that steps alone, before all others: around all bodies that do not
    /// move on, and no body makes room. `None` if no way leads to a free place.
    pub(super) fn next_of_one(
        &mut self,
        crowd: &Crowd,
        bodies: &MapOccupancy,
        chaser: &ChaserView,
    ) -> Option<Ranked> {
        if chaser.body.is_none_or(|body| body.kind != BodyKind::Solid) {
            return None;
        }
        let (agent, from) = (*chaser.entity, chaser.cell());
        let mut views = crowd.params.views(crowd.targets);
        let view = views.of(chaser)?;
        (self.slot, self.approach) = (view.slot, approach_of(chaser.chaser));
        (self.is_soft, self.owner) = (false, Some(agent));
        self.starts.clear();
        self.starts.push(from);
        self.lead_around(view.grid(), &self.others(crowd, bodies, view.target));
        self.ranked_from(view, from, false)
    }

    /// The bodies around a target, as a body on the detour sees them.
    fn others<'a>(
        &self,
        crowd: &'a Crowd<'a>,
        bodies: &'a MapOccupancy,
        target: &'a Target,
    ) -> Surroundings<'a> {
        Surroundings {
            crowd,
            bodies,
            target,
            approach: self.approach,
            is_soft: self.is_soft,
            owner: self.owner,
            is_pressed: target.anchor.is_pressed(crowd.params.now()),
        }
    }

    /// Makes the way around others. Returns whether it leads nearer only, since bodies that stay
    /// hold the destination.
    fn lead_around(&mut self, grid: &Grid, others: &Surroundings) -> bool {
        let Self {
            approach,
            places,
            free,
            starts,
            around,
            owner,
            ..
        } = self;
        let target = others.target;
        let rules = approach.rules;
        list_places(grid, *approach, &target.seen, places);
        let is_free = |place: &&Cell| others.at(**place).is_none();
        free.clear();
        free.extend(places.iter().filter(is_free));
        let is_held = |&place: &Cell| {
            let other = others.at(place);
            other.is_some_and(|(other, _)| other >= Other::Settled)
        };
        let only_nearer = target.seen.is_entered
            && owner.is_some()
            && !places.is_empty()
            && places.iter().all(is_held);
        if only_nearer && let Some(&from) = starts.first() {
            list_nearer((grid, rules), &target.seen, from, places);
            free.extend(places.iter().filter(is_free));
        }
        places.sort_unstable();
        starts.sort_unstable();
        starts.dedup();
        let window = (target.seen.position.cell, DETOUR_RADIUS);
        around.compute_past(
            (grid, rules),
            window,
            free,
            if free.is_empty() { &[] } else { starts },
            |place| others.passage_around(place),
        );
        only_nearer
    }

    fn make(&mut self, crowd: &Crowd, map: &NavMap, bodies: &MapOccupancy, target: &Target) {
        let (grid, rules) = (map.grid(), self.approach.rules);
        let others = self.others(crowd, bodies, target);
        let only_nearer = self.lead_around(grid, &others);
        let Self {
            places,
            free,
            starts,
            around,
            through,
            ..
        } = self;
        let window = (target.seen.position.cell, DETOUR_RADIUS);
        // Coming nearer is not worth that others make room.
        starts.retain(|&start| !only_nearer && around.cost(start).is_none());
        if !others.is_pressed {
            return;
        }
        if starts.is_empty() {
            free.clear();
        } else {
            // Free ones may be out of reach even so.
            let may_be_cleared = |place: &&Cell| {
                others.at(**place).is_some() && others.may_be_cleared(grid, **place, places)
            };
            free.extend(places.iter().filter(may_be_cleared));
        }
        if free.is_empty() {
            starts.clear();
        }
        let is_place = |place| places.binary_search(&place).is_ok();
        through.compute_past((grid, rules), window, free, starts, |place| {
            others.passage_through(place, is_place(place))
        });
    }

    /// The moves by which a body gets nearer to a free place.
    pub(super) fn ranked(&self, crowd: &Crowd, proposal: &Proposal) -> Option<Ranked> {
        let mut views = crowd.params.views(crowd.targets);
        let view = views.get(proposal.key())?;
        self.ranked_from(view, proposal.from, proposal.presses)
    }

    /// The moves from a cell that lead nearer to a free place; past bodies that make room only for a
    /// body that presses.
    pub(super) fn ranked_from(
        &self,
        view: &TargetView,
        from: Cell,
        presses: bool,
    ) -> Option<Ranked> {
        let leads_on = |field: &&CostField| field.cost(from).is_some_and(|cost| cost > 0);
        let around = Some(&self.around).filter(leads_on);
        let through = || Some(&self.through).filter(|field| presses && leads_on(field));
        let rules = self.approach.rules;
        Guide::Detour(around.or_else(through)?, rules).next(view, from, || rules)
    }

    /// Whether a body keeps to its best step until that is free: a body stands there that moves on
    /// and has the right of way.
    pub(super) fn waits_for(
        &self,
        crowd: &Crowd,
        rows: &OccupancyRows,
        proposal: &Proposal,
        ranked: &Ranked,
    ) -> bool {
        let (agent, from, body) = (proposal.agent, proposal.from, proposal.body);
        let Some(place) = ranked.first(from).filter(|_| !proposal.presses) else {
            return false;
        };
        if body.kind == BodyKind::Soft || rows.entry(agent, body, place) == Entry::Free {
            return false;
        }
        let own = (proposal.target, self.owner);
        body.footprint.area(place).cells().any(|cell| {
            let holder = rows.holder(cell);
            let other = holder.and_then(|holder| crowd.standing(holder).1);
            other.is_some_and(|other| {
                !other.crowding.stands && other.entity != agent && crowd.goes_first(&other, own)
            })
        })
    }

    /// The steps from a place to other places within reach of the target.
    pub(super) fn ways_along(&self, grid: &Grid, at: Cell) -> Directions {
        let steps = grid.steps(at, self.approach.rules).into_iter();
        let stays = |way: &Direction| at.step(*way).is_some_and(|to| self.is_place(to));
        steps.filter(stays).collect()
    }

    /// Whether the target is within reach from a place.
    pub(super) fn is_place(&self, cell: Cell) -> bool {
        self.places.binary_search(&cell).is_ok()
    }
}

//! What cells are given out by, and a strip of ground while they are.

use super::{next_step::StepParams, outcomes::Outcomes, proposal::Proposal, strips::RankedPlace};
use crate::{
    AgentId, Body, CellPosition, ChasedBy, Chaser, Chasing, MoveTimer, NavTimer, OnMap, PathCursor,
    components::Tuning,
    occupancy::{Footing, OccupancyRows},
    systems::storage::targets::Targets,
};
use bevy_ecs::{
    entity::{Entities, EntityIndex},
    prelude::*,
    query::QueryData,
};
use nav_grid::{Cell, Directions, Footprint};

/// What is asked of a body that stands on a cell: no more than that, since each column is looked up
/// for each who is asked.
#[derive(QueryData)]
pub(super) struct StandingBody {
    pub(super) entity: Entity,
    pub(super) id: &'static AgentId,
    pub(super) chaser: &'static Chaser,
    pub(super) tuning: &'static Tuning,
    pub(super) chasing: &'static Chasing,
    pub(super) on_map: &'static OnMap,
    pub(super) body: &'static Body,
    pub(super) position: &'static CellPosition,
    pub(super) cursor: &'static PathCursor,
    pub(super) search_timer: &'static NavTimer,
    pub(super) move_timer: &'static MoveTimer,
}

/// Those of [`Solids`](super::propose::Solids), who are asked to make room.
pub(super) type Standing<'w, 's> = Query<'w, 's, StandingBody, Without<ChasedBy>>;

/// What cells are given out by.
pub(super) struct Reservation<'a> {
    pub(super) params: &'a StepParams<'a, 'a>,
    pub(super) targets: &'a Targets,
    pub(super) entities: &'a Entities,
    /// As they were before anybody stepped.
    pub(super) solids: &'a Standing<'a, 'a>,
    pub(super) outcomes: &'a Outcomes,
    pub(super) proposals: &'a [Proposal],
}

impl Reservation<'_> {
    pub(super) fn proposal(&self, ranked: RankedPlace) -> &Proposal {
        &self.proposals[ranked.place() as usize]
    }

    /// Who holds a cell, and what there is of it if it is a chaser that nobody chases.
    pub(super) fn standing(
        &self,
        holder: EntityIndex,
    ) -> (Entity, Option<StandingBodyItem<'_, '_>>) {
        let agent = self.entities.resolve_from_index(holder);
        (agent, self.solids.get(agent).ok())
    }

    /// Sorts proposals by rank, and copies them in that order: in one go, since they lie anywhere in memory.
    pub(super) fn sort(&self, ranked: &mut [RankedPlace], sorted: &mut Vec<Proposal>) {
        ranked.sort_unstable();
        sorted.clear();
        sorted.extend(ranked.iter().map(|&ranked| *self.proposal(ranked)));
        let mut at = 1;
        while at < ranked.len() {
            if sorted[at].order() < sorted[at - 1].order() {
                // Rare: those of equal rank were mostly asked in the order of their numbers.
                let rank = ranked[at].rank();
                let begin = ranked.partition_point(|one| one.rank() < rank);
                let end = ranked.partition_point(|one| one.rank() <= rank);
                let equals = &mut ranked[begin..end];
                equals.sort_unstable_by_key(|&ranked| self.proposal(ranked).order());
                for (copy, &mut ranked) in sorted[begin..].iter_mut().zip(equals) {
                    *copy = *self.proposal(ranked);
                }
                at = end;
            }
            at += 1;
        }
    }
}

/// A strip of ground where bodies stand, while its cells are given out.
pub(super) struct StripGround<'a, 's> {
    pub(super) map: Entity,
    pub(super) rows: OccupancyRows<'s>,
    pub(super) outcomes: &'a Outcomes,
}

impl StripGround<'_, '_> {
    /// Moves a body to a cell beside it that is free for it.
    pub(super) fn step(&mut self, agent: Entity, footprint: Footprint, from: Cell, to: Cell) {
        self.rows.step(agent, footprint, from, to);
        self.note_step(agent, footprint, from, to);
    }

    /// Has a body that was moved take that step in the end, and wakes those whom it kept from theirs.
    pub(super) fn note_step(&mut self, agent: Entity, footprint: Footprint, from: Cell, to: Cell) {
        self.outcomes.step(agent, Footing::new(to, footprint));
        let asleep = self.rows.sleepers_at(from);
        if asleep.is_empty() {
            return;
        }
        // Wakes those behind it, whom it kept from going the same way. Others who would like the
        // cell see it when their idle period is over.
        let behind = from.direction_to(to).map_or(Directions::NONE, |way| {
            let back = way.opposite() as u32;
            Directions(0b1000_0011_u8.rotate_left(back))
        });
        for way in asleep.intersection(behind) {
            if let Some(cell) = from.step(way) {
                if let Some(sleeper) = self.rows.holder(cell) {
                    self.outcomes.wake(sleeper);
                }
                // Woken once is enough.
                self.rows.wake(cell);
            }
        }
    }
}

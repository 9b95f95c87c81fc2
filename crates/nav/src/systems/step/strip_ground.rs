//! What cells are given out by, and a strip of ground while they are.

use super::{
    next_step::StepParams, outcomes::Outcomes, proposal::Proposal, propose::Solids,
    strips::RankedPlace,
};
use crate::{occupancy::OccupancyRows, systems::storage::targets::Targets};
use bevy_ecs::{entity::Entities, prelude::*};
use nav_grid::{Cell, Directions, Footprint};

/// What cells are given out by.
pub(super) struct Reservation<'a> {
    pub(super) params: &'a StepParams<'a, 'a>,
    pub(super) targets: &'a Targets,
    pub(super) entities: &'a Entities,
    /// As they were before anybody stepped.
    pub(super) solids: &'a Solids<'a, 'a>,
    pub(super) outcomes: &'a Outcomes,
    pub(super) proposals: &'a [Proposal],
}

impl Reservation<'_> {
    pub(super) fn proposal(&self, ranked: RankedPlace) -> &Proposal {
        &self.proposals[ranked as u32 as usize]
    }

    /// Sorts proposals by rank.
    pub(super) fn sort(&self, ranked: &mut [RankedPlace]) {
        ranked.sort_unstable();
        // Numbers of agents are unique unless the game gave one twice.
        for equals in ranked.chunk_by_mut(|one, other| one >> 32 == other >> 32) {
            equals.sort_unstable_by_key(|&ranked| self.proposal(ranked).agent);
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
        self.outcomes.step(agent, to);
        // Wakes those behind it, whom it kept from going the same way. Others who would like the
        // cell see it when their idle period is over.
        let behind = from.direction_to(to).map_or(Directions::NONE, |way| {
            let back = way.opposite() as u32;
            Directions(0b1000_0011_u8.rotate_left(back))
        });
        let asleep = self.rows.sleepers_at(from).intersection(behind);
        for way in asleep {
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

//! Which of two bodies that go by different detours goes first.

use super::strip_ground::{Reservation, StandingBodyItem};
use bevy_ecs::prelude::*;
use nav_grid::Footprint;

/// Which of two bodies goes first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RightOfWay {
    /// The one that looks for a way.
    Own,
    /// The one that it meets.
    Other,
}

impl Reservation<'_> {
    /// Which of two bodies goes first: one that goes by the detour of a target, and in case of its own, or
    /// one that goes by another detour. `None` where the other one goes by none, or by the same.
    ///
    /// Who goes first goes round the other one, wherever that is; the other one keeps to its way, and waits
    /// where that is taken. Were both to go round, both would turn back in the same tick, again and again.
    pub(super) fn right_of_way(
        &self,
        (target, owner): (Entity, Option<Entity>),
        other: &StandingBodyItem,
    ) -> Option<RightOfWay> {
        let is_apart = other.chaser.rules.footprint != Footprint::ONE;
        let is_by_another = other.chasing.0 != target || is_apart;
        if !other.cursor.is_on_detour() || !is_by_another {
            return None;
        }
        let cell = |target| {
            let slot = self.targets.slot(target);
            slot.map(|slot| self.targets.at(slot).seen.position.cell)
        };
        let owner = owner.and_then(|owner| self.solids.get(owner).ok());
        let own = (cell(target), owner.map(|owner| *owner.id));
        let other = (cell(other.chasing.0), is_apart.then_some(*other.id));
        Some(if other <= own {
            RightOfWay::Other
        } else {
            RightOfWay::Own
        })
    }
}

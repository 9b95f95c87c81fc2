//! Aiming the fields of targets: when, and at which place.

use crate::{
    CellPosition, FieldAnchor, NavClock, NavTime, Period,
    systems::storage::targets::{Target, Targets},
};
use bevy_ecs::{prelude::*, system::SystemParam};

/// Where so many fields are aimed in a tick, they take turns from then on.
pub(super) const CROWDED: usize = 32;

/// The anchors of all targets.
#[derive(SystemParam)]
pub(crate) struct Anchors<'w, 's> {
    pub(super) clock: Res<'w, NavClock>,
    pub(super) targets: ResMut<'w, Targets>,
    stored: Query<'w, 's, &'static mut FieldAnchor>,
}

impl Anchors<'_, '_> {
    /// How long the tick is, in nanoseconds.
    pub(super) fn tick(&self) -> u64 {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        now.0.saturating_sub(previous.0)
    }

    /// Has the fields of a target follow it as closely as some chasers ask for, too. What the first
    /// ones of a tick ask for counts from when they are [aimed](Self::join).
    pub(super) fn follow_closer(&mut self, slot: usize, interval: Period, displacement: f32) {
        let mut anchor = self.targets.at(slot).anchor;
        anchor.follow_closer(interval, displacement);
        self.set(slot, anchor);
    }

    /// The target in a slot, whose fields are aimed if they are not; where many are, so that they
    /// take turns from then on.
    pub(super) fn join(&mut self, slot: usize, crowded: bool) -> Target {
        if self.targets.at(slot).anchor.aimed.is_none() {
            self.aim(slot, crowded);
        }
        *self.targets.at(slot)
    }

    /// Anchors the field of a target at where it is now.
    pub(super) fn aim(&mut self, slot: usize, takes_turn: bool) {
        let Target { seen, anchor, .. } = *self.targets.at(slot);
        let aimed = Some(self.at(seen.position, anchor.interval, takes_turn));
        let wanted = false;
        self.set(
            slot,
            FieldAnchor {
                aimed,
                wanted,
                ..anchor
            },
        );
    }

    /// Anchors the far field of a target at where it is now.
    pub(super) fn aim_far(&mut self, slot: usize) -> (CellPosition, NavTime) {
        let Target { seen, anchor, .. } = *self.targets.at(slot);
        let aimed = (seen.position, self.clock.now());
        let far = Some(aimed);
        self.set(slot, FieldAnchor { far, ..anchor });
        aimed
    }

    /// A place, and when to count the interval from of a field that is aimed there.
    fn at(
        &self,
        place: CellPosition,
        interval: Period,
        takes_turn: bool,
    ) -> (CellPosition, NavTime) {
        let (now, cell) = (self.clock.now(), place.cell);
        if !takes_turn {
            return (place, now);
        }
        let number = u64::from(cell.x) | u64::from(cell.y) << 16 | u64::from(cell.floor) << 32;
        (place, now.put_off(number, interval))
    }

    fn set(&mut self, slot: usize, anchor: FieldAnchor) {
        self.targets.set_anchor(slot, anchor);
        if let Ok(mut stored) = self.stored.get_mut(self.targets.at(slot).entity) {
            *stored = anchor;
        }
    }
}

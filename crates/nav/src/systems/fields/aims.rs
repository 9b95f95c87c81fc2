//! Where fields are aimed when they are made.

use super::{Kind, upkeep::put_off};
use crate::{
    CellPosition, FieldAnchor, NavClock, NavTime,
    systems::targets::{Target, Targets},
};
use bevy_ecs::{prelude::*, system::SystemParam};

/// The anchors of all targets.
#[derive(SystemParam)]
pub(crate) struct Aims<'w, 's> {
    clock: Res<'w, NavClock>,
    pub(super) targets: ResMut<'w, Targets>,
    anchors: Query<'w, 's, &'static mut FieldAnchor>,
}

impl Aims<'_, '_> {
    /// How long the tick is, in nanoseconds.
    pub(super) fn tick(&self) -> u64 {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        now.0.saturating_sub(previous.0)
    }

    /// Has the field of a target serve a kind of chaser, too, and aims it if it is the first. Where
    /// many are, they take turns from then on.
    pub(super) fn join(&mut self, slot: usize, kind: Kind, crowded: bool) -> Target {
        let target = *self.targets.at(slot);
        let Kind {
            interval,
            displacement,
            ..
        } = kind;
        let mut anchor = target.anchor;
        if anchor.aimed.is_none() {
            let (place, now) = (target.seen.position, self.clock.now());
            let since = if crowded {
                put_off(now, place.cell, interval)
            } else {
                now
            };
            anchor = FieldAnchor {
                aimed: Some((place, since)),
                interval,
                displacement,
                ..anchor
            };
        }
        anchor.interval = anchor.interval.min(interval);
        anchor.displacement = anchor.displacement.min(displacement);
        if anchor != target.anchor {
            self.set(slot, anchor);
        }
        *self.targets.at(slot)
    }

    /// Sets the far anchor of a target to where it is now.
    pub(super) fn aim_far(&mut self, slot: usize) -> (CellPosition, NavTime) {
        let target = self.targets.at(slot);
        let aimed = (target.seen.position, self.clock.now());
        let anchor = FieldAnchor {
            far: Some(aimed),
            ..target.anchor
        };
        self.set(slot, anchor);
        aimed
    }

    fn set(&mut self, slot: usize, anchor: FieldAnchor) {
        self.targets.aim(slot, anchor);
        if let Ok(mut stored) = self.anchors.get_mut(self.targets.at(slot).entity) {
            *stored = anchor;
        }
    }
}

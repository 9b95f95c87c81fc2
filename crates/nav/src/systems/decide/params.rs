//! What all decisions of a tick are made from.

use crate::{
    NavClock, NavMap, NavTime,
    occupancy::Occupancy,
    systems::{fields::Fields, storage::targets::Targets, target_view::TargetViews},
};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::Size;

/// What all decisions of a tick are made from.
#[derive(SystemParam)]
pub(crate) struct DecideParams<'w, 's> {
    pub(super) clock: Res<'w, NavClock>,
    targets: Res<'w, Targets>,
    pub(super) fields: Res<'w, Fields>,
    maps: Query<'w, 's, &'static NavMap>,
    occupancy: Res<'w, Occupancy>,
}

impl DecideParams<'_, '_> {
    pub(super) fn now(&self) -> NavTime {
        self.clock.now()
    }

    /// When a body of a map of some size last moved, came or went, if there ever was one.
    pub(super) fn last_move(&self, map: Entity, size: Size) -> Option<NavTime> {
        self.occupancy.last_move(map, size)
    }

    pub(super) fn views(&self) -> TargetViews<'_> {
        TargetViews::new(&self.targets, &self.fields, &self.maps, self.now())
    }
}

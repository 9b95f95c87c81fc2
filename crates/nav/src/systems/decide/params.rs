//! What all decisions of a tick are made from.

use crate::{
    NavClock, NavMap, NavTime,
    systems::{fields::Fields, storage::targets::Targets, target_view::TargetViews},
};
use bevy_ecs::{prelude::*, system::SystemParam};

/// What all decisions of a tick are made from.
#[derive(SystemParam)]
pub(crate) struct DecideParams<'w, 's> {
    pub(super) clock: Res<'w, NavClock>,
    targets: Res<'w, Targets>,
    pub(super) fields: Res<'w, Fields>,
    maps: Query<'w, 's, &'static NavMap>,
}

impl DecideParams<'_, '_> {
    pub(super) fn now(&self) -> NavTime {
        self.clock.now()
    }

    pub(super) fn views(&self) -> TargetViews<'_> {
        TargetViews::new(&self.targets, &self.fields, &self.maps, self.now())
    }
}

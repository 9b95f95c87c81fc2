//! What all steps of a tick are taken by.

use crate::{
    NavClock, NavMap, NavTime,
    systems::{
        fields::Fields, search::LongSearch, storage::targets::Targets, target_view::TargetViews,
    },
};
use bevy_ecs::{prelude::*, system::SystemParam};

/// What all steps of a tick are taken by.
#[derive(SystemParam)]
pub(crate) struct StepParams<'w, 's> {
    pub(super) clock: Res<'w, NavClock>,
    pub(super) fields: Res<'w, Fields>,
    pub(super) long_search: Res<'w, LongSearch>,
    maps: Query<'w, 's, &'static NavMap>,
}

impl StepParams<'_, '_> {
    #[inline]
    pub(super) fn now(&self) -> NavTime {
        self.clock.now()
    }

    pub(super) fn views<'a>(&'a self, targets: &'a Targets) -> TargetViews<'a> {
        TargetViews::new(targets, &self.fields, &self.maps)
    }

    pub(super) fn map(&self, map: Option<Entity>) -> Option<&NavMap> {
        self.maps.get(map?).ok()
    }
}

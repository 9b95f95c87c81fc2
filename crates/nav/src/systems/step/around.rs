//! The surroundings of bodies that step: all bodies as they were before any of them stepped, and their outcomes so far.

use super::{intent::StepParams, outcomes::Outcomes};
use crate::systems::{crowd::Crowd, guidance::TargetViews, storage::targets::Targets};

/// The surroundings of all bodies of a tick.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) params: &'a StepParams<'a, 'a>,
    pub(super) targets: &'a Targets,
    pub(super) crowd: &'a Crowd<'a, 'a>,
    pub(super) outcomes: &'a Outcomes,
}

impl<'a> Around<'a> {
    pub(super) fn views(&self) -> TargetViews<'a> {
        self.params.views(self.targets)
    }
}

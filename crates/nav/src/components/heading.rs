//! A goal in place of the target.

use super::SearchesAlone;
use bevy_ecs::prelude::*;
use nav_grid::Cell;

/// A cell for which a chaser heads in place of its target: its searches lead there, and it shares no field.
///
/// A behaviour sets it in each tick, by [`HeaderItem::head_for`](crate::HeaderItem::head_for); it is no part of a save or of the digest.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[component(clone_behavior = Ignore)]
#[require(SearchesAlone)]
pub struct Heading(pub(crate) Option<Cell>);

impl Heading {
    /// The cell, if there is one.
    pub const fn cell(self) -> Option<Cell> {
        self.0
    }
}

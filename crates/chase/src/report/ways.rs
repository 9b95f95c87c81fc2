//! What chasers follow at a moment of a run.

use nav::{ChaseState, Guidance, PathCursor};
use serde::{Deserialize, Serialize};

/// Numbers of chasers by what they follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ways {
    /// The field around their target that they share.
    pub shared_field: u64,
    /// The field over the portals of the map that they share.
    pub far_field: u64,
    /// A path of their own, from a search or straight.
    pub own_path: u64,
    /// A way round bodies that stay.
    pub detour: u64,
    /// Nothing but the direction of their target, until the budget has room for their search.
    pub straight: u64,
    /// Nothing.
    pub nothing: u64,
}

impl Ways {
    /// Counts a chaser that is not in reach of its target.
    pub fn count(&mut self, cursor: &PathCursor) {
        let counter = match (cursor.guidance(), cursor.state()) {
            (Some(Guidance::SharedField), _) => &mut self.shared_field,
            (Some(Guidance::FarField), _) => &mut self.far_field,
            (Some(Guidance::Detour), _) => &mut self.detour,
            (Some(_), _) => &mut self.own_path,
            (None, ChaseState::Queued) => &mut self.straight,
            (None, _) => &mut self.nothing,
        };
        *counter += 1;
    }

    /// All of them.
    pub const fn total(&self) -> u64 {
        self.shared_field
            + self.far_field
            + self.own_path
            + self.detour
            + self.straight
            + self.nothing
    }
}

/// What chasers followed after so many seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaysAt {
    /// Simulated time.
    pub seconds: f64,
    /// Chasers in reach of their target.
    pub in_reach: u64,
    /// The others.
    pub ways: Ways,
}

impl WaysAt {
    /// Counts a chaser.
    pub fn count(&mut self, cursor: &PathCursor) {
        if cursor.state() == ChaseState::Reached {
            self.in_reach += 1;
        } else {
            self.ways.count(cursor);
        }
    }
}

//! What chasers follow at a moment of a run.

use nav::{ChaseState, Guidance, PathCursor};
use serde::{Deserialize, Serialize};

/// What a chaser follows that is not in reach of its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The field around its target that it shares with others.
    SharedField,
    /// The field over the portals of the map that it shares with others.
    FarField,
    /// A path of its own, from a search or straight.
    OwnPath,
    /// A way round bodies that stay.
    Detour,
    /// Nothing but the direction of its target, until it is its turn to search.
    Straight,
}

impl Way {
    /// What a chaser follows; `None` for nothing.
    pub fn of(cursor: &PathCursor) -> Option<Self> {
        match (cursor.guidance(), cursor.state()) {
            (Some(Guidance::SharedField), _) => Some(Self::SharedField),
            (Some(Guidance::FarField), _) => Some(Self::FarField),
            (Some(Guidance::Detour), _) => Some(Self::Detour),
            (Some(_), _) => Some(Self::OwnPath),
            (None, ChaseState::Queued) => Some(Self::Straight),
            (None, _) => None,
        }
    }

    /// Its name: `shared field`, `far field`, `own path`, `detour`, `straight way`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SharedField => "shared field",
            Self::FarField => "far field",
            Self::OwnPath => "own path",
            Self::Detour => "detour",
            Self::Straight => "straight way",
        }
    }
}

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
    /// Nothing but the direction of their target, until it is their turn to search.
    pub straight: u64,
    /// Nothing.
    pub nothing: u64,
}

impl Ways {
    /// Counts a chaser that is not in reach of its target.
    pub fn count(&mut self, cursor: &PathCursor) {
        let counter = match Way::of(cursor) {
            Some(Way::SharedField) => &mut self.shared_field,
            Some(Way::FarField) => &mut self.far_field,
            Some(Way::Detour) => &mut self.detour,
            Some(Way::OwnPath) => &mut self.own_path,
            Some(Way::Straight) => &mut self.straight,
            None => &mut self.nothing,
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

//! The guidance of chasers at one time of a run, and the state of all chases at its end.

use nav::{ChaseState, Guidance, PathCursor};
use serde::{Deserialize, Serialize};

/// The guidance of a chaser out of reach of its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The field around its target, shared with others.
    SharedField,
    /// The field over the portals of the map, shared with others.
    FarField,
    /// Its own path, from a search or a straight line.
    OwnPath,
    /// A path around bodies that stay.
    Detour,
    /// Only the direction of its target, until it may search.
    Straight,
}

impl Way {
    /// Returns what a chaser follows; `None` for nothing.
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

    /// Returns its name: `shared field`, `far field`, `own path`, `detour` or `straight way`.
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
    /// The shared field around their target.
    pub shared_field: u64,
    /// The shared field over the portals of the map.
    pub far_field: u64,
    /// Their own path, from a search or a straight line.
    pub own_path: u64,
    /// A path around bodies that stay.
    pub detour: u64,
    /// Only the direction of their target, until they may search.
    pub straight: u64,
    /// Nothing.
    pub nothing: u64,
}

impl Ways {
    /// Counts a chaser out of reach of its target.
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

    /// Returns their sum.
    pub const fn total(&self) -> u64 {
        self.shared_field
            + self.far_field
            + self.own_path
            + self.detour
            + self.straight
            + self.nothing
    }
}

/// The numbers of chasers by guidance at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaysAt {
    /// Simulated time in seconds.
    pub seconds: f64,
    /// Chasers within reach of their target.
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

/// Numbers of chasers at the end of a run by the state of their chase. All 0 if not recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ends {
    /// Beside their target: one step from it, or within their stop distance.
    pub beside: u64,
    /// Not beside it, because every place that they can get to is taken by bodies within reach of
    /// their own target or by idle ones.
    pub no_place: u64,
    /// Behind others that wait for the same reason, such as chasers of another target that occupy
    /// their place. Only bodies of one cell.
    pub behind: u64,
    /// Without a path to their target, even without bodies.
    pub no_way: u64,
    /// Chasers that can come nearer, by what they follow.
    pub on_the_way: Ways,
}

impl Ends {
    /// Returns the number of all chasers.
    pub const fn total(&self) -> u64 {
        self.beside + self.no_place + self.behind + self.no_way + self.on_the_way.total()
    }

    /// Returns whether no chaser can come nearer.
    pub const fn all_who_can_are_beside(&self) -> bool {
        self.behind == 0 && self.on_the_way.total() == 0
    }
}

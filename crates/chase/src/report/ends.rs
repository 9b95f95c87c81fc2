//! The state of the chases at the end of a run.

use super::ways::Ways;
use serde::{Deserialize, Serialize};

/// Numbers of chasers at the end of a run by the state of their chase. All 0 if not
/// [recorded](crate::Recorder::ends).
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

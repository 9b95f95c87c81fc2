//! How chases stand at the end of a run.

use super::ways::Ways;
use serde::{Deserialize, Serialize};

/// Numbers of chasers at the end of a run, by how their chase stands; all 0 if they were not
/// [recorded](crate::Recorder::ends).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ends {
    /// Beside their target: one step from it, or as near as their stop distance.
    pub beside: u64,
    /// Not beside it since every place that they could get to is taken, by bodies in reach of their own
    /// target or by idle ones.
    pub no_place: u64,
    /// Standing behind others who wait as they do, such as chasers of another target who stand where
    /// their own place would be. Bodies of one cell only.
    pub behind: u64,
    /// Without any way to their target, bodies or not.
    pub no_way: u64,
    /// Those who could come nearer, by what they follow.
    pub on_the_way: Ways,
}

impl Ends {
    /// All chasers.
    pub const fn total(&self) -> u64 {
        self.beside + self.no_place + self.behind + self.no_way + self.on_the_way.total()
    }

    /// Whether nobody could come nearer.
    pub const fn all_who_can_are_beside(&self) -> bool {
        self.behind == 0 && self.on_the_way.total() == 0
    }
}

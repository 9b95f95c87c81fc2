//! What was done.

use bevy_ecs::prelude::*;

/// What was done since the start.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyncCounts {
    /// Paths that were read.
    pub paths: u64,
    /// Steps that were read, for paths and to see whether a path holds.
    pub steps: u64,
    /// The most steps that were read in one tick.
    pub steps_most: u64,
    /// Times that a chaser was not in the cell that its path said, or had none.
    pub strays: u64,
    /// Times that a chaser did not step when it was to.
    pub waits: u64,
    /// Readings that waited for a later tick.
    pub put_off: u64,
    /// Packets that were written.
    pub packets: u64,
    /// Updates in them.
    pub updates: u64,
    /// Views that began.
    pub starts: u64,
}

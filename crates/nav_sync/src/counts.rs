//! Counters of the work done.

use bevy_ecs::prelude::*;

/// Counters of the work done since the start.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyncCounts {
    /// Paths read.
    pub paths: u64,
    /// Steps read, both for paths and to check whether a path still holds.
    pub steps: u64,
    /// Most steps read in one tick.
    pub steps_most: u64,
    /// Times that a chaser left its path or moved without one.
    pub strays: u64,
    /// Times that a chaser did not take a step that was due.
    pub waits: u64,
    /// Readings put off to a later tick.
    pub put_off: u64,
    /// Packets written.
    pub packets: u64,
    /// Updates in these packets.
    pub updates: u64,
    /// Views started.
    pub starts: u64,
}

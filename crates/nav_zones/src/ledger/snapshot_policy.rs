//! When snapshots are taken.

/// How often a snapshot is taken, and when that was last.
#[derive(Clone, Copy)]
pub(crate) struct SnapshotPolicy {
    pub(super) every: u64,
    pub(super) last: u64,
}

impl SnapshotPolicy {
    /// One every so many ticks.
    pub(crate) const fn every(ticks: u64) -> Self {
        Self {
            every: ticks,
            last: 0,
        }
    }
}

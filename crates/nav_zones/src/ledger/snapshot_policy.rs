//! Schedule of snapshots.

/// Interval between snapshots, and the tick of the last one.
#[derive(Clone, Copy)]
pub(crate) struct SnapshotPolicy {
    pub(super) every: u64,
    pub(super) last: u64,
}

impl SnapshotPolicy {
    /// Creates a policy with one snapshot every `ticks`.
    pub(crate) const fn every(ticks: u64) -> Self {
        Self {
            every: ticks,
            last: 0,
        }
    }
}

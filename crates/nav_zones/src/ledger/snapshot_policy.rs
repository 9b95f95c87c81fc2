//! Schedule of snapshots.

/// Interval between snapshots, and the ticks of the last ones.
#[derive(Clone, Copy)]
pub(crate) struct SnapshotPolicy {
    pub(super) every: u64,
    pub(super) last: u64,
    /// Tick of the last confirmed snapshot.
    pub(crate) kept: u64,
}

impl SnapshotPolicy {
    /// Creates a policy with one snapshot every `ticks`.
    pub(crate) const fn every(ticks: u64) -> Self {
        Self {
            every: ticks,
            last: 0,
            kept: 0,
        }
    }

    /// Records that the keeper has the last snapshot.
    pub(crate) const fn note_kept(&mut self) {
        self.kept = self.last;
    }
}

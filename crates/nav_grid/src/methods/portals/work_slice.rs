//! The budget of one slice of a search over portals.

/// How much may be done before a search is paused: so many portals, and scans for direct segments.
#[derive(Debug)]
pub(crate) struct WorkSlice {
    left: u32,
    scanned: u32,
}

impl WorkSlice {
    /// At least one.
    pub(crate) fn of(work: u32) -> Self {
        Self {
            left: work.max(1),
            scanned: 0,
        }
    }

    /// How much.
    pub(crate) fn left(&self) -> u32 {
        self.left
    }

    /// Whether there is one more expansion.
    #[inline]
    pub(crate) fn take(&mut self) -> bool {
        let more = self.left > 0;
        self.left = self.left.saturating_sub(1);
        more
    }

    /// Whether there is one more scan.
    #[inline]
    pub(crate) fn take_scan(&mut self) -> bool {
        let more = self.take();
        self.scanned += u32::from(more);
        more
    }

    /// Counts more scans that were made, even if so many were not left.
    #[inline]
    pub(crate) fn scan(&mut self, count: u32) {
        self.left = self.left.saturating_sub(count);
        self.scanned = self.scanned.saturating_add(count);
    }

    /// The scans so far.
    pub(crate) fn scanned(&self) -> u32 {
        self.scanned
    }
}

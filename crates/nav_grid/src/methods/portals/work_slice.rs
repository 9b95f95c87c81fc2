//! The budget of one slice of a search over portals.

/// How much may be done before a search is paused: so many portals and direct segments.
#[derive(Debug)]
pub(crate) struct WorkSlice(u32);

impl WorkSlice {
    /// At least one.
    pub(crate) fn of(expansions: u32) -> Self {
        Self(expansions.max(1))
    }

    /// How many.
    pub(crate) fn left(&self) -> u32 {
        self.0
    }

    /// Whether there is one more.
    #[inline]
    pub(crate) fn take(&mut self) -> bool {
        let more = self.0 > 0;
        self.0 = self.0.saturating_sub(1);
        more
    }
}

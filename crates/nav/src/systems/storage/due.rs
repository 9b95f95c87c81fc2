//! The rows of a run in which a chaser is due.

/// Rows that are listed in one go.
pub(super) const RUN: usize = 1024;

/// The rows of a run in which a chaser is due.
pub(super) struct DueRows {
    list: [u16; RUN],
    len: usize,
}

impl Default for DueRows {
    fn default() -> Self {
        Self {
            list: [0; RUN],
            len: 0,
        }
    }
}

impl DueRows {
    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) const fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds rows from one on that are due. Without a branch: which ones are due follows no
    /// pattern.
    #[inline]
    pub(super) fn push(&mut self, first: usize, due: impl Iterator<Item = bool>) {
        for (row, is_due) in (first as u16..RUN as u16).zip(due) {
            self.list[self.len % RUN] = row;
            self.len += usize::from(is_due);
        }
    }

    /// Moves the rows for which something holds to a list of their own, without a branch.
    #[inline]
    pub(super) fn split(&mut self, holds: impl Fn(usize) -> bool) -> Self {
        let mut split = Self::default();
        let mut len = 0;
        for at in 0..self.len.min(RUN) {
            let row = self.list[at];
            let goes = holds(row.into());
            split.list[split.len % RUN] = row;
            split.len += usize::from(goes);
            self.list[len % RUN] = row;
            len += usize::from(!goes);
        }
        self.len = len;
        split
    }

    /// Keeps the rows for which something holds.
    #[inline]
    pub(super) fn retain(&mut self, mut holds: impl FnMut(usize) -> bool) {
        let mut len = 0;
        for at in 0..self.len {
            let row = self.list[at];
            self.list[len] = row;
            len += usize::from(holds(row.into()));
        }
        self.len = len;
    }

    /// The rows.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.list[..self.len].iter().map(|&row| row.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_listed_and_split() {
        let listed = |due: &DueRows| due.iter().collect::<Vec<_>>();
        let mut due = DueRows::default();
        due.push(10, [true, false, true, true, true].into_iter());
        due.push(1000, [false; 24].into_iter());
        due.push(1023, [true, true].into_iter());
        assert_eq!(listed(&due), [10, 12, 13, 14, 1023]);

        let even = due.split(|row| row % 2 == 0);
        assert_eq!(
            (listed(&even), listed(&due)),
            (vec![10, 12, 14], vec![13, 1023])
        );
    }

    #[test]
    fn a_whole_run_may_be_due() {
        let mut due = DueRows::default();
        due.push(0, std::iter::repeat(true));
        assert_eq!(due.iter().count(), RUN);
        let split = due.split(|_| true);
        assert!(due.is_empty());
        assert!(split.iter().eq(0..RUN));
    }
}

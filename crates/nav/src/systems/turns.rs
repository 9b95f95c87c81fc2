//! Whose turn it is.

use super::rows::Rows;
use crate::NavTime;

/// Rows whose turn is found out in one go.
pub(crate) const RUN: usize = 1024;

/// The rows of a run whose turn it is.
pub(crate) struct Turns {
    list: [u16; RUN],
    len: usize,
}

impl Default for Turns {
    fn default() -> Self {
        Self {
            list: [0; RUN],
            len: 0,
        }
    }
}

impl Turns {
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Notes whose move tick it is.
    #[inline]
    pub(crate) fn note_due(&mut self, rows: &Rows, now: NavTime) {
        for (first, due) in rows.stretches_due(now) {
            self.note(first, due);
        }
    }

    /// Notes whose turn it is, row by row from some row on. Without a branch: there is no telling in
    /// advance.
    #[inline]
    pub(crate) fn note(&mut self, first: usize, turns: impl Iterator<Item = bool>) {
        for (row, has_turn) in (first as u16..RUN as u16).zip(turns) {
            self.list[self.len % RUN] = row;
            self.len += usize::from(has_turn);
        }
    }

    /// Takes those off the list for whom something does not hold.
    #[inline]
    pub(crate) fn retain(&mut self, mut holds: impl FnMut(usize) -> bool) {
        let mut len = 0;
        for at in 0..self.len {
            let row = self.list[at];
            self.list[len] = row;
            len += usize::from(holds(row.into()));
        }
        self.len = len;
    }

    /// Takes those off the list for whom something holds, without a branch.
    #[inline]
    pub(crate) fn split(&mut self, holds: impl Fn(usize) -> bool) -> Self {
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

    /// Puts rows on the list that were taken off it.
    pub(crate) fn append(&mut self, more: &Self) {
        for (to, &row) in self.list[self.len..].iter_mut().zip(&more.list[..more.len]) {
            *to = row;
            self.len += 1;
        }
    }

    /// The rows.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.list[..self.len].iter().map(|&row| row.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_taken_off_and_put_back() {
        let listed = |turns: &Turns| turns.iter().collect::<Vec<_>>();
        let mut turns = Turns::default();
        turns.note(10, [true, false, true, true, true].into_iter());
        turns.note(1000, [false; 24].into_iter());
        turns.note(1023, [true, true].into_iter());
        assert_eq!(listed(&turns), [10, 12, 13, 14, 1023]);

        let mut even = turns.split(|row| row % 2 == 0);
        assert_eq!(
            (listed(&even), listed(&turns)),
            (vec![10, 12, 14], vec![13, 1023])
        );
        even.retain(|row| row != 12);
        turns.append(&even);
        assert_eq!(listed(&turns), [13, 1023, 10, 14]);
        turns.clear();
        assert!(turns.is_empty());
    }

    #[test]
    fn a_whole_run_may_have_a_turn() {
        let mut turns = Turns::default();
        turns.note(0, std::iter::repeat(true));
        assert_eq!(turns.iter().count(), RUN);
        let split = turns.split(|_| true);
        assert!(turns.is_empty());
        turns.append(&split);
        assert!(turns.iter().eq(0..RUN));
    }
}

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

//! The rows of a run in which a chaser is due.

use crate::PathCursor;

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

    /// Lists the first row alone.
    pub(super) const fn set_first(&mut self) {
        (self.list[0], self.len) = (0, 1);
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
    pub(super) fn rows(&self) -> &[u16] {
        &self.list[..self.len]
    }
}

/// The rows of a run that are due, by what their chasers follow.
#[derive(Default)]
pub(super) struct GroupedRows {
    /// Those who rest, where they are grouped by that, too.
    pub(super) resting: DueRows,
    /// Those who follow the field around their target.
    pub(super) on_field: DueRows,
    pub(super) others: DueRows,
}

impl GroupedRows {
    /// Groups rows, without a branch: what their chasers follow has no pattern, either.
    #[inline]
    pub(super) fn group<const BY_REST: bool>(&mut self, due: &DueRows, cursors: &[PathCursor]) {
        let Self {
            resting,
            on_field,
            others,
        } = self;
        let (mut rest, mut share, mut other) = (0, 0, 0);
        for &row in due.rows() {
            let cursor = &cursors[usize::from(row)];
            let (rests, shares) = (BY_REST && cursor.rests(), cursor.shares_near());
            if BY_REST {
                resting.list[rest % RUN] = row;
            }
            on_field.list[share % RUN] = row;
            others.list[other % RUN] = row;
            rest += usize::from(rests);
            share += usize::from(shares);
            other += usize::from(!(rests | shares));
        }
        (resting.len, on_field.len, others.len) = (rest, share, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CellPosition;

    #[test]
    fn rows_are_listed_and_kept() {
        let listed = |due: &DueRows| due.rows().to_vec();
        let mut due = DueRows::default();
        due.push(10, [true, false, true, true, true].into_iter());
        due.push(1000, [false; 24].into_iter());
        due.push(1023, [true, true].into_iter());
        assert_eq!(listed(&due), [10, 12, 13, 14, 1023]);
        due.retain(|row| row % 2 == 0);
        assert_eq!(listed(&due), [10, 12, 14]);
    }

    #[test]
    fn a_whole_run_may_be_due_and_is_grouped() {
        let mut due = DueRows::default();
        due.push(0, std::iter::repeat(true));
        assert_eq!(due.rows().len(), RUN);
        let mut cursors = vec![PathCursor::default(); RUN];
        cursors[7].share(CellPosition::new(1, 1), false);
        cursors[9].queue();
        let mut grouped = GroupedRows::default();
        grouped.group::<true>(&due, &cursors);
        assert_eq!(grouped.on_field.rows(), [7]);
        assert_eq!(grouped.others.rows(), [9]);
        assert_eq!(grouped.resting.rows().len(), RUN - 2);
        grouped.group::<false>(&due, &cursors);
        assert_eq!(grouped.on_field.rows(), [7]);
        assert!(grouped.resting.is_empty());
        assert_eq!(grouped.others.rows().len(), RUN - 1);
    }
}

//! The rows of a run in which a chaser is due.

use crate::PathCursor;
use bevy_ecs::prelude::*;

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

/// Rows that are looked at together, and skipped together where nobody is due.
pub(super) const STRETCH: usize = 64;

/// A bit for each row of a stretch, the first one the lowest. Without a branch, since which ones are due
/// follows no pattern, and forward: memory is fetched ahead of who reads that way.
#[inline]
pub(super) fn bits(due: impl ExactSizeIterator<Item = bool>) -> u64 {
    let rows = due.len();
    let bits = due.fold(0, |bits, is_due| bits >> 1 | u64::from(is_due) << 63);
    // Without rows there are no bits, either.
    bits >> (STRETCH.saturating_sub(rows) % STRETCH)
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

    /// Adds those of a [`STRETCH`] of rows that are due, by a [bit](bits) for each.
    #[inline]
    pub(super) fn push(&mut self, first: usize, mut due: u64) {
        let rest = self.list.get_mut(self.len..).unwrap_or_default();
        if due == u64::MAX
            && let Some(list) = rest.first_chunk_mut::<STRETCH>()
        {
            // Everybody, as where all step at every tick.
            for (at, row) in list.iter_mut().zip(first as u16..) {
                *at = row;
            }
            self.len += STRETCH;
            return;
        }
        while due != 0 {
            self.list[self.len % RUN] = first as u16 + due.trailing_zeros() as u16;
            self.len += 1;
            due &= due - 1;
        }
    }

    /// Adds a row if something holds, without a branch.
    #[inline]
    pub(super) fn push_if(&mut self, holds: bool, row: u16) {
        self.list[self.len % RUN] = row;
        self.len += usize::from(holds);
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

/// The rows of a run that are due, in up to three groups.
#[derive(Default)]
pub(super) struct GroupedRows {
    pub(super) first: DueRows,
    pub(super) second: DueRows,
    pub(super) third: DueRows,
}

impl GroupedRows {
    /// Groups rows, without a branch: which group a chaser is of has no pattern, either.
    #[inline]
    pub(super) fn group(
        &mut self,
        due: &DueRows,
        entities: &[Entity],
        cursors: &[PathCursor],
        group: impl Fn(Entity, &PathCursor) -> [bool; 2],
    ) {
        let cursors = &cursors[..entities.len()];
        let (mut first, mut second, mut third) = (0, 0, 0);
        for &row in due.rows() {
            let at = usize::from(row);
            let [is_first, is_second] = group(entities[at], &cursors[at]);
            self.first.list[first % RUN] = row;
            self.second.list[second % RUN] = row;
            self.third.list[third % RUN] = row;
            first += usize::from(is_first);
            second += usize::from(is_second);
            third += usize::from(!(is_first | is_second));
        }
        (self.first.len, self.second.len, self.third.len) = (first, second, third);
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
        due.push(10, bits([true, false, true, true, true].into_iter()));
        due.push(15, bits([false; STRETCH].into_iter()));
        due.push(1023, bits([true].into_iter()));
        assert_eq!(listed(&due), [10, 12, 13, 14, 1023]);
        due.retain(|row| row % 2 == 0);
        assert_eq!(listed(&due), [10, 12, 14]);
        for row in [15, 16] {
            due.push_if(row == 16, row);
        }
        assert_eq!(listed(&due), [10, 12, 14, 16]);
    }

    #[test]
    fn a_whole_run_may_be_due_and_is_grouped() {
        let mut due = DueRows::default();
        for first in (0..RUN).step_by(STRETCH) {
            due.push(first, bits([true; STRETCH].into_iter()));
        }
        assert_eq!(due.rows().len(), RUN);
        let mut cursors = vec![PathCursor::default(); RUN];
        cursors[7].share(CellPosition::new(1, 1), false);
        cursors[9].queue();
        let entities = vec![Entity::PLACEHOLDER; RUN];
        let mut grouped = GroupedRows::default();
        grouped.group(&due, &entities, &cursors, |_, cursor| {
            [cursor.rests(), cursor.shares_near()]
        });
        assert_eq!(grouped.second.rows(), [7]);
        assert_eq!(grouped.third.rows(), [9]);
        assert_eq!(grouped.first.rows().len(), RUN - 2);
        grouped.group(&due, &entities, &cursors, |_, cursor| {
            [false, cursor.shares_near()]
        });
        assert_eq!(grouped.second.rows(), [7]);
        assert!(grouped.first.is_empty());
        assert_eq!(grouped.third.rows().len(), RUN - 1);
    }
}

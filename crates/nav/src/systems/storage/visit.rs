//! Visiting the chasers that are due: table by table, in parallel.

use super::{
    columns::{ChaserData, ChaserRows, ChaserTable, ChaserView},
    scratch::ScratchPool,
    threads::{Split, Threads},
};
use crate::MoveTimer;
use bevy_ecs::{prelude::*, query::ArchetypeFilter};
use std::hint::black_box;

/// Rows that are listed in one go: a list that stays in the first-level cache.
const RUN: usize = 1024;

/// Rows that a task takes at a time at most: where a task continues elsewhere, the processor has
/// fetched no memory ahead.
const PIECE: usize = 16 * RUN;

/// What the tasks of a system that visits chasers keep from tick to tick, and what each collects.
pub(crate) struct VisitPool<S>(ScratchPool<VisitScratch<S>>);

#[derive(Default)]
struct VisitScratch<S> {
    due: DueRows,
    collected: S,
}

impl<S> Default for VisitPool<S> {
    fn default() -> Self {
        Self(ScratchPool::default())
    }
}

impl<S: Default> VisitPool<S> {
    /// What each task collected, in no particular order.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut S> {
        self.0.iter_mut().map(|scratch| &mut scratch.collected)
    }

    /// Collects outside of a task.
    pub(crate) fn collect(&self, collect: impl FnOnce(&mut S)) {
        collect(&mut self.0.take().get().collected);
    }
}

/// Visits all chasers of a query that are due, in any order, in parallel if there is a task pool.
///
/// Most of a crowd is skipped by its entity and move timer alone. Each task begins with a state of
/// its own.
pub(crate) fn visit_due<F: ArchetypeFilter, T, S: Default + Send>(
    mut chasers: Query<ChaserData, F>,
    is_due: impl Fn(Entity, &MoveTimer) -> bool + Sync,
    pool: &VisitPool<S>,
    task: impl Fn() -> T + Sync,
    visit: impl Fn(ChaserView, &mut T, &mut S) + Sync,
) {
    let visit_rows = |rows: ChaserRows| {
        let (mut scratch, mut task) = (pool.0.take(), task());
        visit_rows(rows, scratch.get(), &is_due, |chaser, collected| {
            visit(chaser, &mut task, collected);
        });
    };
    // Fails only where the game disables entities by a component that is not kept in tables.
    let Ok(tables) = chasers.contiguous_iter_mut() else {
        for mut chaser in &mut chasers {
            chaser.with_rows(visit_rows);
        }
        return;
    };
    for table in tables {
        let mut table = ChaserTable::from(table);
        let rows = table.rows();
        Threads::for_work(rows.len(), RUN).split(rows, (RUN, PIECE), visit_rows);
    }
}

/// The only place from which `visit` is called, so that it is inlined here: a view of twelve
/// references that is lent to a function lies in memory, which takes twice the time of a step.
#[inline(never)]
fn visit_rows<S>(
    rows: ChaserRows,
    VisitScratch { due, collected }: &mut VisitScratch<S>,
    is_due: &impl Fn(Entity, &MoveTimer) -> bool,
    mut visit: impl FnMut(ChaserView, &mut S),
) {
    for mut rows in rows.pieces(RUN) {
        due.list(&rows, is_due);
        due.fetch_waypoints(&rows);
        rows.visit(due.rows(), |chaser| visit(chaser, collected));
    }
}

/// Rows that are looked at together, a bit each.
const STRETCH: usize = 64;

/// The rows of a run in which a chaser is due.
struct DueRows {
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
    fn rows(&self) -> &[u16] {
        &self.list[..self.len]
    }

    /// Lists the rows in which a chaser is due.
    ///
    /// Without a branch for a row, since which ones are due follows no pattern. Forward, since
    /// processors fetch memory ahead that way.
    #[inline]
    fn list(&mut self, rows: &ChaserRows, is_due: &impl Fn(Entity, &MoveTimer) -> bool) {
        self.len = 0;
        let timers = rows.move_timer.values.chunks(STRETCH);
        let stretches = rows.entities.chunks(STRETCH).zip(timers);
        for (first, (entities, timers)) in (0..).step_by(STRETCH).zip(stretches) {
            let due = entities.iter().zip(timers);
            self.push(
                first,
                bits(due.map(|(&chaser, timer)| is_due(chaser, timer))),
            );
        }
    }

    /// Reads the next waypoint of each chaser that is due. They lie all over the memory: read one
    /// after the other, they are fetched side by side, which takes a seventh off the steps of a million
    /// chasers.
    fn fetch_waypoints(&self, rows: &ChaserRows) {
        let cursors = &rows.cursor.values;
        let waypoints = self
            .rows()
            .iter()
            .filter_map(|&row| cursors[usize::from(row)].waypoint());
        black_box(waypoints.fold(0, |sum, cell| sum ^ cell.x));
    }

    /// Appends the rows of a stretch whose bits are set.
    #[inline]
    fn push(&mut self, first: u16, mut due: u64) {
        while due != 0 {
            self.list[self.len % RUN] = first + due.trailing_zeros() as u16;
            self.len += 1;
            due &= due - 1;
        }
    }
}

/// A bit for each row of a stretch, the first one the lowest.
#[inline]
fn bits(due: impl ExactSizeIterator<Item = bool>) -> u64 {
    let rows = due.len();
    let bits = due.fold(0, |bits, is_due| bits >> 1 | u64::from(is_due) << 63);
    // Without rows there are no bits, either.
    bits >> (STRETCH.saturating_sub(rows) % STRETCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn due_rows_are_listed_in_order() {
        let mut due = DueRows::default();
        due.push(10, bits([true, false, true, true, true].into_iter()));
        due.push(15, bits([false; STRETCH].into_iter()));
        due.push(1023, bits([true].into_iter()));
        assert_eq!(due.rows(), [10, 12, 13, 14, 1023]);
    }

    #[test]
    fn whole_run_may_be_due() {
        let mut due = DueRows::default();
        for first in (0..RUN as u16).step_by(STRETCH) {
            due.push(first, bits([true; STRETCH].into_iter()));
        }
        assert!(due.rows().iter().copied().eq(0..RUN as u16));
    }
}

//! Visiting the chasers that are due: table by table, in parallel.

use super::{
    columns::{ChaserData, ChaserRows, ChaserView},
    threads::Threads,
};
use crate::MoveTimer;
use bevy_ecs::{prelude::*, query::ArchetypeFilter};

/// Rows that are listed in one go: a list that stays in the first-level cache.
const RUN: usize = 1024;

/// Rows that a task takes at a time at most: where a task continues elsewhere, the processor has
/// fetched no memory ahead.
const PIECE: usize = 16 * RUN;

/// The scratch memory of tasks that visit chasers, kept from tick to tick, with the results of
/// each.
#[derive(Default)]
pub(crate) struct VisitPool<S>(Vec<VisitScratch<S>>);

#[derive(Default)]
struct VisitScratch<S> {
    /// The rows of a run in which a chaser is due.
    due: Vec<u16>,
    collected: S,
}

impl<S: Default> VisitPool<S> {
    /// Returns the results of each task, in no particular order.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut S> {
        self.0.iter_mut().map(|scratch| &mut scratch.collected)
    }

    /// The scratch memory of a visit outside of a task.
    fn first(&mut self) -> &mut VisitScratch<S> {
        if self.0.is_empty() {
            self.0.push(VisitScratch::default());
        }
        &mut self.0[0]
    }

    /// Collects outside of a task.
    pub(crate) fn collect(&mut self, collect: impl FnOnce(&mut S)) {
        collect(&mut self.first().collected);
    }
}

/// Visits all chasers of a query that are due, in any order, in parallel if there is a task pool.
///
/// Most of a crowd is skipped by its entity and move timer alone. Each task begins with a state of
/// its own.
pub(crate) fn visit_due<F: ArchetypeFilter, T, S: Default + Send>(
    mut chasers: Query<ChaserData, F>,
    is_due: impl Fn(Entity, &MoveTimer) -> bool + Sync,
    pool: &mut VisitPool<S>,
    task: impl Fn() -> T + Sync,
    visit: impl Fn(ChaserView, &mut T, &mut S) + Sync,
) {
    let visit_rows = |rows: ChaserRows, scratch: &mut _| {
        let mut task = task();
        visit_rows(rows, scratch, &is_due, |chaser, collected| {
            visit(chaser, &mut task, collected);
        });
    };
    // Fails only where the game disables entities by a component that is not kept in tables.
    let Ok(tables) = chasers.contiguous_iter_mut() else {
        for mut chaser in &mut chasers {
            chaser.with_rows(|rows| visit_rows(rows, pool.first()));
        }
        return;
    };
    for table in tables {
        table.with_rows(|rows| {
            let threads = Threads::for_work(rows.len(), RUN);
            let length = threads.share(rows.len(), (RUN, PIECE));
            threads.hand_out(rows.pieces(length), &mut pool.0, visit_rows);
        });
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
        list_due(due, &rows, is_due);
        rows.visit(due, |chaser| visit(chaser, collected));
    }
}

/// Lists the rows of a run in which a chaser is due.
///
/// Without a branch for a row, since which ones are due follows no pattern: each row is written,
/// and the next one over it if it is not due. Forward, since processors fetch memory ahead that
/// way.
// Decision 11: docs/decisions/0011-columns-not-items.md
#[inline]
fn list_due(due: &mut Vec<u16>, rows: &ChaserRows, is_due: &impl Fn(Entity, &MoveTimer) -> bool) {
    due.resize(rows.len(), 0);
    let mut len = 0;
    let chasers = rows.entities.iter().zip(&*rows.move_timer.values);
    for (row, (&chaser, timer)) in (0..).zip(chasers) {
        due[len] = row;
        len += usize::from(is_due(chaser, timer));
    }
    due.truncate(len);
}

//! Visiting the chasers that are due: table by table, in parallel, each by the same function.

use super::{
    chaser::{ChaseKey, ChaserView},
    data::{ChaserData, ChaserDataItem},
    due::{DueRows, RUN},
    table::{ChaserRows, ChaserTable},
    threads::{Split, Threads},
};
use crate::MoveTimer;
use bevy_ecs::{prelude::*, query::ArchetypeFilter};
use nav_grid::Cell;

/// What a system does with each chaser that is due.
pub(crate) trait Visit: Sync {
    /// What a task has to itself: caches of what it looked up last, and what it collects.
    type Task<'a>
    where
        Self: 'a;

    /// Whether chasers that got another target are due, whatever [`is_due`](Self::is_due) says.
    const INCLUDES_RETARGETED: bool = false;

    /// Whether the next waypoint of everybody who follows a path is wanted. They lie somewhere
    /// else in memory each, so they are read for a run of rows at once, many at a time.
    const READS_WAYPOINTS: bool = false;

    /// Whether there is nothing to do for chasers with a key that follow the field around their
    /// target and did not get another one: so that most of a crowd needs no view.
    #[inline]
    fn skips_on_field<'a>(&'a self, _key: ChaseKey, _task: &mut Self::Task<'a>) -> bool {
        false
    }

    /// Whether a chaser is due. Most of a crowd is skipped by this, without a branch.
    fn is_due(&self, chaser: Entity, timer: &MoveTimer) -> bool;

    /// What a task begins with.
    fn task(&self) -> Self::Task<'_>;

    /// Visits one chaser. Chasers may be visited in any order, side by side.
    fn visit<'a>(&'a self, chaser: ChaserView, task: &mut Self::Task<'a>);
}

/// Rows that a task takes at a time at most: where it goes on elsewhere, memory is not fetched
/// ahead.
const PIECE: usize = 16 * RUN;

/// Visits all chasers of a query that are due, in parallel if there is a task pool.
pub(crate) fn visit_due<F: ArchetypeFilter, V: Visit>(
    mut chasers: Query<ChaserData, F>,
    visit: &V,
) {
    // Fails only where the game disables entities by a component that is not kept in tables.
    let Ok(tables) = chasers.contiguous_iter_mut() else {
        let mut task = visit.task();
        for mut chaser in &mut chasers {
            if is_due(visit, &chaser) {
                chaser.visit(|chaser| visit.visit(chaser, &mut task));
            }
        }
        return;
    };
    for table in tables {
        let mut table = ChaserTable::from(table);
        let rows = table.rows();
        Threads::for_work(rows.len(), RUN).split(rows, (RUN, PIECE), |rows| {
            let mut task = visit.task();
            let (mut due, mut waypoints) = (DueRows::default(), [None; RUN]);
            for mut rows in rows.pieces(RUN) {
                list_due(visit, &rows, &mut due);
                if !due.is_empty() {
                    visit_rows(visit, &mut rows, &mut due, &mut waypoints, &mut task);
                }
            }
        });
    }
}

fn is_due<V: Visit>(visit: &V, chaser: &ChaserDataItem) -> bool {
    visit.is_due(chaser.entity, &chaser.move_timer)
        || V::INCLUDES_RETARGETED && chaser.is_retargeted()
}

/// Lists the rows in which a chaser is due.
#[inline]
fn list_due<V: Visit>(visit: &V, rows: &ChaserRows, due: &mut DueRows) {
    due.clear();
    if V::INCLUDES_RETARGETED
        && let Some(retargeted) = rows.retargeted()
    {
        let timers = rows.entities.iter().zip(&*rows.move_timers.values);
        let either = timers.zip(retargeted);
        let is_due = either.map(|((&chaser, timer), new)| visit.is_due(chaser, timer) | new);
        due.push(0, is_due);
        return;
    }
    // In most stretches nobody is due: their rows are not listed one by one.
    const STRETCH: usize = 64;
    let entities = rows.entities.chunks(STRETCH);
    let stretches = entities.zip(rows.move_timers.values.chunks(STRETCH));
    for (first, (entities, timers)) in (0..).step_by(STRETCH).zip(stretches) {
        let is_due = || {
            let rows = entities.iter().zip(timers);
            rows.map(|(&chaser, timer)| visit.is_due(chaser, timer))
        };
        if is_due().fold(false, |any, is_due| any | is_due) {
            due.push(first, is_due());
        }
    }
}

/// Visits the listed rows: those who rest, those who follow the field around their target, and the
/// others, one group after the other, so that the branches of a visit mostly go one way.
#[inline]
fn visit_rows<'a, V: Visit>(
    visit: &'a V,
    rows: &mut ChaserRows,
    due: &mut DueRows,
    waypoints: &mut [Option<Cell>; RUN],
    task: &mut V::Task<'a>,
) {
    let mut on_field = due.split(|row| rows.cursors.values[row].shares_near());
    rows.retain(&mut on_field, |key| !visit.skips_on_field(key, task));
    let resting = due.split(|row| rows.cursors.values[row].rests());
    let mut read = 0;
    if V::READS_WAYPOINTS {
        for (row, waypoint) in due.iter().zip(&mut *waypoints) {
            *waypoint = rows.cursors.values[row].waypoint();
            read += 1;
        }
    }
    let waypoints = &waypoints[..read];
    let lists = [(&resting, &[][..]), (&on_field, &[]), (&*due, waypoints)];
    rows.visit_listed(lists, |chaser| visit.visit(chaser, task));
}

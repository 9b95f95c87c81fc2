//! Visiting the chasers that are due: table by table, in parallel, each by the same function.

use super::{
    chaser::{ChaseKey, ChaserData, ChaserDataItem, ChaserView},
    due::{DueRows, GroupedRows, RUN, STRETCH, bits},
    scratch::ScratchPool,
    table::{ChaserRows, ChaserTable},
    threads::{Split, Threads},
};
use crate::MoveTimer;
use bevy_ecs::{prelude::*, query::ArchetypeFilter};
use nav_grid::Cell;

/// Whom a system visits, by their entity and move timer. Most of a crowd is skipped by this,
/// without a branch.
pub(crate) struct Due<D> {
    condition: D,
    includes_retargeted: bool,
    reads: Reads,
}

/// What a system reads for a run of rows at once.
#[derive(Clone, Copy, PartialEq)]
enum Reads {
    Nothing,
    /// The keys of those who follow the field around their target, to skip some.
    Keys,
    /// The waypoints of those who follow a path.
    Waypoints,
}

impl<D: Fn(Entity, &MoveTimer) -> bool + Sync> Due<D> {
    pub(crate) const fn new(condition: D) -> Self {
        Self {
            condition,
            includes_retargeted: false,
            reads: Reads::Nothing,
        }
    }

    /// Also those that got another target.
    pub(crate) fn or_retargeted(self) -> Self {
        Self {
            includes_retargeted: true,
            ..self
        }
    }

    /// Reads the next waypoint of everybody who follows a path ahead, for a run of rows at once:
    /// they lie somewhere else in memory each, and many can be fetched at a time.
    pub(crate) fn reading_waypoints(self) -> Self {
        Self {
            reads: Reads::Waypoints,
            ..self
        }
    }

    /// Skips those who follow the field around their target and did not get another one, if the
    /// system says so for their key: so that most of a crowd needs no view.
    pub(crate) fn but_skipped_on_field(self) -> Self {
        Self {
            reads: Reads::Keys,
            ..self
        }
    }

    fn has(&self, chaser: &ChaserDataItem) -> bool {
        (self.condition)(chaser.entity, &chaser.move_timer)
            || self.includes_retargeted && chaser.is_retargeted()
    }

    /// Lists the rows in which a chaser is due.
    #[inline]
    fn list(&self, rows: &ChaserRows, list: &mut DueRows) {
        list.clear();
        let retargeted =
            (self.includes_retargeted && !rows.retargeted.is_none()).then_some(rows.retargeted);
        let entities = rows.entities.chunks(STRETCH);
        let stretches = entities.zip(rows.move_timers.values.chunks(STRETCH));
        for (first, (entities, timers)) in (0..).step_by(STRETCH).zip(stretches) {
            let stretch = entities.iter().zip(timers);
            let mut due = bits(stretch.map(|(&chaser, timer)| (self.condition)(chaser, timer)));
            if let Some(retargeted) = retargeted {
                due |= bits((first..first + entities.len()).map(|row| retargeted.has(row)));
            }
            list.push(first, due);
        }
    }
}

/// Rows that a task takes at a time at most: where it goes on elsewhere, memory is not fetched
/// ahead.
const PIECE: usize = 16 * RUN;

/// What the tasks of a system that visits chasers keep from tick to tick, and what each collects.
pub(crate) struct VisitPool<S>(ScratchPool<VisitScratch<S>>);

#[derive(Default)]
struct VisitScratch<S> {
    run: Run,
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

    /// Has a function collect as a task does.
    pub(crate) fn collect(&self, collect: impl FnOnce(&mut S)) {
        collect(&mut self.0.take().get().collected);
    }
}

/// Visits all chasers of a query that are due, in any order, in parallel if there is a task pool.
///
/// Each task begins with a state of its own. `skips` says for a key whether there is nothing to do
/// on a field: see [`Due::but_skipped_on_field`].
pub(crate) fn visit_due<F: ArchetypeFilter, T, S: Default + Send>(
    mut chasers: Query<ChaserData, F>,
    due: &Due<impl Fn(Entity, &MoveTimer) -> bool + Sync>,
    pool: &VisitPool<S>,
    task: impl Fn() -> T + Sync,
    skips: impl Fn(ChaseKey, &mut T) -> bool + Sync,
    visit: impl Fn(ChaserView, &mut T, &mut S) + Sync,
) {
    // Fails only where the game disables entities by a component that is not kept in tables.
    let Ok(tables) = chasers.contiguous_iter_mut() else {
        let (mut scratch, mut task) = (pool.0.take(), task());
        let VisitScratch { run, collected } = scratch.get();
        for mut chaser in &mut chasers {
            if due.has(&chaser) {
                run.due.set_first();
                let mut state = (&mut task, &mut *collected);
                chaser.with_row(|rows| run.visit(rows, &mut state, Reads::Nothing, &skips, &visit));
            }
        }
        return;
    };
    for table in tables {
        let mut table = ChaserTable::from(table);
        let rows = table.rows();
        Threads::for_work(rows.len(), RUN).split(rows, (RUN, PIECE), |rows| {
            let (mut scratch, mut task) = (pool.0.take(), task());
            let VisitScratch { run, collected } = scratch.get();
            for mut rows in rows.pieces(RUN) {
                due.list(&rows, &mut run.due);
                if !run.due.is_empty() {
                    let mut state = (&mut task, &mut *collected);
                    run.visit(&mut rows, &mut state, due.reads, &skips, &visit);
                }
            }
        });
    }
}

/// The rows of a run that are due, and the waypoints that are read ahead for them.
struct Run {
    due: DueRows,
    grouped: GroupedRows,
    waypoints: [Option<Cell>; RUN],
}

impl Default for Run {
    fn default() -> Self {
        Self {
            due: DueRows::default(),
            grouped: GroupedRows::default(),
            waypoints: [None; RUN],
        }
    }
}

impl Run {
    /// Visits the rows that are due: those who rest where waypoints are read, those who follow the
    /// field around their target, and the others, one group after the other, so that the branches of
    /// a visit mostly go one way.
    #[inline(never)]
    fn visit<T, S>(
        &mut self,
        rows: &mut ChaserRows,
        (task, collected): &mut (&mut T, &mut S),
        reads: Reads,
        skips: &impl Fn(ChaseKey, &mut T) -> bool,
        visit: &impl Fn(ChaserView, &mut T, &mut S),
    ) {
        let Self {
            due,
            grouped,
            waypoints,
        } = self;
        if reads == Reads::Waypoints {
            grouped.group::<true>(due, rows.cursors.values);
        } else {
            grouped.group::<false>(due, rows.cursors.values);
        }
        if reads == Reads::Keys {
            rows.retain(&mut grouped.on_field, |key| !skips(key, task));
        }
        let others = grouped.others.rows();
        let mut read = 0;
        if reads == Reads::Waypoints {
            for (&row, waypoint) in others.iter().zip(&mut *waypoints) {
                *waypoint = rows.cursors.values[usize::from(row)].waypoint();
                read += 1;
            }
        }
        let lists = [
            (grouped.resting.rows(), &[][..]),
            (grouped.on_field.rows(), &[]),
            (others, &waypoints[..read]),
        ];
        rows.visit_listed(&lists, |chaser| visit(chaser, task, collected));
    }
}

/// For systems that skip nobody on a field.
pub(crate) fn never<T>(_: ChaseKey, _: &mut T) -> bool {
    false
}

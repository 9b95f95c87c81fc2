//! Visiting the chasers that are due: table by table, in parallel.

use super::{
    chaser::{ChaseKey, ChaserData, ChaserDataItem, ChaserView},
    due::{DueRows, GroupedRows, RUN, STRETCH, bits},
    scratch::ScratchPool,
    table::{ChaserRows, ChaserTable},
    threads::{Split, Threads},
};
use crate::{MoveTimer, NavTime, PathCursor};
use bevy_ecs::{prelude::*, query::ArchetypeFilter};
use nav_grid::Cell;

/// Whom a system visits, by their entity and move timer. Most of a crowd is skipped by this,
/// without a branch.
pub(crate) struct Due<D, G = OnField> {
    condition: D,
    groups: G,
    includes_retargeted: bool,
    reads: Reads,
}

/// In which groups the rows of a run are visited, one after the other, so that the branches of a visit mostly go
/// one way.
pub(crate) trait Groups<T, S>: Sync {
    /// Whether those of the first group are visited by a function of their own: one that knows what they have
    /// in common has fewer branches, and looks at less of them.
    const IS_FIRST_APART: bool = false;

    /// Whether the waypoints that are [read ahead](Due::reading_waypoints) are those of the first group, not of
    /// the third: where the first follows paths, too.
    const READS_FIRST: bool = false;

    /// Whether a chaser is of the first group, and whether it is of the second one: of one of them at most. Who
    /// is of neither is of the third.
    fn of(&self, chaser: Entity, cursor: &PathCursor) -> [bool; 2];

    /// Visits one of the first group, if that is apart. Returns whether it did: who is left is visited as the
    /// others are.
    fn visit_first(&self, _: ChaserView, _: &mut T, _: &mut S) -> bool {
        false
    }
}

/// Those who follow the field around their target, and all others.
pub(crate) struct OnField;

impl<T, S> Groups<T, S> for OnField {
    #[inline]
    fn of(&self, _: Entity, cursor: &PathCursor) -> [bool; 2] {
        [false, cursor.shares_near()]
    }
}

/// Those on their way by the field around their target, who are visited by a function first that returns whether
/// it did; those who [rest](PathCursor::rests) or are beside theirs; and all others.
pub(crate) struct OnTheirWay<V>(pub(crate) V);

impl<T, S, V> Groups<T, S> for OnTheirWay<V>
where
    V: Fn(ChaserView, &mut T, &mut S) -> bool + Sync,
{
    const IS_FIRST_APART: bool = true;

    #[inline]
    fn of(&self, _: Entity, cursor: &PathCursor) -> [bool; 2] {
        let is_beside = cursor.is_beside();
        [
            cursor.shares_near() && !is_beside,
            cursor.rests() || is_beside,
        ]
    }

    #[inline]
    fn visit_first(&self, chaser: ChaserView, task: &mut T, collected: &mut S) -> bool {
        self.0(chaser, task, collected)
    }
}

/// Those for whom a function holds, who are visited by another one, and all others.
pub(crate) struct Apart<H, V>(pub(crate) H, pub(crate) V);

impl<T, S, H, V> Groups<T, S> for Apart<H, V>
where
    H: Fn(Entity) -> bool + Sync,
    V: Fn(ChaserView, &mut T, &mut S) + Sync,
{
    const IS_FIRST_APART: bool = true;
    const READS_FIRST: bool = true;

    #[inline]
    fn of(&self, chaser: Entity, _: &PathCursor) -> [bool; 2] {
        [self.0(chaser), false]
    }

    #[inline]
    fn visit_first(&self, chaser: ChaserView, task: &mut T, collected: &mut S) -> bool {
        self.1(chaser, task, collected);
        true
    }
}

/// What a system reads for a run of rows at once.
#[derive(Clone, Copy)]
struct Reads {
    /// The keys of those who follow the field around their target, to skip some.
    keys: bool,
    /// The waypoints of those who follow a path.
    waypoints: Waypoints,
}

impl Reads {
    const NOTHING: Self = Self {
        keys: false,
        waypoints: Waypoints::Nobody,
    };
}

/// Of whom the next waypoints are read.
#[derive(Clone, Copy)]
enum Waypoints {
    Nobody,
    Everybody,
    /// Of those who may search at a moment.
    Searchers(NavTime),
}

impl<D: Fn(Entity, &MoveTimer) -> bool + Sync> Due<D> {
    /// Those for whom a condition holds.
    pub(crate) const fn new(condition: D) -> Self {
        Self {
            condition,
            groups: OnField,
            includes_retargeted: false,
            reads: Reads::NOTHING,
        }
    }

    /// The same in other groups.
    pub(crate) fn grouped<G>(self, groups: G) -> Due<D, G> {
        Due {
            condition: self.condition,
            groups,
            includes_retargeted: self.includes_retargeted,
            reads: self.reads,
        }
    }
}

impl<D: Fn(Entity, &MoveTimer) -> bool + Sync, G> Due<D, G> {
    /// Also those that got another target.
    pub(crate) fn or_retargeted(self) -> Self {
        Self {
            includes_retargeted: true,
            ..self
        }
    }

    /// Reads the next waypoint of everybody who follows a path ahead, for a run of rows at once:
    /// they lie somewhere else in memory each, and many can be fetched at a time.
    pub(crate) fn reading_waypoints(mut self) -> Self {
        self.reads.waypoints = Waypoints::Everybody;
        self
    }

    /// The same for those who may search at a moment.
    pub(crate) fn reading_waypoints_to_search(mut self, now: NavTime) -> Self {
        self.reads.waypoints = Waypoints::Searchers(now);
        self
    }

    /// Skips those who follow the field around their target and did not get another one, if the
    /// system says so for their key: so that most of a crowd needs no view. They are the second group:
    /// see [`OnField`].
    pub(crate) fn but_skipped_on_field(mut self) -> Self {
        self.reads.keys = true;
        self
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
    due: &Due<impl Fn(Entity, &MoveTimer) -> bool + Sync, impl Groups<T, S>>,
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
                chaser.with_row(|rows| {
                    run.visit(
                        rows,
                        &mut state,
                        (&due.groups, Reads::NOTHING),
                        &skips,
                        &visit,
                    );
                });
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
                    run.visit(
                        &mut rows,
                        &mut state,
                        (&due.groups, due.reads),
                        &skips,
                        &visit,
                    );
                }
            }
        });
    }
}

/// The rows of a run that are due, and the waypoints that are read ahead for them.
struct Run {
    due: DueRows,
    grouped: GroupedRows,
    /// Of the first group those who are visited as the others are.
    left: DueRows,
    waypoints: [Option<Cell>; RUN],
}

impl Default for Run {
    fn default() -> Self {
        Self {
            due: DueRows::default(),
            grouped: GroupedRows::default(),
            left: DueRows::default(),
            waypoints: [None; RUN],
        }
    }
}

impl Run {
    /// Visits the rows that are due, group by group.
    #[inline(never)]
    fn visit<T, S, G: Groups<T, S>>(
        &mut self,
        rows: &mut ChaserRows,
        (task, collected): &mut (&mut T, &mut S),
        (groups, reads): (&G, Reads),
        skips: &impl Fn(ChaseKey, &mut T) -> bool,
        visit: &impl Fn(ChaserView, &mut T, &mut S),
    ) {
        let Self {
            due,
            grouped,
            left,
            waypoints,
        } = self;
        let cursors = &*rows.cursors.values;
        grouped.group(due, rows.entities, cursors, |chaser, cursor| {
            groups.of(chaser, cursor)
        });
        if reads.keys {
            rows.retain(&mut grouped.second, |key| !skips(key, task));
        }
        let others = grouped.third.rows();
        let readers = if G::READS_FIRST {
            grouped.first.rows()
        } else {
            others
        };
        let timers = &*rows.search_timers.values;
        let read = match reads.waypoints {
            Waypoints::Nobody => 0,
            Waypoints::Everybody => read_waypoints(waypoints, readers, cursors, |_| true),
            Waypoints::Searchers(now) => {
                let may_search = |row: usize| timers[row].next_search() <= now;
                read_waypoints(waypoints, readers, cursors, may_search)
            }
        };
        let read = &waypoints[..read];
        let (of_first, of_others) = if G::READS_FIRST {
            (read, &[][..])
        } else {
            (&[][..], read)
        };
        let first = if G::IS_FIRST_APART {
            visit_first(
                rows,
                (&grouped.first, of_first),
                left,
                (&mut **task, &mut **collected),
                groups,
            );
            &*left
        } else {
            &grouped.first
        };
        let lists = [
            (first.rows(), &[][..]),
            (grouped.second.rows(), &[]),
            (others, of_others),
        ];
        visit_lists(rows, &lists, (&mut **task, &mut **collected), visit);
    }
}

/// Visits those of the first group, and lists those who are left. A function of its own, as the next one is: each has
/// the registers to itself.
#[inline(never)]
fn visit_first<T, S, G: Groups<T, S>>(
    rows: &mut ChaserRows,
    (first, waypoints): (&DueRows, &[Option<Cell>]),
    left: &mut DueRows,
    (task, collected): (&mut T, &mut S),
    groups: &G,
) {
    left.clear();
    let mut listed = first.rows().iter().copied();
    rows.visit_listed(&[(first.rows(), waypoints)], |chaser| {
        let is_visited = groups.visit_first(chaser, task, collected);
        left.push_if(!is_visited, listed.next().unwrap_or_default());
    });
}

/// Visits those of several lists, with the waypoints that were read ahead.
#[inline(never)]
fn visit_lists<T, S>(
    rows: &mut ChaserRows,
    lists: &[(&[u16], &[Option<Cell>])],
    (task, collected): (&mut T, &mut S),
    visit: &impl Fn(ChaserView, &mut T, &mut S),
) {
    rows.visit_listed(lists, |chaser| visit(chaser, task, collected));
}

/// Reads the next waypoints in listed rows for which something holds, and returns for how many that was asked.
#[inline]
fn read_waypoints(
    waypoints: &mut [Option<Cell>],
    list: &[u16],
    cursors: &[PathCursor],
    holds: impl Fn(usize) -> bool,
) -> usize {
    let listed = list.iter().zip(waypoints);
    let count = listed.len();
    for (&row, waypoint) in listed {
        let row = usize::from(row);
        *waypoint = holds(row).then(|| cursors[row].waypoint()).flatten();
    }
    count
}

/// For systems that skip nobody on a field.
pub(crate) fn never<T>(_: ChaseKey, _: &mut T) -> bool {
    false
}

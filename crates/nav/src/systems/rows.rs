//! Chasers by the columns of the tables that Bevy keeps them in.

use super::{
    pursuers::{PursuerContiguousItem, Pursues},
    scene::Chase,
    stretches::stretches,
    threads::CutUp,
    tunings::Tuning,
};
use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavMap, NavTime, NavTimer, OnMap,
    PathCursor, WorldPosition,
};
use bevy_ecs::{
    change_detection::{ContiguousComponentTicksMut, ContiguousMut, ContiguousRef, Tick},
    prelude::*,
};
use nav_grid::Cell;

/// Some rows of a table.
pub(crate) struct Rows<'a> {
    entities: &'a [Entity],
    ids: &'a [AgentId],
    tunings: &'a [Tuning],
    chasers: Watched<'a, Chaser>,
    chasing: Watched<'a, Chasing>,
    on_maps: Option<&'a [OnMap]>,
    bodies: Option<&'a [Body]>,
    positions: Column<'a, CellPosition>,
    worlds: Option<Column<'a, WorldPosition>>,
    cursors: Column<'a, PathCursor>,
    timers: Column<'a, NavTimer>,
    beats: Column<'a, MoveTimer>,
}

impl Rows<'_> {
    #[inline]
    pub(crate) const fn entities(&self) -> &[Entity] {
        self.entities
    }

    /// What the chaser of a row follows.
    #[inline]
    pub(crate) const fn cursor(&self, row: usize) -> &PathCursor {
        &self.cursors.values[row]
    }

    /// Row by row, whether it is the move tick of the chaser.
    #[inline]
    pub(crate) fn due(&self, now: NavTime) -> impl Iterator<Item = bool> {
        self.beats.values.iter().map(move |beat| beat.is_due(now))
    }

    /// The same, by stretches of rows that begin at some row, without those in which it is nobody's.
    #[inline]
    pub(crate) fn stretches_due(
        &self,
        now: NavTime,
    ) -> impl Iterator<Item = (usize, impl Iterator<Item = bool>)> {
        stretches(self.beats.values, move |beat| beat.is_due(now))
            .map(move |(first, beats)| (first, beats.iter().map(move |beat| beat.is_due(now))))
    }

    /// Row by row, as [`Pursues::has_turned`]; `None` if nobody did.
    #[inline]
    pub(crate) fn turned(&self) -> Option<impl Iterator<Item = bool>> {
        let ticks = self.chasing.changed.iter().zip(self.chasers.added);
        let turned = ticks.map(|(&set, &added)| self.has_turned(set, added));
        (!self.chasing.untouched).then_some(turned)
    }

    /// Whether a target that was set in one tick is another one for a chaser that was added in
    /// another.
    #[inline]
    fn has_turned(&self, set: Tick, added: Tick) -> bool {
        self.chasing.is_news(set) & !self.chasers.is_news(added)
    }
}

/// The columns that a step reads and writes which minds nothing but the way. All are as long as each
/// other and lie in variables of the one who walks through them, so that whether there is a row is
/// asked once.
pub(crate) struct Walkers<'r> {
    len: usize,
    tunings: &'r [Tuning],
    chasing: &'r [Chasing],
    on_maps: &'r [OnMap],
    positions: Column<'r, CellPosition>,
    worlds: Option<Column<'r, WorldPosition>>,
    cursors: Column<'r, PathCursor>,
    beats: Column<'r, MoveTimer>,
}

impl Rows<'_> {
    /// The columns that a step reads and writes, if those in the rows are on maps.
    #[inline]
    pub(crate) fn walkers(&mut self) -> Option<Walkers<'_>> {
        let len = self.entities.len();
        Some(Walkers {
            len,
            tunings: &self.tunings[..len],
            chasing: &self.chasing.values[..len],
            on_maps: &self.on_maps?[..len],
            positions: self.positions.first(len),
            worlds: self.worlds.as_mut().map(|worlds| worlds.first(len)),
            cursors: self.cursors.first(len),
            beats: self.beats.first(len),
        })
    }
}

impl Walkers<'_> {
    /// Whether there is a row.
    #[inline]
    pub(crate) const fn has(&self, row: usize) -> bool {
        row < self.len
    }

    /// Whom the chaser of a row chases where.
    #[inline]
    pub(crate) const fn chase(&self, row: usize) -> Chase {
        Chase {
            tuning: self.tunings[row],
            target: self.chasing[row].0,
            map: self.on_maps[row].0,
        }
    }

    #[inline]
    pub(crate) const fn cell(&self, row: usize) -> Cell {
        self.positions.values[row].cell
    }

    #[inline]
    pub(crate) const fn cursor(&self, row: usize) -> &PathCursor {
        &self.cursors.values[row]
    }

    #[inline]
    pub(crate) fn cursor_mut(&mut self, row: usize) -> &mut PathCursor {
        self.cursors.change(row)
    }

    #[inline]
    pub(crate) fn beat_mut(&mut self, row: usize) -> &mut MoveTimer {
        self.beats.change(row)
    }

    /// Puts the chaser of a row on a cell of a map.
    #[inline]
    pub(crate) fn put(&mut self, row: usize, map: &NavMap, to: Cell) {
        *self.positions.change(row) = CellPosition::at(to);
        if let Some(worlds) = &mut self.worlds {
            worlds.change(row).0 = map.frame().world((to.x.into(), to.y.into()));
        }
    }
}

/// One chaser in its row. Only what is asked for is read.
pub(crate) struct Row<'r, 'a> {
    rows: &'r mut Rows<'a>,
    row: usize,
}

impl<'r, 'a> Row<'r, 'a> {
    /// One of some rows.
    #[inline]
    pub(crate) const fn new(rows: &'r mut Rows<'a>, row: usize) -> Self {
        Self { rows, row }
    }
}

impl Pursues for Row<'_, '_> {
    #[inline]
    fn entity(&self) -> Entity {
        self.rows.entities[self.row]
    }

    #[inline]
    fn id(&self) -> AgentId {
        self.rows.ids[self.row]
    }

    #[inline]
    fn chaser(&self) -> &Chaser {
        &self.rows.chasers.values[self.row]
    }

    #[inline]
    fn tuning(&self) -> Tuning {
        self.rows.tunings[self.row]
    }

    #[inline]
    fn target(&self) -> Entity {
        self.rows.chasing.values[self.row].0
    }

    #[inline]
    fn map(&self) -> Option<Entity> {
        Some(self.rows.on_maps?[self.row].0)
    }

    #[inline]
    fn body(&self) -> Option<Body> {
        Some(self.rows.bodies?[self.row])
    }

    #[inline]
    fn cell(&self) -> Cell {
        self.rows.positions.values[self.row].cell
    }

    #[inline]
    fn position_mut(&mut self) -> &mut CellPosition {
        self.rows.positions.change(self.row)
    }

    #[inline]
    fn world_mut(&mut self) -> Option<&mut WorldPosition> {
        Some(self.rows.worlds.as_mut()?.change(self.row))
    }

    #[inline]
    fn cursor(&self) -> &PathCursor {
        &self.rows.cursors.values[self.row]
    }

    #[inline]
    fn cursor_mut(&mut self) -> &mut PathCursor {
        self.rows.cursors.change(self.row)
    }

    #[inline]
    fn timer(&self) -> &NavTimer {
        &self.rows.timers.values[self.row]
    }

    #[inline]
    fn timer_mut(&mut self) -> &mut NavTimer {
        self.rows.timers.change(self.row)
    }

    #[inline]
    fn beat(&self) -> &MoveTimer {
        &self.rows.beats.values[self.row]
    }

    #[inline]
    fn beat_mut(&mut self) -> &mut MoveTimer {
        self.rows.beats.change(self.row)
    }

    #[inline]
    fn has_turned(&self) -> bool {
        let Rows {
            chasing, chasers, ..
        } = &*self.rows;
        !chasing.untouched
            && self
                .rows
                .has_turned(chasing.changed[self.row], chasers.added[self.row])
    }
}

impl CutUp for Rows<'_> {
    fn cut(self, at: usize) -> (Self, Self) {
        let (entities, more_entities) = self.entities.split_at(at);
        let (ids, more_ids) = self.ids.split_at(at);
        let (tunings, more_tunings) = self.tunings.split_at(at);
        let (chasers, more_chasers) = self.chasers.cut(at);
        let (chasing, more_chasing) = self.chasing.cut(at);
        let (on_maps, more_on_maps) = self.on_maps.map(|maps| maps.split_at(at)).unzip();
        let (bodies, more_bodies) = self.bodies.map(|bodies| bodies.split_at(at)).unzip();
        let (positions, more_positions) = self.positions.cut(at);
        let (worlds, more_worlds) = self.worlds.map(|worlds| worlds.cut(at)).unzip();
        let (cursors, more_cursors) = self.cursors.cut(at);
        let (timers, more_timers) = self.timers.cut(at);
        let (beats, more_beats) = self.beats.cut(at);
        let rows = Self {
            entities,
            ids,
            tunings,
            chasers,
            chasing,
            on_maps,
            bodies,
            positions,
            worlds,
            cursors,
            timers,
            beats,
        };
        let more = Self {
            entities: more_entities,
            ids: more_ids,
            tunings: more_tunings,
            chasers: more_chasers,
            chasing: more_chasing,
            on_maps: more_on_maps,
            bodies: more_bodies,
            positions: more_positions,
            worlds: more_worlds,
            cursors: more_cursors,
            timers: more_timers,
            beats: more_beats,
        };
        (rows, more)
    }

    fn len(&self) -> usize {
        self.entities.len()
    }
}

/// When the system ran, this time and before.
#[derive(Clone, Copy)]
struct Runs {
    last: Tick,
    this: Tick,
}

/// A column to look at.
#[derive(Clone, Copy)]
struct Watched<'a, T> {
    values: &'a [T],
    added: &'a [Tick],
    changed: &'a [Tick],
    runs: Runs,
    /// Whether the table knows that nothing in the whole column changed.
    untouched: bool,
}

impl<T> Watched<'_, T> {
    #[inline]
    fn is_news(&self, tick: Tick) -> bool {
        tick.is_newer_than(self.runs.last, self.runs.this)
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (values, more_values) = self.values.split_at(at);
        let (added, more_added) = self.added.split_at(at);
        let (changed, more_changed) = self.changed.split_at(at);
        let column = Self {
            values,
            added,
            changed,
            ..self
        };
        let more = Self {
            values: more_values,
            added: more_added,
            changed: more_changed,
            ..self
        };
        (column, more)
    }
}

/// A column to write. Who wrote it is not kept: Bevy lends out one list of its ticks at a time.
struct Column<'a, T> {
    values: &'a mut [T],
    changed: &'a mut [Tick],
    runs: Runs,
}

impl<T: Component> Column<'_, T> {
    /// To be written, and so marked as changed.
    #[inline]
    fn change(&mut self, row: usize) -> &mut T {
        const { assert!(!T::HAS_SUMMARY_TICK, "nothing sets that of the column") };
        self.changed[row] = self.runs.this;
        &mut self.values[row]
    }

    /// The first rows.
    #[inline]
    fn first(&mut self, len: usize) -> Column<'_, T> {
        Column {
            values: &mut self.values[..len],
            changed: &mut self.changed[..len],
            runs: self.runs,
        }
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (values, more_values) = self.values.split_at_mut(at);
        let (changed, more_changed) = self.changed.split_at_mut(at);
        let runs = self.runs;
        let column = Self {
            values,
            changed,
            runs,
        };
        let more = Self {
            values: more_values,
            changed: more_changed,
            runs,
        };
        (column, more)
    }
}

/// What rows are borrowed from: the columns of a table as Bevy hands them out.
pub(crate) struct Shelves<'w> {
    entities: &'w [Entity],
    ids: &'w [AgentId],
    tunings: &'w [Tuning],
    chasers: Watched<'w, Chaser>,
    chasing: Watched<'w, Chasing>,
    on_maps: Option<&'w [OnMap]>,
    bodies: Option<&'w [Body]>,
    positions: Shelf<'w, CellPosition>,
    worlds: Option<Shelf<'w, WorldPosition>>,
    cursors: Shelf<'w, PathCursor>,
    timers: Shelf<'w, NavTimer>,
    beats: Shelf<'w, MoveTimer>,
}

type Shelf<'w, T> = (&'w mut [T], ContiguousComponentTicksMut<'w>);

impl<'w> From<PursuerContiguousItem<'w, '_>> for Shelves<'w> {
    fn from(table: PursuerContiguousItem<'w, '_>) -> Self {
        Self {
            entities: table.entity,
            ids: table.id,
            tunings: table.tuning,
            chasers: table.chaser.into(),
            chasing: table.chasing.into(),
            on_maps: table.on_map,
            bodies: table.body,
            positions: ContiguousMut::bypass_change_detection_split(table.position),
            worlds: table
                .world
                .map(ContiguousMut::bypass_change_detection_split),
            cursors: ContiguousMut::bypass_change_detection_split(table.cursor),
            timers: ContiguousMut::bypass_change_detection_split(table.timer),
            beats: ContiguousMut::bypass_change_detection_split(table.beat),
        }
    }
}

impl<'w, T> From<ContiguousRef<'w, T>> for Watched<'w, T> {
    fn from(column: ContiguousRef<'w, T>) -> Self {
        let runs = Runs {
            last: column.last_run_tick(),
            this: column.this_run_tick(),
        };
        let (added, changed) = (column.added_ticks_slice(), column.changed_ticks_slice());
        let (values, ticks) = ContiguousRef::split(column);
        Self {
            values,
            added,
            changed,
            runs,
            untouched: ticks.summary_tick_is_changed() == Some(false),
        }
    }
}

impl<'a, T> From<&'a mut Shelf<'_, T>> for Column<'a, T> {
    fn from((values, ticks): &'a mut Shelf<'_, T>) -> Self {
        let runs = Runs {
            last: ticks.last_run(),
            this: ticks.this_run(),
        };
        Self {
            values,
            changed: ticks.changed_mut(),
            runs,
        }
    }
}

impl Shelves<'_> {
    /// All rows of the table.
    pub(crate) fn rows(&mut self) -> Rows<'_> {
        Rows {
            entities: self.entities,
            ids: self.ids,
            tunings: self.tunings,
            chasers: self.chasers,
            chasing: self.chasing,
            on_maps: self.on_maps,
            bodies: self.bodies,
            positions: (&mut self.positions).into(),
            worlds: self.worlds.as_mut().map(Column::from),
            cursors: (&mut self.cursors).into(),
            timers: (&mut self.timers).into(),
            beats: (&mut self.beats).into(),
        }
    }
}

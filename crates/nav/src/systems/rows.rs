//! Chasers by the columns of the tables that Bevy keeps them in.

use super::{
    pursuers::{PursuerContiguousItem, PursuerItem},
    threads::CutUp,
};
use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavTimer, OnMap, PathCursor,
    WorldPosition,
};
use bevy_ecs::{
    change_detection::{ContiguousComponentTicksMut, ContiguousMut, MaybeLocation, Tick},
    prelude::*,
};
use std::panic::Location;

/// Some rows of a table.
pub(crate) struct Rows<'a> {
    pub(crate) entities: &'a [Entity],
    pub(crate) ids: &'a [AgentId],
    pub(crate) chasers: Watched<'a, Chaser>,
    pub(crate) chasing: Watched<'a, Chasing>,
    on_maps: Option<&'a [OnMap]>,
    bodies: Option<&'a [Body]>,
    pub(crate) positions: Column<'a, CellPosition>,
    pub(crate) worlds: Option<Column<'a, WorldPosition>>,
    pub(crate) cursors: Column<'a, PathCursor>,
    pub(crate) timers: Column<'a, NavTimer>,
    pub(crate) beats: Column<'a, MoveTimer>,
}

impl Rows<'_> {
    /// How many there are.
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.entities.len()
    }

    /// The map of the chaser in a row.
    #[inline]
    pub(crate) fn map(&self, row: usize) -> Option<Entity> {
        Some(self.on_maps?[row].0)
    }

    /// The body of the chaser in a row.
    #[inline]
    pub(crate) fn body(&self, row: usize) -> Option<Body> {
        Some(self.bodies?[row])
    }

    /// As [`PursuerItem::has_turned`].
    #[inline]
    pub(crate) fn has_turned(&self, row: usize) -> bool {
        self.chasing.is_news(self.chasing.changed[row])
            && !self.chasers.is_news(self.chasers.added[row])
    }

    /// All there is of the chaser in a row.
    pub(crate) fn pursuer<'a>(
        &'a mut self,
        row: usize,
        spares: &'a mut Spares,
    ) -> PursuerItem<'a, 'a> {
        let [position, world, cursor, timer, beat] = &mut spares.0;
        let worlds = self.worlds.as_mut();
        PursuerItem {
            entity: self.entities[row],
            id: &self.ids[row],
            chaser: self.chasers.one(row),
            chasing: self.chasing.one(row),
            on_map: self.on_maps.map(|on_maps| &on_maps[row]),
            body: self.bodies.map(|bodies| &bodies[row]),
            position: self.positions.one(row, position),
            world: worlds.map(|worlds| worlds.one(row, world)),
            cursor: self.cursors.one(row, cursor),
            timer: self.timers.one(row, timer),
            beat: self.beats.one(row, beat),
        }
    }
}

impl CutUp for Rows<'_> {
    fn cut(self, at: usize) -> (Self, Self) {
        let (entities, more_entities) = self.entities.split_at(at);
        let (ids, more_ids) = self.ids.split_at(at);
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
        self.len()
    }
}

/// Whom the loops of a system are told from those of the run before.
#[derive(Clone, Copy)]
struct Runs {
    last: Tick,
    this: Tick,
}

/// A column to look at.
#[derive(Clone, Copy)]
pub(crate) struct Watched<'a, T> {
    values: &'a [T],
    added: &'a [Tick],
    changed: &'a [Tick],
    runs: Runs,
}

impl<'a, T: Component> Watched<'a, T> {
    #[inline]
    pub(crate) fn at(&self, row: usize) -> &'a T {
        &self.values[row]
    }

    #[inline]
    fn is_news(&self, tick: Tick) -> bool {
        tick.is_newer_than(self.runs.last, self.runs.this)
    }

    fn one(&self, row: usize) -> Ref<'a, T> {
        let Runs { last, this } = self.runs;
        let (added, changed) = (&self.added[row], &self.changed[row]);
        Ref::new(&self.values[row], added, changed, last, this, NOBODY)
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

/// A column to write.
pub(crate) struct Column<'a, T> {
    values: &'a mut [T],
    changed: &'a mut [Tick],
    runs: Runs,
}

impl<'a, T: Component> Column<'a, T> {
    #[inline]
    pub(crate) fn at(&self, row: usize) -> &T {
        &self.values[row]
    }

    /// To be written, and so marked as changed.
    #[inline]
    pub(crate) fn change(&mut self, row: usize) -> &mut T {
        self.changed[row] = self.runs.this;
        &mut self.values[row]
    }

    fn one<'b>(&'b mut self, row: usize, Spare { added, by }: &'b mut Spare) -> Mut<'b, T> {
        let Runs { last, this } = self.runs;
        let (value, changed) = (&mut self.values[row], &mut self.changed[row]);
        Mut::new(value, added, changed, None, last, this, by.as_mut())
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

/// What a [`Mut`] points to beside a value and the tick of its change, once for each that a
/// [`PursuerItem`] has. Nobody asks these when they were added, or who changed them: Bevy lends
/// out one list of ticks at a time.
#[derive(Default)]
pub(crate) struct Spares([Spare; 5]);

struct Spare {
    added: Tick,
    by: MaybeLocation,
}

impl Default for Spare {
    fn default() -> Self {
        Self {
            added: Tick::default(),
            by: MaybeLocation::caller(),
        }
    }
}

/// Who changed a column, where nobody asks.
const NOBODY: MaybeLocation<&'static &'static Location<'static>> =
    MaybeLocation::new(const { &Location::caller() });

/// What rows are borrowed from: the columns of a table as Bevy hands them out.
pub(crate) struct Shelves<'w> {
    entities: &'w [Entity],
    ids: &'w [AgentId],
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
        Self {
            added: column.added_ticks_slice(),
            changed: column.changed_ticks_slice(),
            runs: Runs {
                last: column.last_run_tick(),
                this: column.this_run_tick(),
            },
            values: column.into_inner(),
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

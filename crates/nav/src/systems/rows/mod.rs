//! Chasers by the columns of the tables that Bevy keeps them in.

mod columns;
mod shelves;
mod walkers;

pub(crate) use shelves::Shelves;

use self::columns::{Column, Watched};
use super::{pursuers::Pursues, stretches::stretches, threads::CutUp, tunings::Tuning};
use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavTime, NavTimer, OnMap, PathCursor,
    WorldPosition,
};
use bevy_ecs::{change_detection::Tick, prelude::*};
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

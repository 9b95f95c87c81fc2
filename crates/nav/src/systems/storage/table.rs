//! Chasers by the tables in which Bevy keeps them: whole tables, and runs of rows to visit.

use super::{
    chaser::{ChaserDataContiguousItem, ChaserView, Written},
    columns::{LentColumn, ReadColumn, WriteColumn},
    threads::Split,
};
use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavTimer, OnMap, PathCursor,
    WorldPosition, components::Tuning,
};
use bevy_ecs::{change_detection::ContiguousMut, prelude::*};
use nav_grid::Cell;

/// The columns of a table as Bevy lends them out.
pub(super) struct ChaserTable<'w> {
    entities: &'w [Entity],
    ids: &'w [AgentId],
    tunings: &'w [Tuning],
    chasers: ReadColumn<'w, Chaser>,
    chasing: ReadColumn<'w, Chasing>,
    on_maps: Option<&'w [OnMap]>,
    bodies: Option<&'w [Body]>,
    positions: LentColumn<'w, CellPosition>,
    worlds: Option<LentColumn<'w, WorldPosition>>,
    cursors: LentColumn<'w, PathCursor>,
    search_timers: LentColumn<'w, NavTimer>,
    move_timers: LentColumn<'w, MoveTimer>,
}

impl<'w> From<ChaserDataContiguousItem<'w, '_>> for ChaserTable<'w> {
    fn from(table: ChaserDataContiguousItem<'w, '_>) -> Self {
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
            search_timers: ContiguousMut::bypass_change_detection_split(table.search_timer),
            move_timers: ContiguousMut::bypass_change_detection_split(table.move_timer),
        }
    }
}

impl ChaserTable<'_> {
    /// All rows.
    pub(super) fn rows(&mut self) -> ChaserRows<'_> {
        ChaserRows {
            entities: self.entities,
            ids: self.ids,
            tunings: self.tunings,
            chasers: self.chasers,
            chasing: self.chasing,
            on_maps: self.on_maps,
            bodies: self.bodies,
            positions: (&mut self.positions).into(),
            worlds: self.worlds.as_mut().map(WriteColumn::from),
            cursors: (&mut self.cursors).into(),
            search_timers: (&mut self.search_timers).into(),
            move_timers: (&mut self.move_timers).into(),
        }
    }
}

/// Some rows of a table of chasers, column by column.
pub(super) struct ChaserRows<'a> {
    entities: &'a [Entity],
    ids: &'a [AgentId],
    tunings: &'a [Tuning],
    chasers: ReadColumn<'a, Chaser>,
    chasing: ReadColumn<'a, Chasing>,
    on_maps: Option<&'a [OnMap]>,
    bodies: Option<&'a [Body]>,
    positions: WriteColumn<'a, CellPosition>,
    worlds: Option<WriteColumn<'a, WorldPosition>>,
    cursors: WriteColumn<'a, PathCursor>,
    search_timers: WriteColumn<'a, NavTimer>,
    move_timers: WriteColumn<'a, MoveTimer>,
}

impl ChaserRows<'_> {
    #[inline]
    pub(super) const fn entities(&self) -> &[Entity] {
        self.entities
    }

    #[inline]
    pub(super) const fn move_timers(&self) -> &[MoveTimer] {
        self.move_timers.values
    }

    #[inline]
    pub(super) const fn cursors(&self) -> &[PathCursor] {
        self.cursors.values
    }

    /// Row by row, whether the chaser got another target; `None` if none of the table did.
    #[inline]
    pub(super) fn retargeted(&self) -> Option<impl Iterator<Item = bool>> {
        (!self.chasing.is_unchanged)
            .then(|| (0..self.entities.len()).map(|row| self.is_retargeted(row)))
    }

    /// As [`ChaserView::is_retargeted`], without a branch.
    #[inline]
    fn is_retargeted(&self, row: usize) -> bool {
        !self.chasing.is_unchanged
            & self.chasing.is_new(self.chasing.changed[row])
            & !self.chasers.is_new(self.chasers.added[row])
    }

    /// Gives the view of the chaser in a row to a function and marks what that wrote as changed.
    ///
    /// All columns are cut to one length first, so that whether there is a row is checked once.
    #[inline]
    pub(super) fn visit(
        &mut self,
        row: usize,
        waypoint: Option<Cell>,
        visit: impl FnOnce(&mut ChaserView),
    ) {
        let is_retargeted = !self.chasing.is_unchanged && self.is_retargeted(row);
        let mut view = ChaserView {
            entity: self.entities[row],
            id: &self.ids[row],
            chaser: &self.chasers.values[row],
            tuning: &self.tunings[row],
            chasing: &self.chasing.values[row],
            on_map: self.on_maps.map(|maps| &maps[row]),
            body: self.bodies.map(|bodies| &bodies[row]),
            position: &mut self.positions.values[row],
            world: self.worlds.as_mut().map(|worlds| &mut worlds.values[row]),
            cursor: &mut self.cursors.values[row],
            search_timer: &mut self.search_timers.values[row],
            move_timer: &mut self.move_timers.values[row],
            waypoint,
            is_retargeted,
            written: Written::default(),
        };
        visit(&mut view);
        let written = view.written;
        if written.has(Written::MOVE_TIMER) {
            self.move_timers.mark(row);
        }
        if written.has(Written::POSITION) {
            self.positions.mark(row);
        }
        if written.has(Written::CURSOR) {
            self.cursors.mark(row);
        }
        if written.has(Written::SEARCH_TIMER) {
            self.search_timers.mark(row);
        }
        if written.has(Written::WORLD)
            && let Some(worlds) = &mut self.worlds
        {
            worlds.mark(row);
        }
    }
}

impl Split for ChaserRows<'_> {
    fn len(&self) -> usize {
        self.entities.len()
    }

    fn split_at(self, row: usize) -> (Self, Self) {
        let (entities, more_entities) = self.entities.split_at(row);
        let (ids, more_ids) = self.ids.split_at(row);
        let (tunings, more_tunings) = self.tunings.split_at(row);
        let (chasers, more_chasers) = self.chasers.split_at(row);
        let (chasing, more_chasing) = self.chasing.split_at(row);
        let (on_maps, more_on_maps) = self.on_maps.map(|maps| maps.split_at(row)).unzip();
        let (bodies, more_bodies) = self.bodies.map(|bodies| bodies.split_at(row)).unzip();
        let (positions, more_positions) = self.positions.split_at(row);
        let (worlds, more_worlds) = self.worlds.map(|worlds| worlds.split_at(row)).unzip();
        let (cursors, more_cursors) = self.cursors.split_at(row);
        let (search_timers, more_search_timers) = self.search_timers.split_at(row);
        let (move_timers, more_move_timers) = self.move_timers.split_at(row);
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
            search_timers,
            move_timers,
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
            search_timers: more_search_timers,
            move_timers: more_move_timers,
        };
        (rows, more)
    }
}

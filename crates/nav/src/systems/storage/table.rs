//! Chasers by the tables in which Bevy keeps them: whole tables, and runs of rows to visit.

use super::{
    chaser::{ChaseKey, ChaserView, Written},
    columns::{LentColumn, Retargeted, WriteColumn},
    data::ChaserDataContiguousItem,
    due::DueRows,
    threads::Split,
};
use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavTimer, OnMap, PathCursor,
    WorldPosition, components::Tuning,
};
use bevy_ecs::{
    change_detection::{ContiguousMut, ContiguousRef},
    prelude::*,
};

use nav_grid::Cell;

/// The columns of a table as Bevy lends them out.
pub(super) struct ChaserTable<'w> {
    entities: &'w [Entity],
    ids: &'w [AgentId],
    tunings: &'w [Tuning],
    chasers: &'w [Chaser],
    chasing: &'w [Chasing],
    retargeted: Retargeted<'w>,
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
        let chasing = ContiguousRef::split(table.chasing.clone()).0;
        let retargeted = Retargeted::new(&table.chaser, table.chasing);
        Self {
            entities: table.entity,
            ids: table.id,
            tunings: table.tuning,
            chasers: ContiguousRef::split(table.chaser).0,
            chasing,
            retargeted,
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
            retargeted: self.retargeted,
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
    pub(super) entities: &'a [Entity],
    pub(super) ids: &'a [AgentId],
    pub(super) tunings: &'a [Tuning],
    pub(super) chasers: &'a [Chaser],
    pub(super) chasing: &'a [Chasing],
    pub(super) retargeted: Retargeted<'a>,
    pub(super) on_maps: Option<&'a [OnMap]>,
    pub(super) bodies: Option<&'a [Body]>,
    pub(super) positions: WriteColumn<'a, CellPosition>,
    pub(super) worlds: Option<WriteColumn<'a, WorldPosition>>,
    pub(super) cursors: WriteColumn<'a, PathCursor>,
    pub(super) search_timers: WriteColumn<'a, NavTimer>,
    pub(super) move_timers: WriteColumn<'a, MoveTimer>,
}

impl ChaserRows<'_> {
    /// Row by row, whether the chaser got another target; `None` if none of the table did.
    #[inline]
    pub(super) fn retargeted(&self) -> Option<impl Iterator<Item = bool>> {
        let retargeted = self.retargeted;
        (!retargeted.is_none())
            .then(|| (0..self.entities.len()).map(move |row| retargeted.has(row)))
    }

    /// Keeps those of listed rows whose chaser got another target, or for whose key something holds.
    #[inline]
    pub(super) fn retain(&self, list: &mut DueRows, mut holds: impl FnMut(ChaseKey) -> bool) {
        let Some(on_maps) = self.on_maps else {
            return;
        };
        let rows = self.entities.len();
        let (tunings, chasing, on_maps) = (
            &self.tunings[..rows],
            &self.chasing[..rows],
            &on_maps[..rows],
        );
        list.retain(|row| {
            if row >= rows {
                return false;
            }
            let key = ChaseKey {
                tuning: tunings[row],
                target: chasing[row].0,
                map: on_maps[row].0,
            };
            holds(key) || self.retargeted.has(row)
        });
    }

    /// Visits the chasers in listed rows, list by list, and marks what was written as changed. With
    /// a list come the waypoints that were read ahead for it, or none.
    ///
    /// All columns are local and of one length here, so that whether there is a row is checked once
    /// for all of them.
    #[inline]
    pub(super) fn visit_listed(
        &mut self,
        lists: [(&DueRows, &[Option<Cell>]); 3],
        mut visit: impl FnMut(ChaserView),
    ) {
        let rows = self.entities.len();
        let (entities, ids, tunings) = (self.entities, &self.ids[..rows], &self.tunings[..rows]);
        let (chasers, chasing) = (&self.chasers[..rows], &self.chasing[..rows]);
        let (on_maps, bodies) = (
            self.on_maps.map(|maps| &maps[..rows]),
            self.bodies.map(|bodies| &bodies[..rows]),
        );
        let (positions, positions_changed, now) = self.positions.first(rows);
        let (cursors, cursors_changed, _) = self.cursors.first(rows);
        let (search_timers, search_timers_changed, _) = self.search_timers.first(rows);
        let (move_timers, move_timers_changed, _) = self.move_timers.first(rows);
        let mut worlds = self.worlds.as_mut().map(|worlds| worlds.first(rows));
        let retargeted = self.retargeted;
        for (list, waypoints) in lists {
            for (at, row) in list.iter().enumerate() {
                if row >= rows {
                    break;
                }
                let mut written = Written::default();
                visit(ChaserView {
                    entity: &entities[row],
                    id: &ids[row],
                    chaser: &chasers[row],
                    tuning: &tunings[row],
                    chasing: &chasing[row],
                    on_map: on_maps.map(|maps| &maps[row]),
                    body: bodies.map(|bodies| &bodies[row]),
                    position: &mut positions[row],
                    world: worlds.as_mut().map(|(worlds, ..)| &mut worlds[row]),
                    cursor: &mut cursors[row],
                    search_timer: &mut search_timers[row],
                    move_timer: &mut move_timers[row],
                    written: &mut written,
                    is_retargeted: retargeted.has(row),
                    waypoint: waypoints.get(at).copied().flatten(),
                });
                if written.has(Written::MOVE_TIMER) {
                    move_timers_changed[row] = now;
                }
                if written.has(Written::POSITION) {
                    positions_changed[row] = now;
                }
                if written.has(Written::CURSOR) {
                    cursors_changed[row] = now;
                }
                if written.has(Written::SEARCH_TIMER) {
                    search_timers_changed[row] = now;
                }
                if written.has(Written::WORLD)
                    && let Some((_, changed, _)) = &mut worlds
                {
                    changed[row] = now;
                }
            }
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
        let (retargeted, more_retargeted) = self.retargeted.split_at(row);
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
            retargeted,
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
            retargeted: more_retargeted,
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

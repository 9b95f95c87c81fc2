//! Chasers by the tables in which Bevy keeps them: whole tables, and runs of rows to visit.

use super::{
    chaser::{ChaseKey, ChaserDataContiguousItem, ChaserDataItem, ChaserView, Tracked},
    due::DueRows,
    threads::Split,
};
use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavTimer, OnMap, PathCursor,
    WorldPosition, components::Tuning,
};
use bevy_ecs::{
    change_detection::{ContiguousComponentTicksMut, ContiguousMut, ContiguousRef, Tick},
    component::Mutable,
    prelude::*,
};

use nav_grid::Cell;
use std::slice::{from_mut, from_ref};

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
        lists: &[(&[u16], &[Option<Cell>])],
        mut visit: impl FnMut(ChaserView),
    ) {
        let rows = self.entities.len();
        let (entities, ids, tunings) = (self.entities, &self.ids[..rows], &self.tunings[..rows]);
        let (chasers, chasing) = (&self.chasers[..rows], &self.chasing[..rows]);
        let (on_maps, bodies) = (
            self.on_maps.map(|maps| &maps[..rows]),
            self.bodies.map(|bodies| &bodies[..rows]),
        );
        let mut worlds = self.worlds.as_mut().map(|worlds| worlds.first(rows));
        let mut positions = self.positions.first(rows);
        let mut cursors = self.cursors.first(rows);
        let mut search_timers = self.search_timers.first(rows);
        let mut move_timers = self.move_timers.first(rows);
        let retargeted = self.retargeted;
        for (list, waypoints) in lists {
            for (at, &row) in list.iter().enumerate() {
                let row = usize::from(row);
                if row >= rows {
                    break;
                }
                let mut written = [false; 5];
                let [position, world, cursor, search_timer, move_timer] = &mut written;
                visit(ChaserView {
                    entity: &entities[row],
                    id: &ids[row],
                    chaser: &chasers[row],
                    tuning: &tunings[row],
                    chasing: &chasing[row],
                    on_map: on_maps.map(|maps| &maps[row]),
                    body: bodies.map(|bodies| &bodies[row]),
                    position: positions.track(row, position),
                    world: worlds.as_mut().map(|worlds| worlds.track(row, world)),
                    cursor: cursors.track(row, cursor),
                    search_timer: search_timers.track(row, search_timer),
                    move_timer: move_timers.track(row, move_timer),
                    is_retargeted: retargeted.has(row),
                    waypoint: waypoints.get(at).copied().flatten(),
                });
                let [position, world, cursor, search_timer, move_timer] = written;
                move_timers.mark(row, move_timer);
                positions.mark(row, position);
                cursors.mark(row, cursor);
                search_timers.mark(row, search_timer);
                if let Some(worlds) = &mut worlds {
                    worlds.mark(row, world);
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

impl ChaserDataItem<'_, '_> {
    /// Gives the chaser's view to a function, and marks what that wrote as changed.
    pub(crate) fn visit(&mut self, visit: impl FnMut(ChaserView)) {
        self.with_row(|rows| rows.visit_listed(&[(&[0], &[])], visit));
    }

    /// Gives the chaser as the only row of a table to a function, and marks what that wrote as
    /// changed.
    pub(super) fn with_row(&mut self, visit: impl FnOnce(&mut ChaserRows)) {
        const NOW: Tick = Tick::new(1);
        let mut changed = [Tick::new(0); 5];
        let [position, world, cursor, search_timer, move_timer] = &mut changed;
        let retargeted = if self.is_retargeted() {
            Retargeted::All
        } else {
            Retargeted::None
        };
        visit(&mut ChaserRows {
            entities: from_ref(&self.entity),
            ids: from_ref(self.id),
            tunings: from_ref(self.tuning),
            chasers: from_ref(&*self.chaser),
            chasing: from_ref(&*self.chasing),
            retargeted,
            on_maps: self.on_map.map(from_ref),
            bodies: self.body.map(from_ref),
            positions: WriteColumn::one(&mut self.position, position, NOW),
            worlds: (self.world.as_mut()).map(|of| WriteColumn::one(of, world, NOW)),
            cursors: WriteColumn::one(&mut self.cursor, cursor, NOW),
            search_timers: WriteColumn::one(&mut self.search_timer, search_timer, NOW),
            move_timers: WriteColumn::one(&mut self.move_timer, move_timer, NOW),
        });
        let [position, world, cursor, search_timer, move_timer] = changed.map(|tick| tick == NOW);
        mark(&mut self.position, position);
        if let Some(of) = &mut self.world {
            mark(of, world);
        }
        mark(&mut self.cursor, cursor);
        mark(&mut self.search_timer, search_timer);
        mark(&mut self.move_timer, move_timer);
    }
}

fn mark<T>(component: &mut Mut<T>, written: bool) {
    if written {
        component.set_changed();
    }
}

/// A column to write, with the ticks at which its components changed.
pub(super) struct WriteColumn<'a, T> {
    pub(super) values: &'a mut [T],
    changed: &'a mut [Tick],
    now: Tick,
}

impl<'a, T: Component<Mutability = Mutable>> WriteColumn<'a, T> {
    /// One component as a column. Whether it is written shows in the tick, which then is `now`.
    pub(super) fn one(value: &'a mut Mut<T>, changed: &'a mut Tick, now: Tick) -> Self {
        Self {
            values: from_mut(value.bypass_change_detection()),
            changed: from_mut(changed),
            now,
        }
    }
}

impl<T> WriteColumn<'_, T> {
    pub(super) fn split_at(self, row: usize) -> (Self, Self) {
        let (values, more_values) = self.values.split_at_mut(row);
        let (changed, more_changed) = self.changed.split_at_mut(row);
        let now = self.now;
        let column = Self {
            values,
            changed,
            now,
        };
        let more = Self {
            values: more_values,
            changed: more_changed,
            now,
        };
        (column, more)
    }
}

impl<T: Component> WriteColumn<'_, T> {
    /// The first rows.
    #[inline]
    pub(super) fn first(&mut self, rows: usize) -> WriteColumn<'_, T> {
        const { assert!(!T::HAS_SUMMARY_TICK, "the summary tick is not set here") };
        WriteColumn {
            values: &mut self.values[..rows],
            changed: &mut self.changed[..rows],
            now: self.now,
        }
    }

    #[inline]
    pub(super) fn track<'a>(&'a mut self, row: usize, written: &'a mut bool) -> Tracked<'a, T> {
        let value = &mut self.values[row];
        Tracked { value, written }
    }

    /// Marks a component as changed if it was written.
    #[inline]
    pub(super) fn mark(&mut self, row: usize, written: bool) {
        if written {
            self.changed[row] = self.now;
        }
    }
}

/// A column to write as Bevy lends it out.
type LentColumn<'w, T> = (&'w mut [T], ContiguousComponentTicksMut<'w>);

impl<'a, T> From<&'a mut LentColumn<'_, T>> for WriteColumn<'a, T> {
    fn from((values, ticks): &'a mut LentColumn<'_, T>) -> Self {
        let now = ticks.this_run();
        Self {
            values,
            changed: ticks.changed_mut(),
            now,
        }
    }
}

/// Which chasers got another target since the system last ran.
#[derive(Clone, Copy)]
pub(super) enum Retargeted<'a> {
    None,
    All,
    /// Those whose target was set since, unless they were spawned since, too.
    Since {
        set: &'a [Tick],
        spawned: &'a [Tick],
        last: Tick,
        now: Tick,
    },
}

impl<'a> Retargeted<'a> {
    /// Of the columns of targets and of chasers.
    pub(super) fn new<C, T>(chasers: &ContiguousRef<'a, C>, targets: ContiguousRef<'a, T>) -> Self {
        let (last, now) = (targets.last_run_tick(), targets.this_run_tick());
        let set = targets.changed_ticks_slice();
        match ContiguousRef::split(targets).1.summary_tick_is_changed() {
            Some(false) => Self::None,
            _ => Self::Since {
                set,
                spawned: chasers.added_ticks_slice(),
                last,
                now,
            },
        }
    }

    pub(super) const fn is_none(self) -> bool {
        matches!(self, Self::None)
    }

    #[inline]
    pub(super) fn has(self, row: usize) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Since {
                set,
                spawned,
                last,
                now,
            } => set[row].is_newer_than(last, now) & !spawned[row].is_newer_than(last, now),
        }
    }

    pub(super) fn split_at(self, row: usize) -> (Self, Self) {
        let Self::Since {
            set,
            spawned,
            last,
            now,
        } = self
        else {
            return (self, self);
        };
        let (set, more_set) = set.split_at(row);
        let (spawned, more_spawned) = spawned.split_at(row);
        let since = |set, spawned| Self::Since {
            set,
            spawned,
            last,
            now,
        };
        (since(set, spawned), since(more_set, more_spawned))
    }
}

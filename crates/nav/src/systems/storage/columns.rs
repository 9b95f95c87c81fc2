//! Chasers as the systems see them: a view of one, and the columns of the tables in which Bevy
//! keeps them.

use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, Crowding, MoveTimer, NavTimer, OnMap, PathCursor,
    WorldPosition,
    components::{Chase, Event, Tuning},
};
use bevy_ecs::{
    change_detection::{ContiguousComponentTicksMut, ContiguousMut, Tick},
    prelude::*,
    query::QueryData,
};
use nav_grid::Cell;
use std::{
    ops::{Deref, DerefMut},
    slice::{from_mut, from_ref},
};

/// A component that is marked as changed when it is written.
pub(crate) struct Tracked<'a, T> {
    value: &'a mut T,
    changed: &'a mut Tick,
    now: Tick,
}

impl<T> Tracked<'_, T> {
    #[inline]
    fn reborrow(&mut self) -> Tracked<'_, T> {
        Tracked {
            value: self.value,
            changed: self.changed,
            now: self.now,
        }
    }
}

impl<T> Deref for Tracked<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> DerefMut for Tracked<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        *self.changed = self.now;
        self.value
    }
}

/// A column to write, with the ticks at which its components changed.
pub(super) struct RowColumn<'a, T> {
    pub(super) values: &'a mut [T],
    changed: &'a mut [Tick],
    now: Tick,
}

impl<'a, T: Component> RowColumn<'a, T> {
    /// The column of a table as Bevy lends it.
    fn of((values, ticks): &'a mut (&mut [T], ContiguousComponentTicksMut)) -> Self {
        const { assert!(!T::HAS_SUMMARY_TICK, "the summary tick is not set here") };
        let now = ticks.this_run();
        Self {
            values,
            changed: ticks.changed_mut(),
            now,
        }
    }

    /// A column of one component, which sets a tick to [`WRITTEN`] when it is written.
    fn of_one(value: &'a mut Mut<T>, changed: &'a mut Tick) -> Self {
        Self {
            values: from_mut(value.bypass_change_detection()),
            changed: from_mut(changed),
            now: WRITTEN,
        }
    }

    fn split_at(self, row: usize) -> (Self, Self) {
        let (values, more_values) = self.values.split_at_mut(row);
        let (changed, more_changed) = self.changed.split_at_mut(row);
        let column = |values, changed| Self {
            values,
            changed,
            now: self.now,
        };
        (column(values, changed), column(more_values, more_changed))
    }

    /// The first rows: columns of one known length need one check for a row of all of them.
    #[inline]
    fn first(&mut self, rows: usize) -> RowColumn<'_, T> {
        RowColumn {
            values: &mut self.values[..rows],
            changed: &mut self.changed[..rows],
            now: self.now,
        }
    }

    #[inline]
    fn at(&mut self, row: usize) -> Tracked<'_, T> {
        Tracked {
            value: &mut self.values[row],
            changed: &mut self.changed[row],
            now: self.now,
        }
    }
}

/// The tick of a component that was written, where others have the default.
const WRITTEN: Tick = Tick::new(1);

/// Declares the components of a chaser once. Each becomes a field of the query, of the view of one
/// chaser, and of the columns of a table.
// Decision 15: docs/decisions/0015-one-view-of-a-chaser.md
macro_rules! columns {
    (
        read { $($read:ident: $Read:ty,)* }
        read_if_any { $($maybe:ident: $Maybe:ty,)* }
        write { $($write:ident: $Write:ty,)* }
        write_if_any { $($some:ident: $Some:ty,)* }
    ) => {
        /// The components that systems query of a chaser.
        #[derive(QueryData)]
        #[query_data(mutable, contiguous(mutable))]
        pub(crate) struct ChaserData {
            pub(crate) entity: Entity,
            $(pub(crate) $read: &'static $Read,)*
            $(pub(crate) $maybe: Option<&'static $Maybe>,)*
            $(pub(crate) $write: &'static mut $Write,)*
            $(pub(crate) $some: Option<&'static mut $Some>,)*
        }

        /// One chaser: references to its components.
        ///
        /// Components that are written are marked as changed. The compiler takes a view apart if no
        /// reference to it is kept, so functions on the way of every chaser are inlined, and others
        /// get a [reborrow](Self::reborrow) or parts of it.
        pub(crate) struct ChaserView<'a> {
            pub(crate) entity: &'a Entity,
            $(pub(crate) $read: &'a $Read,)*
            $(pub(crate) $maybe: Option<&'a $Maybe>,)*
            $(pub(crate) $write: Tracked<'a, $Write>,)*
            $(pub(crate) $some: Option<Tracked<'a, $Some>>,)*
        }

        impl ChaserView<'_> {
            /// The same chaser, lent to a function that is not inlined.
            #[inline]
            pub(crate) fn reborrow(&mut self) -> ChaserView<'_> {
                ChaserView {
                    $($write: self.$write.reborrow(),)*
                    $($some: self.$some.as_mut().map(Tracked::reborrow),)*
                    ..*self
                }
            }
        }

        /// Some rows of a table of chasers, column by column.
        pub(super) struct ChaserRows<'a> {
            pub(super) entities: &'a [Entity],
            $(pub(super) $read: &'a [$Read],)*
            $(pub(super) $maybe: Option<&'a [$Maybe]>,)*
            $(pub(super) $write: RowColumn<'a, $Write>,)*
            $(pub(super) $some: Option<RowColumn<'a, $Some>>,)*
        }

        impl ChaserRows<'_> {
            /// Visits the chasers in listed rows.
            #[inline]
            pub(super) fn visit(&mut self, list: &[u16], mut visit: impl FnMut(ChaserView)) {
                // All columns are local and of one length: one check for a row serves all of them.
                let rows = self.entities.len();
                let entities = self.entities;
                $(let $read = &self.$read[..rows];)*
                $(let $maybe = self.$maybe.map(|column| &column[..rows]);)*
                $(let mut $write = self.$write.first(rows);)*
                $(let mut $some = self.$some.as_mut().map(|column| column.first(rows));)*
                for &row in list {
                    let row = usize::from(row);
                    if row >= rows {
                        break;
                    }
                    visit(ChaserView {
                        entity: &entities[row],
                        $($read: &$read[row],)*
                        $($maybe: $maybe.map(|column| &column[row]),)*
                        $($write: $write.at(row),)*
                        $($some: $some.as_mut().map(|column| column.at(row)),)*
                    });
                }
            }

            fn split_at(self, row: usize) -> (Self, Self) {
                let entities = self.entities.split_at(row);
                $(let $read = self.$read.split_at(row);)*
                $(let $maybe = self.$maybe.map(|column| column.split_at(row)).unzip();)*
                $(let $write = self.$write.split_at(row);)*
                $(let $some = self.$some.map(|column| column.split_at(row)).unzip();)*
                let rows = Self {
                    entities: entities.0,
                    $($read: $read.0,)*
                    $($maybe: $maybe.0,)*
                    $($write: $write.0,)*
                    $($some: $some.0,)*
                };
                let more = Self {
                    entities: entities.1,
                    $($read: $read.1,)*
                    $($maybe: $maybe.1,)*
                    $($write: $write.1,)*
                    $($some: $some.1,)*
                };
                (rows, more)
            }
        }

        impl ChaserDataContiguousItem<'_, '_> {
            /// Passes the rows of a table to a function.
            pub(super) fn with_rows(self, visit: impl FnOnce(ChaserRows)) {
                $(let mut $write = ContiguousMut::bypass_change_detection_split(self.$write);)*
                $(let mut $some = self.$some.map(ContiguousMut::bypass_change_detection_split);)*
                visit(ChaserRows {
                    entities: self.entity,
                    $($read: self.$read,)*
                    $($maybe: self.$maybe,)*
                    $($write: RowColumn::of(&mut $write),)*
                    $($some: $some.as_mut().map(RowColumn::of),)*
                });
            }
        }

        impl ChaserDataItem<'_, '_> {
            /// Passes the chaser's view to a function.
            pub(crate) fn visit(&mut self, visit: impl FnMut(ChaserView)) {
                self.with_rows(|mut rows| rows.visit(&[0], visit));
            }

            /// Passes the chaser as a table of one row to a function.
            pub(super) fn with_rows(&mut self, visit: impl FnOnce(ChaserRows)) {
                $(let mut $write = Tick::default();)*
                $(let mut $some = Tick::default();)*
                visit(ChaserRows {
                    entities: from_ref(&self.entity),
                    $($read: from_ref(self.$read),)*
                    $($maybe: self.$maybe.map(from_ref),)*
                    $($write: RowColumn::of_one(&mut self.$write, &mut $write),)*
                    $($some: self.$some.as_mut().map(|of| RowColumn::of_one(of, &mut $some)),)*
                });
                $(if $write == WRITTEN {
                    self.$write.set_changed();
                })*
                $(if $some == WRITTEN && let Some(of) = &mut self.$some {
                    of.set_changed();
                })*
            }
        }
    };
}

impl ChaserRows<'_> {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.entities.len()
    }

    /// One piece after the other, of a length or at the end less.
    pub(super) fn pieces(self, length: usize) -> impl Iterator<Item = Self> + Send {
        let mut rest = Some(self);
        std::iter::from_fn(move || {
            let whole = rest.take()?;
            if whole.len() <= length {
                return Some(whole);
            }
            let (piece, more) = whole.split_at(length);
            rest = Some(more);
            Some(piece)
        })
    }
}

columns! {
    read {
        id: AgentId,
        // The widest column: read only where `Tuning` is not enough.
        chaser: Chaser,
        tuning: Tuning,
        chasing: Chasing,
    }
    read_if_any {
        on_map: OnMap,
        body: Body,
    }
    write {
        position: CellPosition,
        cursor: PathCursor,
        search_timer: NavTimer,
        move_timer: MoveTimer,
    }
    write_if_any {
        world: WorldPosition,
        crowding: Crowding,
    }
}

/// The key of a view of a target: the tuning of its chasers, the target, and the map.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct ChaseKey {
    pub(crate) tuning: Tuning,
    pub(crate) target: Entity,
    /// The map of the chaser.
    pub(crate) map: Entity,
}

impl ChaseKey {
    #[inline]
    pub(crate) fn new(tuning: &Tuning, chasing: &Chasing, on_map: &OnMap) -> Self {
        Self {
            tuning: *tuning,
            target: chasing.0,
            map: on_map.0,
        }
    }
}

impl ChaserView<'_> {
    /// The key of its target's view; `None` if it is on no map.
    #[inline]
    pub(crate) fn key(&self) -> Option<ChaseKey> {
        Some(ChaseKey::new(self.tuning, self.chasing, self.on_map?))
    }

    #[inline]
    pub(crate) fn cell(&self) -> Cell {
        self.position.cell
    }

    /// How bodies hinder it; a ghost is hindered by none.
    #[inline]
    pub(crate) fn crowding(&self) -> Crowding {
        self.crowding.as_deref().copied().unwrap_or_default()
    }

    /// Carries out an event of its chase. Returns whether the target came within reach by it.
    #[inline(always)]
    pub(crate) fn apply(&mut self, event: Event) -> bool {
        Chase::of(self.cursor.reborrow(), self.search_timer.reborrow()).apply(event)
    }

    /// Records that it took no step at its move tick. A body may be asked to make room.
    #[inline]
    pub(crate) fn set_stands(&mut self) {
        self.apply(Event::Stood);
        if let Some(crowding) = self.crowding.as_mut().filter(|crowding| !crowding.stands) {
            crowding.stands = true;
        }
    }

    /// Records that a body found no cell at its move tick.
    #[inline]
    pub(crate) fn note_wait(&mut self) {
        if let Some(crowding) = &mut self.crowding
            && !self.cursor.is_reached()
        {
            crowding.waits = crowding.waits.saturating_add(1).min(Crowding::WAITS_MAX);
        }
        self.set_stands();
    }
}

//! One chaser as the systems see it: [`ChaserView`], of a row of a table or of a query's item.

use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavTimer, OnMap, PathCursor,
    WorldPosition, components::Tuning,
};
use bevy_ecs::{prelude::*, query::QueryData};
use nav_grid::Cell;
use std::ops::{Deref, DerefMut};

/// What the systems query of a chaser.
#[derive(QueryData)]
#[query_data(mutable, contiguous(mutable))]
pub(crate) struct ChaserData {
    pub(crate) entity: Entity,
    pub(crate) id: &'static AgentId,
    pub(crate) chaser: Ref<'static, Chaser>,
    pub(crate) tuning: &'static Tuning,
    pub(crate) chasing: Ref<'static, Chasing>,
    pub(crate) on_map: Option<&'static OnMap>,
    pub(crate) body: Option<&'static Body>,
    pub(crate) position: &'static mut CellPosition,
    pub(crate) world: Option<&'static mut WorldPosition>,
    pub(crate) cursor: &'static mut PathCursor,
    pub(crate) search_timer: &'static mut NavTimer,
    pub(crate) move_timer: &'static mut MoveTimer,
}

/// One chaser: references to its components.
///
/// Made only for chasers that are due; what was written is marked as changed afterwards. A view
/// that nothing keeps a reference to costs nothing, since the compiler takes it apart: functions on
/// the way of every chaser are inlined, and others get a [reborrow](Self::reborrow) or parts of it.
pub(crate) struct ChaserView<'a> {
    pub(crate) entity: &'a Entity,
    pub(crate) id: &'a AgentId,
    /// Its tuning as the game set it. The widest column: read only where [`Tuning`] is not enough.
    pub(crate) chaser: &'a Chaser,
    pub(crate) tuning: &'a Tuning,
    pub(crate) chasing: &'a Chasing,
    pub(crate) on_map: Option<&'a OnMap>,
    pub(crate) body: Option<&'a Body>,
    pub(crate) position: Tracked<'a, CellPosition>,
    pub(crate) world: Option<Tracked<'a, WorldPosition>>,
    pub(crate) cursor: Tracked<'a, PathCursor>,
    pub(crate) search_timer: Tracked<'a, NavTimer>,
    pub(crate) move_timer: Tracked<'a, MoveTimer>,
    /// Whether it got another target: see [`ChaserDataItem::is_retargeted`].
    pub(crate) is_retargeted: bool,
    /// The next waypoint of its path, if that was read ahead for many chasers at once.
    pub(super) waypoint: Option<Cell>,
}

/// A component, and a note of whether it was written.
pub(crate) struct Tracked<'a, T> {
    pub(super) value: &'a mut T,
    pub(super) written: &'a mut bool,
}

/// Who chases whom on which map: what the target's view is looked up by.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct ChaseKey {
    pub(crate) tuning: Tuning,
    pub(crate) target: Entity,
    /// The map of the chaser.
    pub(crate) map: Entity,
}

impl ChaserView<'_> {
    /// The same chaser, lent to a function that is not inlined.
    #[inline]
    pub(crate) fn reborrow(&mut self) -> ChaserView<'_> {
        ChaserView {
            position: self.position.reborrow(),
            world: self.world.as_mut().map(Tracked::reborrow),
            cursor: self.cursor.reborrow(),
            search_timer: self.search_timer.reborrow(),
            move_timer: self.move_timer.reborrow(),
            ..*self
        }
    }

    /// Notes that it is within reach of its target, and did not step at its move tick.
    #[inline]
    pub(crate) fn come_to_rest(&mut self) {
        // Looked at first: writing marks the component as changed.
        if !self.cursor.is_at_rest() {
            self.cursor.come_to_rest();
        }
    }

    /// Notes that a body found no cell at its move tick.
    #[inline]
    pub(crate) fn note_wait(&mut self) {
        let timer = &mut self.search_timer;
        if !self.cursor.is_reached() {
            let waits = timer.waits().saturating_add(1);
            timer.set_waits(waits);
        }
        timer.set_stands(true);
    }

    #[inline]
    pub(crate) fn cell(&self) -> Cell {
        self.position.cell
    }

    /// Whom it chases and where; `None` if it is on no map.
    #[inline]
    pub(crate) fn chase(&self) -> Option<ChaseKey> {
        Some(ChaseKey {
            tuning: *self.tuning,
            target: self.chasing.0,
            map: self.on_map?.0,
        })
    }

    /// The next waypoint of a path that it follows.
    #[inline]
    pub(crate) fn waypoint(&self) -> Option<Cell> {
        self.waypoint.or_else(|| self.cursor.waypoint())
    }
}

impl<T> Tracked<'_, T> {
    #[inline]
    fn reborrow(&mut self) -> Tracked<'_, T> {
        Tracked {
            value: self.value,
            written: self.written,
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
        *self.written = true;
        self.value
    }
}

impl ChaserDataItem<'_, '_> {
    /// Whether the chaser got another target since the system last ran. One that was spawned
    /// together with its [`Chasing`] did not: it is new and has no path yet, or it was loaded, and
    /// its path is the one that it was saved with.
    pub(super) fn is_retargeted(&self) -> bool {
        self.chasing.is_changed() && !self.chaser.is_added()
    }
}

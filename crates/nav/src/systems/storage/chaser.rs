//! One chaser as the systems see it: [`ChaserView`], of a row of a table or of a query's item.

use super::data::ChaserDataItem;
use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavTimer, OnMap, PathCursor,
    WorldPosition, components::Tuning,
};
use bevy_ecs::prelude::*;
use nav_grid::Cell;

/// One chaser: references to its components, and a note of which were written.
///
/// Made only for chasers that are due; whoever made it marks what was written as changed. A view
/// that nothing keeps a reference to costs nothing, since the compiler takes it apart: functions on
/// the way of every chaser are inlined, and others get a [reborrow](Self::reborrow) or parts of it.
pub(crate) struct ChaserView<'a> {
    pub(super) entity: &'a Entity,
    pub(super) id: &'a AgentId,
    pub(super) chaser: &'a Chaser,
    pub(super) tuning: &'a Tuning,
    pub(super) chasing: &'a Chasing,
    pub(super) on_map: Option<&'a OnMap>,
    pub(super) body: Option<&'a Body>,
    pub(super) position: &'a mut CellPosition,
    pub(super) world: Option<&'a mut WorldPosition>,
    pub(super) cursor: &'a mut PathCursor,
    pub(super) search_timer: &'a mut NavTimer,
    pub(super) move_timer: &'a mut MoveTimer,
    pub(super) written: &'a mut Written,
    pub(super) is_retargeted: bool,
    /// The next waypoint of its path, if that was read ahead for many chasers at once.
    pub(super) waypoint: Option<Cell>,
}

/// Which components of a chaser were written, a bit each.
#[derive(Clone, Copy, Default)]
pub(super) struct Written(u8);

impl Written {
    pub(super) const POSITION: u8 = 1;
    pub(super) const WORLD: u8 = 1 << 1;
    pub(super) const CURSOR: u8 = 1 << 2;
    pub(super) const SEARCH_TIMER: u8 = 1 << 3;
    pub(super) const MOVE_TIMER: u8 = 1 << 4;

    #[inline]
    pub(super) const fn has(self, component: u8) -> bool {
        self.0 & component != 0
    }
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
            position: self.position,
            world: self.world.as_deref_mut(),
            cursor: self.cursor,
            search_timer: self.search_timer,
            move_timer: self.move_timer,
            written: self.written,
            ..*self
        }
    }

    #[inline]
    pub(crate) const fn entity(&self) -> Entity {
        *self.entity
    }

    #[inline]
    pub(crate) const fn id(&self) -> AgentId {
        *self.id
    }

    /// Its tuning as the game set it. The widest column: read only where [`Tuning`] is not enough.
    #[inline]
    pub(crate) const fn chaser(&self) -> &Chaser {
        self.chaser
    }

    #[inline]
    pub(crate) const fn target(&self) -> Entity {
        self.chasing.0
    }

    #[inline]
    pub(crate) fn map(&self) -> Option<Entity> {
        Some(self.on_map?.0)
    }

    #[inline]
    pub(crate) fn body(&self) -> Option<Body> {
        self.body.copied()
    }

    #[inline]
    pub(crate) const fn cell(&self) -> Cell {
        self.position.cell
    }

    #[inline]
    pub(crate) const fn cursor(&self) -> &PathCursor {
        self.cursor
    }

    #[inline]
    pub(crate) const fn search_timer(&self) -> &NavTimer {
        self.search_timer
    }

    #[inline]
    pub(crate) const fn move_timer(&self) -> &MoveTimer {
        self.move_timer
    }

    /// Whom it chases and where; `None` if it is on no map.
    #[inline]
    pub(crate) fn chase(&self) -> Option<ChaseKey> {
        Some(ChaseKey {
            tuning: *self.tuning,
            target: self.target(),
            map: self.map()?,
        })
    }

    /// Whether it got another target: see [`ChaserDataItem::is_retargeted`].
    #[inline]
    pub(crate) const fn is_retargeted(&self) -> bool {
        self.is_retargeted
    }

    /// The next waypoint of a path that it follows.
    #[inline]
    pub(crate) fn waypoint(&self) -> Option<Cell> {
        self.waypoint.or_else(|| self.cursor.waypoint())
    }

    #[inline]
    pub(crate) const fn position_mut(&mut self) -> &mut CellPosition {
        self.written.0 |= Written::POSITION;
        self.position
    }

    #[inline]
    pub(crate) fn world_mut(&mut self) -> Option<&mut WorldPosition> {
        self.written.0 |= Written::WORLD;
        self.world.as_deref_mut()
    }

    #[inline]
    pub(crate) const fn cursor_mut(&mut self) -> &mut PathCursor {
        self.written.0 |= Written::CURSOR;
        self.cursor
    }

    #[inline]
    pub(crate) const fn search_timer_mut(&mut self) -> &mut NavTimer {
        self.written.0 |= Written::SEARCH_TIMER;
        self.search_timer
    }

    #[inline]
    pub(crate) const fn move_timer_mut(&mut self) -> &mut MoveTimer {
        self.written.0 |= Written::MOVE_TIMER;
        self.move_timer
    }
}

impl ChaserDataItem<'_, '_> {
    /// Gives the chaser's view to a function, and marks what that wrote as changed.
    pub(crate) fn visit<R>(&mut self, visit: impl FnOnce(ChaserView) -> R) -> R {
        let mut written = Written::default();
        let is_retargeted = self.is_retargeted();
        let result = visit(ChaserView {
            entity: &self.entity,
            id: self.id,
            chaser: &self.chaser,
            tuning: self.tuning,
            chasing: &self.chasing,
            on_map: self.on_map,
            body: self.body,
            position: self.position.bypass_change_detection(),
            world: self
                .world
                .as_mut()
                .map(DetectChangesMut::bypass_change_detection),
            cursor: self.cursor.bypass_change_detection(),
            search_timer: self.search_timer.bypass_change_detection(),
            move_timer: self.move_timer.bypass_change_detection(),
            written: &mut written,
            is_retargeted,
            waypoint: None,
        });
        if written.has(Written::POSITION) {
            self.position.set_changed();
        }
        if written.has(Written::WORLD)
            && let Some(world) = &mut self.world
        {
            world.set_changed();
        }
        if written.has(Written::CURSOR) {
            self.cursor.set_changed();
        }
        if written.has(Written::SEARCH_TIMER) {
            self.search_timer.set_changed();
        }
        if written.has(Written::MOVE_TIMER) {
            self.move_timer.set_changed();
        }
        result
    }
}

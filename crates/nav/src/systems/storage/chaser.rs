//! One chaser as the systems see it: [`ChaserView`], borrowed from a query or from table columns.

use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavTimer, OnMap, PathCursor,
    WorldPosition, components::Tuning,
};
use bevy_ecs::{prelude::*, query::QueryData};
use nav_grid::Cell;

/// What the systems read and write of a chaser.
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

/// One chaser: references to its components, and which of them were written.
///
/// Made only for chasers that are due. Whoever made it marks the written components as changed
/// afterwards, in the table or in the query.
pub(crate) struct ChaserView<'a> {
    pub(super) entity: Entity,
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
    /// The next waypoint of its path, if that was read ahead for many chasers at once.
    pub(super) waypoint: Option<Cell>,
    pub(super) is_retargeted: bool,
    pub(super) written: Written,
}

/// Components of a chaser that were written, a bit each.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Written(u8);

impl Written {
    pub(super) const POSITION: Self = Self(1);
    pub(super) const WORLD: Self = Self(1 << 1);
    pub(super) const CURSOR: Self = Self(1 << 2);
    pub(super) const SEARCH_TIMER: Self = Self(1 << 3);
    pub(super) const MOVE_TIMER: Self = Self(1 << 4);

    #[inline]
    pub(super) const fn has(self, component: Self) -> bool {
        self.0 & component.0 != 0
    }

    #[inline]
    const fn insert(&mut self, component: Self) {
        self.0 |= component.0;
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
    #[inline]
    pub(crate) const fn entity(&self) -> Entity {
        self.entity
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

    /// Whether it got another target since the system last ran. A chaser that was spawned together
    /// with its [`Chasing`] did not: it is new and has no path yet, or it was loaded, and its path
    /// is the one that it was saved with.
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
        self.written.insert(Written::POSITION);
        self.position
    }

    #[inline]
    pub(crate) const fn world_mut(&mut self) -> Option<&mut WorldPosition> {
        match &mut self.world {
            Some(world) => {
                self.written.insert(Written::WORLD);
                Some(world)
            }
            None => None,
        }
    }

    #[inline]
    pub(crate) const fn cursor_mut(&mut self) -> &mut PathCursor {
        self.written.insert(Written::CURSOR);
        self.cursor
    }

    #[inline]
    pub(crate) const fn search_timer_mut(&mut self) -> &mut NavTimer {
        self.written.insert(Written::SEARCH_TIMER);
        self.search_timer
    }

    #[inline]
    pub(crate) const fn move_timer_mut(&mut self) -> &mut MoveTimer {
        self.written.insert(Written::MOVE_TIMER);
        self.move_timer
    }
}

impl ChaserDataItem<'_, '_> {
    /// Whether the chaser got another target: see [`ChaserView::is_retargeted`].
    pub(super) fn is_retargeted(&self) -> bool {
        self.chasing.is_changed() && !self.chaser.is_added()
    }

    /// Gives the chaser's view to a function and marks what that wrote as changed.
    pub(crate) fn visit<R>(&mut self, visit: impl FnOnce(&mut ChaserView) -> R) -> R {
        let is_retargeted = self.is_retargeted();
        let mut view = ChaserView {
            entity: self.entity,
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
            waypoint: None,
            is_retargeted,
            written: Written::default(),
        };
        let result = visit(&mut view);
        let written = view.written;
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

//! The common parts of chasers and targets: a number, a map and a place.

use super::{WorldPosition, screen_seats::leave_screen};
use crate::{occupancy::BodyPlaces, sets::resource};
use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav_grid::{Cell, Frame};

/// The number that orders agents, kept through [save and load](crate::saving).
///
/// Unlike an entity id it does not depend on what else was spawned and despawned. 0 means "not
/// numbered yet" and is replaced by the next free number when the component is added. A number
/// given at spawn, as when a game is loaded, is kept and never assigned again.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component))]
#[component(on_add = number_agent)]
pub struct AgentId(pub u32);

/// The counter that assigns [`AgentId`]s.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Resource))]
pub struct AgentIds {
    last: u32,
}

impl AgentIds {
    /// Returns a given number, which is reserved, or for 0 the next free one.
    pub(crate) fn resolve(&mut self, id: AgentId) -> AgentId {
        if id.0 == 0 {
            self.last = self.last.saturating_add(1);
            return AgentId(self.last);
        }
        self.last = self.last.max(id.0);
        id
    }
}

fn number_agent(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let id = world.get::<AgentId>(entity).copied();
    // Absent before the plugin is added, which then numbers the agents that exist already.
    let ids = world.get_resource_mut::<AgentIds>();
    if let (Some(id), Some(mut ids)) = (id, ids) {
        let id = ids.resolve(id);
        if let Some(mut stored) = world.get_mut::<AgentId>(entity) {
            *stored = id;
        }
    }
}

/// Numbers the agents that were spawned before the plugin was added.
pub(crate) fn number_agents(world: &mut World) {
    let mut ids = resource::<AgentIds>(world);
    let mut agents = world.query::<(Entity, &mut AgentId)>();
    let mut order: Vec<_> = agents.iter_mut(world).collect();
    // Given numbers come first, so that they are not assigned again.
    order.sort_unstable_by_key(|(entity, id)| (id.0 == 0, *entity));
    for (_, id) in &mut order {
        **id = ids.resolve(**id);
    }
    world.insert_resource(ids);
}

/// The map of an agent: an entity with a [`NavMap`](super::NavMap).
///
/// Chasers and targets need one. A chaser without it gets [`PathFailed`](crate::PathFailed).
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component))]
#[component(on_remove = leave, summary_tick)]
pub struct OnMap(#[entities] pub Entity);

/// The place of an agent: its cell, and the place within the cell.
///
/// The plugin writes it for chasers. For targets the game writes either this or [`WorldPosition`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[component(on_remove = leave)]
pub struct CellPosition {
    /// The cell.
    pub cell: Cell,
    /// The place within the cell along columns and rows, in 1/256 of it; `[128, 128]` is the
    /// centre.
    ///
    /// Only the [re-path distance](super::Chaser::repath_distance) that throttles searches depends
    /// on it.
    pub offset: [u8; 2],
}

impl CellPosition {
    /// A place off every map, for a world position without a cell.
    pub const OUTSIDE: Self = Self::at(Cell::new(u16::MAX, u16::MAX));

    /// The centre of a cell.
    pub const fn at(cell: Cell) -> Self {
        Self {
            cell,
            offset: [128; 2],
        }
    }

    /// The centre of column `x` and row `y`.
    pub const fn new(x: u16, y: u16) -> Self {
        Self::at(Cell::new(x, y))
    }

    /// The place of a world position, or [`CellPosition::OUTSIDE`].
    ///
    /// The floor is that of [`Frame::floor_of`], or else the lowest.
    pub fn from_world(frame: &Frame, world: WorldPosition) -> Self {
        let (column, row) = frame.column_row(world.0);
        let (Ok(x), Ok(y)) = (u16::try_from(column), u16::try_from(row)) else {
            return Self::OUTSIDE;
        };
        let (along, down) = frame.grid_point(world.0);
        Self {
            cell: Cell::new(x, y).on_floor(frame.floor_of(world.0).unwrap_or(0)),
            offset: [part_within(along, column), part_within(down, row)],
        }
    }

    /// Whether two places are more than `cells` apart along either axis, or on different floors.
    pub fn displaced(&self, other: &Self, cells: f32) -> bool {
        let ((x, y), (other_x, other_y)) = (self.parts(), other.parts());
        let apart = x.abs_diff(other_x).max(y.abs_diff(other_y));
        self.cell.floor != other.cell.floor || apart as f32 > cells * 256.0
    }

    /// The column and the row in parts of a cell, of which a cell has 256.
    fn parts(&self) -> (i32, i32) {
        let [x, y] = self.offset.map(i32::from);
        (
            i32::from(self.cell.x) * 256 + x,
            i32::from(self.cell.y) * 256 + y,
        )
    }
}

/// The part of a cell, in 256, at which a point of the grid lies within it.
fn part_within(point: f64, cell: i32) -> u8 {
    ((point + 0.5 - f64::from(cell)) * 256.0) as u8
}

impl Default for CellPosition {
    /// The centre of cell 0,0.
    fn default() -> Self {
        Self::new(0, 0)
    }
}

impl From<Cell> for CellPosition {
    fn from(cell: Cell) -> Self {
        Self::at(cell)
    }
}

/// The map on which a chaser was last processed; `None` before the first time, so that a loaded
/// chaser keeps its path.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LastMap(pub(crate) Option<Entity>);

impl LastMap {
    /// The `LastMap` of an agent already processed on its current map.
    #[cfg(feature = "serialize")]
    pub(crate) fn settled(on_map: Option<&OnMap>) -> Self {
        Self(on_map.map(|on_map| on_map.0))
    }

    /// Whether the chaser was last processed on another map than its present one.
    pub(crate) fn has_left(self, on_map: Option<&OnMap>) -> bool {
        self.0.is_some() && self.0 != on_map.map(|on_map| on_map.0)
    }
}

/// Removes an agent from its screen and its cells when it is despawned or loses its place or its
/// map.
fn leave(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut occupancy) = world.get_resource_mut::<BodyPlaces>() {
        occupancy.leave(entity);
    }
    leave_screen(&mut world, entity);
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::map::Axes;

    #[test]
    fn displaced_by_larger_axis() {
        let from = CellPosition::new(10, 10);
        let moved = |offset| CellPosition { offset, ..from };
        assert!(!from.displaced(&from, 0.0));
        assert!(!moved([0, 0]).displaced(&from, 0.5), "exactly half a cell");
        assert!(moved([0, 128]).displaced(&from, 0.49));
        assert!(CellPosition::new(11, 10).displaced(&from, 0.5));
        assert!(!CellPosition::new(11, 11).displaced(&from, 1.0));
        assert!(CellPosition::at(Cell::new(10, 10).on_floor(1)).displaced(&from, 9.0));
    }

    #[test]
    fn world_position_keeps_offset() {
        let frame = Frame::new([-30.0, 0.0, 30.0], 1.0, Axes::Y_UP).unwrap();
        let place = CellPosition::from_world(&frame, WorldPosition([-1.6, 3.0, -10.52]));
        assert_eq!(place.cell, Cell::new(28, 41));
        // 28.4 is 0.9 into column 28, whose cell begins at 27.5; 40.52 is 0.02 into row 41.
        assert_eq!(place.offset, [230, 5]);
    }

    #[test]
    fn world_position_off_map() {
        let place = |x| CellPosition::from_world(&Frame::default(), WorldPosition([x, 0.0, 0.0]));
        assert_eq!(place(-1.0), CellPosition::OUTSIDE);
        assert_eq!(place(1e9), CellPosition::OUTSIDE);
    }

    #[test]
    fn given_ids_are_reserved() {
        let mut ids = AgentIds::default();
        let mut numbered = |id: AgentId| ids.resolve(id).0;
        assert_eq!(numbered(AgentId(0)), 1);
        assert_eq!(numbered(AgentId(7)), 7);
        assert_eq!(numbered(AgentId(0)), 8);
    }
}

//! What chasers and targets have in common: a number, a map and a place.

use super::places;
use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav_grid::{Cell, Frame};

/// The number by which agents are put in order, kept through save and load.
///
/// Entity ids depend on what else was spawned and despawned; this does not. 0 stands for "not
/// numbered yet" and is replaced by the next free number as the component is added. A number
/// given at spawn, as loading a game does, is kept and never handed out again.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[component(on_add = number_agent)]
pub struct AgentId(pub u32);

/// Hands out [`AgentId`]s.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Resource))]
pub struct AgentIds {
    last: u32,
}

impl AgentIds {
    /// What there is after both gave out numbers.
    pub(crate) fn merged(self, other: Self) -> Self {
        Self {
            last: self.last.max(other.last),
        }
    }

    /// Keeps a number that is taken, or replaces 0 by the next free one.
    pub(crate) fn resolve(&mut self, id: &mut AgentId) {
        if id.0 == 0 {
            self.last = self.last.saturating_add(1);
            id.0 = self.last;
        } else {
            self.last = self.last.max(id.0);
        }
    }
}

fn number_agent(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let Some(mut id) = world.get::<AgentId>(entity).copied() else {
        return;
    };
    // Absent before the plugin is added; the plugin then numbers who is there already.
    let Some(mut ids) = world.get_resource_mut::<AgentIds>() else {
        return;
    };
    ids.resolve(&mut id);
    if let Some(mut stored) = world.get_mut::<AgentId>(entity) {
        *stored = id;
    }
}

/// Numbers the agents that were spawned before the plugin was added.
pub(crate) fn number_agents(world: &mut World) {
    world.init_resource::<AgentIds>();
    let mut agents = world.query::<(Entity, &mut AgentId)>();
    let mut order: Vec<(Entity, AgentId)> = agents
        .iter(world)
        .map(|(entity, id)| (entity, *id))
        .collect();
    // Numbers that were given first, so that they are not handed out.
    order.sort_unstable_by_key(|&(entity, id)| (id.0 == 0, entity));
    world.resource_scope(|world, mut ids: Mut<AgentIds>| {
        for (entity, mut id) in order {
            ids.resolve(&mut id);
            if let Some(mut stored) = world.get_mut::<AgentId>(entity) {
                *stored = id;
            }
        }
    });
}

/// The map that an agent is on: an entity with a [`NavMap`](super::NavMap).
///
/// Chasers and targets need one; a chaser without gets [`PathFailed`](crate::PathFailed).
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[component(on_remove = places::leave, summary_tick)]
pub struct OnMap(#[entities] pub Entity);

/// Where an agent is: its cell, and where in the cell.
///
/// The plugin moves chasers by writing this; the game moves targets by writing either this or
/// [`WorldPosition`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Default, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
#[component(on_remove = places::leave)]
pub struct CellPosition {
    /// The cell.
    pub cell: Cell,
    /// Place within the cell along columns and rows, in 1/256 of it; `[128, 128]` is the
    /// centre. Only the displacement that throttles re-pathing looks at it.
    pub offset: [u8; 2],
}

impl CellPosition {
    /// Not on any map: what an agent gets whose world position has no cell.
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

    /// The place of a world position, or [`CellPosition::OUTSIDE`]. The floor is that of
    /// [`Frame::floor_of`], or else the lowest.
    pub fn from_world(frame: &Frame, world: WorldPosition) -> Self {
        let (column, row) = frame.column_row(world.0);
        let (Ok(x), Ok(y)) = (u16::try_from(column), u16::try_from(row)) else {
            return Self::OUTSIDE;
        };
        let (along, down) = frame.grid_point(world.0);
        let part = |point: f64, cell: i32| ((point + 0.5 - f64::from(cell)) * 256.0) as u8;
        Self {
            cell: Cell::new(x, y).on_floor(frame.floor_of(world.0).unwrap_or(0)),
            offset: [part(along, column), part(down, row)],
        }
    }

    /// Whether the two places are more than `cells` apart along either axis, or on different
    /// floors.
    pub fn displaced(&self, other: &Self, cells: f32) -> bool {
        let point = |cell: u16, offset: u8| i32::from(cell) * 256 + i32::from(offset);
        let x = point(self.cell.x, self.offset[0]).abs_diff(point(other.cell.x, other.offset[0]));
        let y = point(self.cell.y, self.offset[1]).abs_diff(point(other.cell.y, other.offset[1]));
        self.cell.floor != other.cell.floor || x.max(y) as f32 > cells * 256.0
    }
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

/// Where an agent is in the world, for games that think in coordinates. Optional.
///
/// On a target the game writes it and the plugin derives [`CellPosition`] through the map's
/// [`Frame`]; on a chaser the plugin writes the centre of its cell, at the height of its floor, at every
/// step. Where the frame has [heights](Frame::with_heights) for floors they choose the floor of the
/// target, at most the highest that the map has; otherwise that stays what it was. A place that is no
/// finite number is [refused](crate::ValueRefused): the target stays where it was.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[require(CellPosition)]
pub struct WorldPosition(pub [f64; 3]);

impl WorldPosition {
    /// The centre of a cell.
    pub(crate) fn of(frame: &Frame, cell: Cell) -> Self {
        Self(frame.world_of(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::map::Axes;

    #[test]
    fn displacement_counts_the_larger_axis_and_must_be_exceeded() {
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
    fn world_positions_keep_their_place_in_the_cell() {
        let frame = Frame::new([-30.0, 0.0, 30.0], 1.0, Axes::Y_UP).unwrap();
        let place = CellPosition::from_world(&frame, WorldPosition([-1.6, 3.0, -10.52]));
        assert_eq!(place.cell, Cell::new(28, 41));
        // 28.4 is 0.9 into column 28, whose cell begins at 27.5; 40.52 is 0.02 into row 41.
        assert_eq!(place.offset, [230, 5]);
    }

    #[test]
    fn world_positions_off_the_map_have_no_cell() {
        let place = |x| CellPosition::from_world(&Frame::default(), WorldPosition([x, 0.0, 0.0]));
        assert_eq!(place(-1.0), CellPosition::OUTSIDE);
        assert_eq!(place(1e9), CellPosition::OUTSIDE);
    }

    #[test]
    fn numbers_given_are_kept_and_not_handed_out_again() {
        let mut ids = AgentIds::default();
        let mut numbered = |mut id: AgentId| {
            ids.resolve(&mut id);
            id.0
        };
        assert_eq!(numbered(AgentId(0)), 1);
        assert_eq!(numbered(AgentId(7)), 7);
        assert_eq!(numbered(AgentId(0)), 8);
    }
}

//! The place of an agent in world coordinates, as written by the game and as read last.

use super::{CellPosition, Chaser, NavMap, OnMap};
use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav_grid::{Cell, Frame};

/// The place of an agent in world coordinates. Optional.
///
/// For a target the game writes it, and the plugin derives [`CellPosition`] by the map's [`Frame`]:
/// once it is new, has another value than before, or is on another map. Until then the game may
/// write the cell itself. For a chaser the plugin writes the centre of its cell, at the height of
/// its floor, at every step.
///
/// Where the frame has [heights](Frame::with_heights), they select the floor of the target, at most
/// the highest of the map. Otherwise the floor stays. A place that is not finite is
/// [refused](crate::ValueRefused): the target stays where it was.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component))]
#[require(CellPosition, LastWorldPosition)]
#[component(on_add = read_again)]
pub struct WorldPosition(pub [f64; 3]);

impl WorldPosition {
    /// The centre of a cell.
    pub(crate) fn of(frame: &Frame, cell: Cell) -> Self {
        Self(frame.world_of(cell))
    }

    /// Whether all coordinates are finite.
    pub fn is_finite(self) -> bool {
        self.0.iter().all(|at| at.is_finite())
    }

    /// The place on a map of an agent that was at another one before.
    pub fn place_on(self, map: &NavMap, before: CellPosition) -> CellPosition {
        let mut place = CellPosition::from_world(map.frame(), self);
        let top = map.grid().floors() - 1;
        place.cell.floor = match map.frame().floor_of(self.0) {
            Some(floor) => floor.min(top),
            None => before.cell.floor,
        };
        place
    }
}

/// The world position that was read last, bit by bit, and its map; `None` before the first time and
/// for chasers, whose positions are only written.
///
/// By values rather than by change detection, so that restored and replayed worlds know what was
/// read.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[component(clone_behavior = Ignore)]
pub struct LastWorldPosition(pub(crate) Option<([u64; 3], Entity)>);

impl LastWorldPosition {
    /// The record of a world position that was read on a map.
    pub fn of(world: WorldPosition, on_map: OnMap) -> Self {
        Self(Some((world.0.map(f64::to_bits), on_map.0)))
    }

    /// The record of the world position that an agent has, once it is read.
    pub(crate) fn present(agent: EntityRef) -> Option<Self> {
        let (&world, &on_map) = agent.get::<WorldPosition>().zip(agent.get::<OnMap>())?;
        Some(Self::of(world, on_map))
    }

    /// The record of the last read, if the agent has another position or is on no map.
    pub(crate) fn behind(agent: EntityRef) -> Option<Self> {
        let is_read = agent.contains::<WorldPosition>() && !agent.contains::<Chaser>();
        let &last = agent.get::<Self>().filter(|_| is_read)?;
        (last != Self::present(agent).unwrap_or_default()).then_some(last)
    }

    /// The position that was read, and whether on that map.
    pub(crate) fn read_on(self, map: Option<&OnMap>) -> Option<([u64; 3], bool)> {
        self.0
            .map(|(place, on)| (place, map.is_some_and(|map| map.0 == on)))
    }
}

fn read_again(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut last) = world.get_mut::<LastWorldPosition>(entity) {
        *last = LastWorldPosition::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::Grid;

    #[test]
    fn floor_stays_without_heights() {
        let grid = Grid::build(nav_grid::Size::new(8, 8).with_floors(3), |_| true).expect("a size");
        let map = NavMap::new(grid);
        let before = CellPosition::at(Cell::new(0, 0).on_floor(2));
        let place = WorldPosition([3.0, 0.0, 4.0]).place_on(&map, before);
        assert_eq!(place.cell, Cell::new(3, 4).on_floor(2));
    }

    #[test]
    fn read_again_once_removed() {
        let mut world = World::new();
        let map = OnMap(world.spawn_empty().id());
        let place = WorldPosition([f64::NAN, 0.0, 1.0]);
        let agent = world.spawn((place, map)).id();
        let read = LastWorldPosition::of(place, map);
        assert_eq!(
            read,
            LastWorldPosition::of(place, map),
            "a NaN is read once, too"
        );
        let last = |world: &World| world.get::<LastWorldPosition>(agent).copied();
        *world.get_mut(agent).expect("required") = read;
        assert_eq!(last(&world), Some(read));
        world.entity_mut(agent).insert(place);
        assert_eq!(last(&world), Some(read));
        world
            .entity_mut(agent)
            .remove::<WorldPosition>()
            .insert(place);
        assert_eq!(last(&world), Some(LastWorldPosition::default()));
    }
}

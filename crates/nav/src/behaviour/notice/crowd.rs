//! Agents in the order of the tiles that they stand on, to be found by place.

use bevy_ecs::prelude::*;
use nav_grid::Cell;

/// Something on a cell of a map.
pub(super) trait Placed {
    fn map(&self) -> Entity;
    fn cell(&self) -> Cell;
}

/// Agents by map, floor and tile.
pub(super) struct Crowd<T>(Vec<T>);

impl<T> Default for Crowd<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// Columns and rows of a tile, as a shift: 16, about what is noticed from.
const TILE: u16 = 4;

/// Rows of tiles that are searched one by one; of more, all agents in them are looked at.
const ROWS_MAX: u16 = 8;

type TilePlace = (Entity, u8, u16, u16);

fn place(of: &impl Placed) -> TilePlace {
    let cell = of.cell();
    (of.map(), cell.floor, cell.y >> TILE, cell.x >> TILE)
}

impl<T: Placed> Crowd<T> {
    /// Replaces everybody.
    pub(super) fn fill(&mut self, agents: impl Iterator<Item = T>) {
        self.0.clear();
        self.0.extend(agents);
        self.0.sort_unstable_by_key(place);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    /// All on one floor.
    pub(super) fn on_floor(&self, map: Entity, floor: u8) -> &[T] {
        self.between((map, floor, 0, 0), (map, floor, u16::MAX, u16::MAX))
    }

    /// Calls a function for all on the floor of a cell within so many columns and rows, in no particular
    /// order.
    pub(super) fn for_each_near<'a>(
        &'a self,
        map: Entity,
        cell: Cell,
        range: u16,
        mut visit: impl FnMut(&'a T),
    ) {
        let tiles = |at: u16| {
            (
                at.saturating_sub(range) >> TILE,
                at.saturating_add(range) >> TILE,
            )
        };
        let ((left, right), (top, bottom)) = (tiles(cell.x), tiles(cell.y));
        let mut visit_all = |agents: &'a [T]| {
            let near = agents
                .iter()
                .filter(|agent| agent.cell().chebyshev(cell) <= range);
            near.for_each(&mut visit);
        };
        if bottom - top > ROWS_MAX {
            let (first, last) = (
                (map, cell.floor, top, 0),
                (map, cell.floor, bottom, u16::MAX),
            );
            return visit_all(self.between(first, last));
        }
        for row in top..=bottom {
            visit_all(self.between((map, cell.floor, row, left), (map, cell.floor, row, right)));
        }
    }

    fn between(&self, first: TilePlace, last: TilePlace) -> &[T] {
        let from = self.0.partition_point(|agent| place(agent) < first);
        let rest = &self.0[from..];
        // Mostly few.
        let length = rest.partition_point(|agent| place(agent) <= last);
        &rest[..length]
    }
}

//! Agents in the order of the tiles that they stand on, to be found by place.

use bevy_ecs::prelude::*;
use nav_grid::Cell;

/// Something on a cell of a map.
pub(super) trait Placed {
    fn map(&self) -> Entity;
    fn cell(&self) -> Cell;
}

/// Agents by map, floor and tile.
pub(super) struct Crowd<T> {
    agents: Vec<T>,
    /// The tile of each: its row in the upper half, so that tiles are in the order of agents on a floor.
    tiles: Vec<u32>,
    /// The floors on which somebody is, and from which agent on.
    floors: Vec<((Entity, u8), usize)>,
}

impl<T> Default for Crowd<T> {
    fn default() -> Self {
        Self {
            agents: Vec::new(),
            tiles: Vec::new(),
            floors: Vec::new(),
        }
    }
}

/// Columns and rows of a tile, as a shift: 16, about what is noticed from.
const TILE: u16 = 4;

/// Rows of tiles that are searched one by one; of more, all agents in them are looked at.
const ROWS_MAX: u16 = 8;

fn floor(of: &impl Placed) -> (Entity, u8) {
    (of.map(), of.cell().floor)
}

const fn tile(x: u16, y: u16) -> u32 {
    (y >> TILE) as u32 * (1 << 16) + (x >> TILE) as u32
}

impl<T: Placed> Crowd<T> {
    /// Replaces everybody.
    pub(super) fn fill(&mut self, agents: impl Iterator<Item = T>) {
        self.agents.clear();
        self.agents.extend(agents);
        let tile = |agent: &T| tile(agent.cell().x, agent.cell().y);
        self.agents
            .sort_unstable_by_key(|agent| (floor(agent), tile(agent)));
        self.tiles.clear();
        self.tiles.extend(self.agents.iter().map(tile));
        self.floors.clear();
        for (place, agent) in self.agents.iter().enumerate() {
            let floor = floor(agent);
            if self.floors.last().is_none_or(|&(last, _)| last != floor) {
                self.floors.push((floor, place));
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.agents.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.agents.iter()
    }

    /// All on one floor.
    pub(super) fn on_floor(&self, map: Entity, floor: u8) -> &[T] {
        self.floor(map, floor).0
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
        let (agents, tiles) = self.floor(map, cell.floor);
        let span = |at: u16| (at.saturating_sub(range), at.saturating_add(range));
        let ((left, right), (top, bottom)) = (span(cell.x), span(cell.y));
        let mut visit_between = |first: u32, last: u32| {
            let from = tiles.partition_point(|&tile| tile < first);
            // Mostly few.
            let between = agents[from..]
                .iter()
                .zip(&tiles[from..])
                .take_while(|&(_, &tile)| tile <= last);
            let near = between.filter(|(agent, _)| agent.cell().chebyshev(cell) <= range);
            near.for_each(|(agent, _)| visit(agent));
        };
        let (first, last) = (top >> TILE, bottom >> TILE);
        if last - first > ROWS_MAX {
            return visit_between(tile(0, top), tile(u16::MAX, bottom));
        }
        for row in first..=last {
            visit_between(tile(left, row << TILE), tile(right, row << TILE));
        }
    }

    /// All on one floor, and their tiles.
    fn floor(&self, map: Entity, floor: u8) -> (&[T], &[u32]) {
        let floors = &self.floors;
        let Ok(found) = floors.binary_search_by_key(&(map, floor), |&(floor, _)| floor) else {
            return (&[], &[]);
        };
        let from = floors[found].1;
        let to = floors
            .get(found + 1)
            .map_or(self.agents.len(), |next| next.1);
        (&self.agents[from..to], &self.tiles[from..to])
    }
}

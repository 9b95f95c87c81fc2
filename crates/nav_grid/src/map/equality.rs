//! When two grids are equal, and hashes that agree with that.

use super::grid::Grid;
use std::hash::{Hash, Hasher};

impl PartialEq for Grid {
    /// Grids are equal on which the same can be done: what they have prepared, how often they
    /// were edited, and what blocked cells would cost does not count.
    fn eq(&self, other: &Self) -> bool {
        let same_costs = || {
            self.costs == other.costs
                || self
                    .walkable_cells()
                    .all(|cell| self.cost(cell) == other.cost(cell))
        };
        self.size == other.size
            && self.walkable == other.walkable
            && self.exits == other.exits
            && self.links == other.links
            && same_costs()
    }
}

impl Eq for Grid {}

impl Hash for Grid {
    /// Equal grids have equal hashes. One pass over the map, 64 cells at a time, and one over each
    /// layer that it has.
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Prepared boards and numbers of edits do not count, as in comparisons.
        let Self {
            size,
            walkable,
            costs,
            exits,
            links,
            clearance: _,
            tiles: _,
        } = self;
        size.hash(state);
        for floor in 0..size.floors {
            for y in 0..size.height {
                for &word in walkable.row(y, floor) {
                    state.write_u64(word);
                }
            }
        }
        for (cell, cost) in costs.deviations(*size) {
            if walkable.get(cell.x, cell.y, cell.floor) {
                (cell, cost).hash(state);
            }
        }
        // Where the costs end.
        state.write_u8(0);
        for deviation in exits.deviations(*size) {
            deviation.hash(state);
        }
        links.all().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cell::{Cell, Directions},
        map::Link,
        rules::Footprint,
    };

    /// All that is written to a hasher.
    #[derive(Default)]
    struct Written(Vec<u8>);

    impl Hasher for Written {
        fn finish(&self) -> u64 {
            0
        }

        fn write(&mut self, bytes: &[u8]) {
            self.0.extend_from_slice(bytes);
        }
    }

    fn hash(grid: &Grid) -> Vec<u8> {
        let mut written = Written::default();
        grid.hash(&mut written);
        written.0
    }

    #[test]
    fn equal_grids_have_equal_hashes() {
        let grid = Grid::from_fn(70, 9, |cell| cell.x != 5).unwrap();
        let (open, wall) = (Cell::new(66, 7), Cell::new(5, 5));
        let mut same = grid.clone();
        same.prepare_footprint(Footprint::new(2).unwrap());
        // Layers that say nothing, and what a wall would cost.
        same.set_cost(open, 3).unwrap();
        same.set_cost(open, 1).unwrap();
        same.set_cost(wall, 3).unwrap();
        same.set_walkable(wall, false).unwrap();
        same.set_exits(open, Directions::NONE).unwrap();
        same.set_exits(open, Directions::ALL).unwrap();
        assert_eq!((&same, hash(&same)), (&grid, hash(&grid)));
        let edited = |edit: &dyn Fn(&mut Grid)| {
            let mut edited = grid.clone();
            edit(&mut edited);
            hash(&edited)
        };
        let link = Link::new(open, Cell::new(0, 0));
        let edits: [&dyn Fn(&mut Grid); 5] = [
            &|grid| assert!(grid.set_walkable(wall, true).is_ok()),
            &|grid| assert!(grid.set_cost(open, 2).is_ok()),
            &|grid| assert!(grid.set_cost(open, 3).is_ok()),
            &|grid| assert!(grid.set_exits(open, Directions::NONE).is_ok()),
            &|grid| assert!(grid.set_link(link).is_ok()),
        ];
        let mut hashes: Vec<Vec<u8>> = edits.iter().map(|edit| edited(*edit)).collect();
        hashes.push(hash(&grid));
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), edits.len() + 1);
    }
}

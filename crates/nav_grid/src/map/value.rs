//! A grid as a value: equality, hashes, and the serde form.

use super::grid::Grid;
use crate::cell::Cell;
use std::hash::{Hash, Hasher};

impl PartialEq for Grid {
    /// Grids are equal if they allow the same moves at the same costs, and the same sight.
    /// Preparations, the number of edits, and costs and classes of blocked cells do not count.
    fn eq(&self, other: &Self) -> bool {
        let all = |same: &dyn Fn(Cell) -> bool| self.walkable_cells().all(same);
        self.size == other.size
            && self.walkable == other.walkable
            && self.exits == other.exits
            && self.links == other.links
            && self.sight == other.sight
            && (self.costs == other.costs || all(&|cell| self.cost(cell) == other.cost(cell)))
            && (self.classes == other.classes || all(&|cell| self.class(cell) == other.class(cell)))
    }
}

impl Eq for Grid {}

impl Hash for Grid {
    /// Equal grids have equal hashes. One pass over the map, 64 cells at a time, and one over each
    /// layer.
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Without preparations and numbers of edits, as in comparisons.
        let size = self.size;
        size.hash(state);
        for (y, floor) in size.rows() {
            for &word in self.walkable.row(y, floor) {
                state.write_u64(word);
            }
        }
        for layer in [&self.costs, &self.classes] {
            for (cell, value) in layer.deviations(size) {
                if self.is_walkable(cell) {
                    (cell, value).hash(state);
                }
            }
            // Marks the end of the layer, so that a cost never hashes as a class.
            state.write_u8(0);
        }
        for layer in [&self.exits, &self.sight] {
            for deviation in layer.deviations(size) {
                deviation.hash(state);
            }
            state.write_u8(0);
        }
        self.links.leaving.hash(state);
    }
}

#[cfg(feature = "serde")]
mod saved {
    use crate::map::{Grid, Link, Size, tiles::TileVersions};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    /// The size, one bit per cell without border, and the layers.
    #[derive(Serialize, Deserialize)]
    #[serde(rename = "Grid", deny_unknown_fields)]
    struct SavedGrid {
        width: u16,
        height: u16,
        #[serde(default = "one")]
        floors: u8,
        /// Bit `n % 64` of word `n / 64` is the `n`-th cell in reading order, floor by floor.
        walkable: Vec<u64>,
        /// A byte per cell, or none.
        #[serde(default)]
        costs: Vec<u8>,
        /// A byte per cell, or none.
        #[serde(default)]
        exits: Vec<u8>,
        /// A byte per cell, or none.
        #[serde(default)]
        classes: Vec<u8>,
        /// A byte per cell, or none.
        #[serde(default)]
        sight: Vec<u8>,
        #[serde(default)]
        links: Vec<Link>,
    }

    const fn one() -> u8 {
        1
    }

    impl Serialize for Grid {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let size = self.size();
            let mut walkable = vec![0; (size.cells() as usize).div_ceil(64)];
            for cell in self.walkable_cells() {
                let n = size.index(cell);
                walkable[n / 64] |= 1 << (n % 64);
            }
            let saved = SavedGrid {
                width: size.width,
                height: size.height,
                floors: size.floors,
                walkable,
                costs: self.cost_bytes().to_vec(),
                exits: self.exit_bytes().to_vec(),
                classes: self.class_bytes().to_vec(),
                sight: self.sight_bytes().to_vec(),
                links: self.links().to_vec(),
            };
            saved.serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Grid {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let saved = SavedGrid::deserialize(deserializer)?;
            let size = Size::new(saved.width, saved.height).with_floors(saved.floors);
            let words = (size.cells() as usize).div_ceil(64);
            if saved.walkable.len() != words {
                return Err(D::Error::custom(format_args!(
                    "a grid of {size} cells needs {words} words of walkable bits, not {}",
                    saved.walkable.len()
                )));
            }
            let built = Self::build(size, |cell| {
                let n = size.index(cell);
                saved.walkable[n / 64] >> (n % 64) & 1 == 1
            });
            let mut grid = built.map_err(D::Error::custom)?;
            let valid = 1..=Self::COST_WORST;
            if let Some(n) = saved.costs.iter().position(|cost| !valid.contains(cost)) {
                return Err(D::Error::custom(format_args!(
                    "cell number {n} has the step cost {}, which must be 1 to {}",
                    saved.costs[n],
                    Self::COST_WORST
                )));
            }
            grid.set_cost_bytes(saved.costs).map_err(D::Error::custom)?;
            grid.set_exit_bytes(saved.exits).map_err(D::Error::custom)?;
            let set = grid.set_class_bytes(saved.classes);
            set.map_err(D::Error::custom)?;
            grid.set_sight_bytes(saved.sight)
                .map_err(D::Error::custom)?;
            grid.set_links(saved.links).map_err(D::Error::custom)?;
            // A loaded map counts as unedited, however many calls made it.
            grid.tiles = TileVersions::new(size);
            Ok(grid)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cell::Directions,
        map::{Link, Sight},
        rules::{Class, Footprint},
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
        // Layers without effect, and the cost of a wall.
        same.set_cost(open, 3).unwrap();
        same.set_cost(open, 1).unwrap();
        same.set_cost(wall, 3).unwrap();
        same.set_class(wall, Class::new(1).unwrap()).unwrap();
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
        let class = Class::new(3).unwrap();
        let edits: [&dyn Fn(&mut Grid); 7] = [
            &|grid| assert!(grid.set_class(open, class).is_ok()),
            &|grid| assert!(grid.set_sight(open, Sight::Blocked).is_ok()),
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

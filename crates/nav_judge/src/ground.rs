//! Random maps.

use crate::{random::Xorshift, walk::cells};
use nav_grid::{
    Cell, Directions, Grid, Link, Size,
    rules::{Class, LinkKind},
};

/// Recipe of a random map. The recipe alone determines the map, so that a failing case prints all
/// of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ground {
    /// Size of the map.
    pub size: Size,
    /// Seed of all random choices.
    pub seed: u64,
    /// Percentage of cells that are walls.
    pub walls_percent: u32,
    /// Whether one walkable cell in three costs more than others.
    pub costs: bool,
    /// One cell in this many has its own exits.
    pub exits: Option<u32>,
    /// Greatest number of links, of kinds 0 to 2. Some may be drawn twice.
    pub links: u32,
    /// Whether a link costs about the distance that it covers. Otherwise it costs 1 to 6 steps.
    pub honest: bool,
    /// The number of terrain classes; 0 or 1 for a map without classes. One cell in four is of
    /// another class than 0.
    pub classes: u8,
}

impl Ground {
    /// Creates a recipe with walls only.
    pub const fn of_walls(size: Size, seed: u64, walls_percent: u32) -> Self {
        Self {
            size,
            seed,
            walls_percent,
            costs: false,
            exits: None,
            links: 0,
            honest: false,
            classes: 0,
        }
    }

    /// Returns the map.
    ///
    /// # Panics
    ///
    /// If the size is invalid.
    pub fn grid(&self) -> Grid {
        let mut random = Xorshift::new(self.seed);
        let mut grid = Grid::build(self.size, |_| random.below(100) >= self.walls_percent)
            .expect("sides in range");
        let cells: Vec<Cell> = cells(self.size).collect();
        for &cell in &cells {
            if self.costs && grid.is_walkable(cell) && random.below(3) == 0 {
                let cost = 1 + random.below(Grid::COST_WORST.into()) as u8;
                grid.set_cost(cell, cost).expect("a cell of the map");
            }
            if self.classes > 1 && random.below(4) == 0 {
                let number = 1 + random.below(u32::from(self.classes) - 1) as u8;
                let class = Class::new(number).expect("at most 16 classes");
                grid.set_class(cell, class).expect("a cell of the map");
            }
            if self.exits.is_some_and(|rarity| random.below(rarity) == 0) {
                let exits = Directions(random.below(256) as u8);
                grid.set_exits(cell, exits).expect("a cell of the map");
            }
        }
        for _ in 0..self.links {
            let (from, to) = (random.one_of(&cells), random.one_of(&cells));
            let cost = if self.honest {
                from.manhattan(to).max(1) as u16
            } else {
                1 + random.below(6) as u16
            };
            // By the ends, so that a map has the same links whatever kinds there are.
            let kind = LinkKind::new(((from.x ^ to.y) % 3) as u8).expect("0 to 2");
            let link = Link::new(from, to).with_cost(cost).with_kind(kind);
            grid.set_link(link).expect("cells of the map");
        }
        grid
    }
}

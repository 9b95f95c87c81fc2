//! Numbers, cells and steps drawn by chance from a seed, the same on every machine.

use bevy_ecs::prelude::*;
use nav_grid::{Cell, Grid};
use nav_testing::Scene;
use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};

/// What chance decides in a scene.
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    /// The chance of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number below another one, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        // Written out: ranges of a library may be drawn otherwise in its next version.
        let bits = u64::from(self.0.next_u32());
        ((bits * end as u64) >> 32) as usize
    }

    /// One of some things.
    ///
    /// # Panics
    ///
    /// When there are none.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// So many of some things, each at most once, in the order in which they are drawn.
    ///
    /// # Panics
    ///
    /// When there are fewer.
    pub fn some_of<T>(&mut self, mut all: Vec<T>, count: usize) -> Vec<T> {
        assert!(all.len() >= count, "{} are not {count}", all.len());
        let drawn = (0..count).map(|_| all.swap_remove(self.below(all.len())));
        drawn.collect()
    }

    /// Has an agent take a step, if there is one, which a draw decides.
    pub fn wander(&mut self, scene: &mut Scene, agent: Entity) {
        crate::scenes::step(scene, agent, |count| self.below(count));
    }
}

/// The walkable cells of a map in reading order, at most so many columns and rows from another one.
pub fn ground_around(grid: &Grid, middle: Cell, distance: u16) -> Vec<Cell> {
    let near = |cell: &Cell| cell.floor == middle.floor && cell.chebyshev(middle) <= distance;
    grid.walkable_cells().filter(near).collect()
}

/// The walkable cell of the lowest floor that is nearest to a place, the first in reading order of several.
///
/// # Panics
///
/// When no cell is walkable.
pub fn near(grid: &Grid, x: u16, y: u16) -> Cell {
    let place = Cell::new(x, y);
    let cells = grid.walkable_cells().filter(|cell| cell.floor == 0);
    let nearest = cells.min_by_key(|cell| cell.chebyshev(place));
    nearest.expect("a map with room")
}

//! Seeded random numbers, cells and steps, the same on every machine.

use bevy_ecs::prelude::*;
use nav_grid::{Cell, Grid};
use nav_testing::Scene;
use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};

/// The random choices of a scene.
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    /// Makes the choices of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Draws a number below another one, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        // Written out, since the next version of a library may draw from ranges in another way.
        let bits = u64::from(self.0.next_u32());
        ((bits * end as u64) >> 32) as usize
    }

    /// Draws one of some values.
    ///
    /// # Panics
    ///
    /// When there are none.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Draws `count` of some values, each at most once, in the order of drawing.
    ///
    /// # Panics
    ///
    /// When there are fewer.
    pub fn some_of<T>(&mut self, mut all: Vec<T>, count: usize) -> Vec<T> {
        assert!(all.len() >= count, "{} are not {count}", all.len());
        let drawn = (0..count).map(|_| all.swap_remove(self.below(all.len())));
        drawn.collect()
    }

    /// Moves an agent by a random step, if one is legal.
    pub fn wander(&mut self, scene: &mut Scene, agent: Entity) {
        crate::scenes::step(scene, agent, |count| self.below(count));
    }
}

/// Returns the walkable cells at most `distance` columns and rows from another, in reading order.
pub fn ground_around(grid: &Grid, middle: Cell, distance: u16) -> Vec<Cell> {
    let near = |cell: &Cell| cell.floor == middle.floor && cell.chebyshev(middle) <= distance;
    grid.walkable_cells().filter(near).collect()
}

/// Returns the walkable cell of the lowest floor nearest to a place; of several the first in
/// reading order.
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

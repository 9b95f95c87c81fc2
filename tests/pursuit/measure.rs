//! One pursuit, measured against imagined ones of the same target.

use crate::{
    flight::{Flight, Kind},
    imagined::{Ghosts, Pack, is_beside, ring},
};
use bevy_ecs::prelude::*;
use nav::Body;
use nav_grid::{Cell, Direction, Grid, Rules};
use nav_tests::{STEP_TICKS, TICK_RATE, TestWorld};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

/// Seconds before anything counts.
const WARM_UP: u64 = 5;
/// Seconds that count.
const SECONDS: u64 = 40;

/// Who pursues.
#[derive(Clone, Copy)]
pub struct Pursuers {
    pub count: usize,
    /// Without bodies they are ghosts.
    pub bodies: bool,
}

/// What became of a pursuit, summed over ticks and chasers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shares {
    /// Chasers beside the target, as many as its ring can hold.
    pub beside: u64,
    /// The same of imagined ghosts.
    pub ghosts: u64,
    /// The same of an imagined pack with bodies.
    pub pack: u64,
    /// What the ring can hold.
    pub room: u64,
    /// Searches.
    pub searches: u64,
    /// Steps.
    pub steps: u64,
    /// Steps straight back from where the step before came.
    pub back: u64,
    /// Chaser seconds.
    pub seconds: u64,
}

impl Shares {
    /// Adds another pursuit.
    pub fn add(&mut self, other: Self) {
        self.beside += other.beside;
        self.ghosts += other.ghosts;
        self.pack += other.pack;
        self.room += other.room;
        self.searches += other.searches;
        self.steps += other.steps;
        self.back += other.back;
        self.seconds += other.seconds;
    }

    /// Time beside the target, by that of imagined ghosts in as much ring as there is.
    pub fn of_ghosts(&self) -> f64 {
        self.beside as f64 / self.ghosts.max(1) as f64
    }

    /// Time beside the target, by that of an imagined pack.
    pub fn of_pack(&self) -> f64 {
        self.beside as f64 / self.pack.max(1) as f64
    }

    /// Time beside the target, by that of a ring that is always full.
    pub fn of_ring(&self) -> f64 {
        self.beside as f64 / self.room.max(1) as f64
    }

    /// Searches a second of one chaser.
    pub fn searches_a_second(&self) -> f64 {
        self.searches as f64 / self.seconds.max(1) as f64
    }

    /// The share of steps straight back.
    pub fn back(&self) -> f64 {
        self.back as f64 / self.steps.max(1) as f64
    }
}

/// Measures a pursuit on a grid that begins at a cell.
pub fn pursue(grid: &Grid, start: Cell, kind: Kind, pursuers: Pursuers, seed: u64) -> Shares {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut world = TestWorld::on(grid.clone());
    let target = world.target(start);
    let places = around(grid, start, pursuers.count, seed);
    let chasers: Vec<Entity> = places
        .iter()
        .map(|&at| {
            let chaser = world.chaser(at, target);
            if pursuers.bodies {
                world.world().entity_mut(chaser).insert(Body::default());
            }
            chaser
        })
        .collect();
    let mut ghosts = Ghosts(places.clone());
    let mut pack = Pack::new(places.clone(), start);
    let mut flight = Flight::new(kind, start, seed);
    let mut shares = Shares::default();
    let (mut at, mut ways) = (places, vec![None; chasers.len()]);
    let mut searches = 0;
    for tick in 0..(WARM_UP + SECONDS) * TICK_RATE {
        let [x, y] = flight.tick(grid, &mut random, &at, tick);
        world.put_at(target, x, y);
        world.tick(1);
        let cell = world.cell(target);
        if tick.is_multiple_of(STEP_TICKS) {
            ghosts.step(grid, cell);
            pack.step(grid, cell);
        }
        if tick == WARM_UP * TICK_RATE {
            searches = world.diagnostics().total.searches();
        }
        let counts = tick >= WARM_UP * TICK_RATE;
        for ((&chaser, at), before) in chasers.iter().zip(&mut at).zip(&mut ways) {
            let now = world.cell(chaser);
            if let Some(way) = at.direction_to(now) {
                let is_back = before.is_some_and(|before: Direction| before.opposite() == way);
                shares.steps += u64::from(counts);
                shares.back += u64::from(counts && is_back);
                *before = Some(way);
            }
            *at = now;
        }
        if counts {
            let room = if pursuers.bodies {
                ring(grid, cell).len()
            } else {
                chasers.len()
            };
            let room = room.min(chasers.len());
            shares.room += room as u64;
            let beside = at.iter().filter(|&&at| is_beside(grid, at, cell)).count();
            shares.beside += beside.min(room) as u64;
            shares.ghosts += ghosts.beside(grid, cell).min(room) as u64;
            shares.pack += pack.beside(grid, cell).min(room) as u64;
        }
    }
    shares.searches = world.diagnostics().total.searches() - searches;
    shares.seconds = SECONDS * chasers.len() as u64;
    shares
}

/// So many cells to begin from, four to eight from the target, on one side of it.
fn around(grid: &Grid, start: Cell, count: usize, seed: u64) -> Vec<Cell> {
    let way = Direction::ALL[seed as usize % 8].delta();
    let camp = Cell::new(
        (i32::from(start.x) + 6 * way.0) as u16,
        (i32::from(start.y) + 6 * way.1) as u16,
    );
    let mut cells: Vec<Cell> = (0..9 * 9)
        .map(|n| Cell::new(camp.x + n % 9 - 4, camp.y + n / 9 - 4))
        .filter(|&cell| {
            let ways = grid.steps(cell, Rules::default());
            grid.is_walkable(cell) && !ways.is_empty() && cell.chebyshev(start) > 2
        })
        .collect();
    cells.sort_by_key(|cell| (cell.chebyshev(camp), *cell));
    cells.truncate(count);
    cells
}

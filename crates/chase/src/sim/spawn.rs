//! Where everybody starts.

use super::wander::Wanderer;
use crate::{
    Scenario,
    scenario::{ChaserTuning, Spawn},
};
use bevy_ecs::prelude::*;
use nav::{CellPosition, Chaser, Chasing, MoveTimer, OnMap, Period};
use nav_grid::{Cell, CornerRule, Grid, Method, Metric, Regions, Rules};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use std::time::Duration;

/// A scenario does not fit its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SimError {
    /// There is nowhere to stand.
    #[error("the map has no walkable cell: agents need at least one")]
    NoFloor,
    /// A chaser has nowhere to start.
    #[error(
        "no cell {min} to {max} away from the target at {target} can be walked to: use a wider \
         `spawn` or a larger map"
    )]
    NoRoomNear {
        /// Where the target starts.
        target: Cell,
        /// Smallest distance asked for.
        min: u16,
        /// Greatest distance asked for.
        max: u16,
    },
}

/// Starting cells. Chaser `n` chases target `n % targets.len()`.
pub(super) struct Places {
    targets: Vec<Cell>,
    chasers: Vec<Cell>,
}

/// Draws starting cells, all of them in the largest region of the map: a designer does not put
/// players into sealed rooms.
pub(super) fn places(scenario: &Scenario, grid: &Grid) -> Result<Places, SimError> {
    let region = Region::largest(grid);
    if region.cells.is_empty() {
        return Err(SimError::NoFloor);
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(scenario.seed);
    let anywhere = |random: &mut Xoshiro256PlusPlus| {
        region.cells[random.random_range(0..region.cells.len() as u64) as usize]
    };
    let targets: Vec<Cell> = (0..scenario.targets)
        .map(|_| anywhere(&mut random))
        .collect();
    let chasers = (0..scenario.chasers as usize).map(|n| match scenario.spawn {
        Spawn::Anywhere => Ok(anywhere(&mut random)),
        Spawn::Near { min, max } => {
            let target = targets[n % targets.len()];
            region
                .near(target, min, max, &mut random)
                .ok_or(SimError::NoRoomNear { target, min, max })
        }
    });
    let chasers = chasers.collect::<Result<_, _>>()?;
    Ok(Places { targets, chasers })
}

pub(super) fn spawn(world: &mut World, scenario: &Scenario, map: Entity, places: &Places) {
    let period = seconds(scenario.target.step_seconds);
    let targets: Vec<Entity> = places
        .targets
        .iter()
        .zip(1u64..)
        .map(|(&cell, number)| {
            // Far apart in the space of seeds, whatever the scenario's seed is.
            let seed = scenario.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let wanderer = Wanderer::new(seed, period);
            world
                .spawn((
                    nav::AgentId::default(),
                    OnMap(map),
                    CellPosition::at(cell),
                    wanderer,
                ))
                .id()
        })
        .collect();
    let (chaser, timer) = tuning(&scenario.chaser, scenario.method);
    for (n, &cell) in places.chasers.iter().enumerate() {
        let chasing = Chasing(targets[n % targets.len()]);
        world.spawn((OnMap(map), CellPosition::at(cell), chaser, timer, chasing));
    }
}

fn tuning(tuning: &ChaserTuning, method: Method) -> (Chaser, MoveTimer) {
    let chaser = Chaser {
        repath_interval: seconds(tuning.repath_seconds),
        displacement: tuning.displacement as f32,
        rules: tuning.rules(),
        heuristic: tuning.heuristic,
        limits: tuning.limits(),
        fallback: tuning.fallback,
        method,
        ..Chaser::default()
    };
    let timer = MoveTimer {
        chasing: seconds(tuning.step_seconds),
        idle: seconds(tuning.idle_seconds),
        ..MoveTimer::default()
    };
    (chaser, timer)
}

/// A checked scenario holds no negative or endless time.
fn seconds(seconds: f64) -> Period {
    Duration::try_from_secs_f64(seconds)
        .unwrap_or(Duration::MAX)
        .into()
}

/// Walkable cells that can all be walked between.
struct Region {
    /// In reading order.
    cells: Vec<Cell>,
}

impl Region {
    /// The largest region; the first in reading order among equals.
    fn largest(grid: &Grid) -> Self {
        // Straight steps connect whatever strict corners connect.
        let rules = Rules::new(Metric::FourWay, CornerRule::Strict);
        let regions = Regions::of(grid, rules);
        let largest = regions.largest();
        let inside = |cell: &Cell| regions.label(*cell) == largest;
        Self {
            cells: grid.walkable_cells().filter(inside).collect(),
        }
    }

    /// A random cell from `min` to `max` columns or rows away from `centre`.
    fn near(
        &self,
        centre: Cell,
        min: u16,
        max: u16,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<Cell> {
        /// On ground that is one part in ten free, all of them miss once in 800 times.
        const TRIES: u32 = 64;
        let (reach, side) = (i32::from(max), u32::from(max) * 2 + 1);
        for _ in 0..TRIES {
            let mut along = || random.random_range(0..side) as i32 - reach;
            let (dx, dy) = (along(), along());
            let x = u16::try_from(i32::from(centre.x) + dx);
            let y = u16::try_from(i32::from(centre.y) + dy);
            if let (Ok(x), Ok(y)) = (x, y) {
                let cell = Cell { x, y, ..centre };
                if cell.chebyshev(centre) >= min && self.cells.binary_search(&cell).is_ok() {
                    return Some(cell);
                }
            }
        }
        let fits = |cell: &&Cell| (min..=max).contains(&cell.chebyshev(centre));
        let count = self.cells.iter().filter(fits).count() as u64;
        let pick = random.random_range(0..count.max(1));
        self.cells.iter().filter(fits).nth(pick as usize).copied()
    }
}

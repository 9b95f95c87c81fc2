//! Targets that wander: straight on for a while, then in another direction.

use bevy_ecs::prelude::*;
use nav::{CellPosition, NavClock, NavMap, NavTime, OnMap, Period};
use nav_grid::{Direction, Rules};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde::{Deserialize, Serialize};

/// A wandering target.
///
/// Each has its own random numbers, so that its path does not depend on the order in which targets
/// are moved.
#[derive(Component, Clone, Serialize, Deserialize)]
pub struct Wanderer {
    random: Xoshiro256PlusPlus,
    heading: Direction,
    next_step: NavTime,
    period: Period,
}

/// One step in this many turns without need. A guess.
const STEPS_PER_TURN: u32 = 8;

impl Wanderer {
    pub(super) fn new(seed: u64, period: Period) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let heading = Direction::ALL[random.random_range(0..8u32) as usize];
        Self {
            random,
            heading,
            next_step: NavTime(0),
            period,
        }
    }

    /// Returns the time of its next step.
    pub const fn next_step(&self) -> NavTime {
        self.next_step
    }

    /// Puts its next step off to a moment, unless it is later anyway.
    pub fn wait_until(&mut self, moment: NavTime) {
        self.next_step = self.next_step.max(moment);
    }
}

/// Moves every target whose next step is due.
pub fn wander(
    clock: Res<NavClock>,
    maps: Query<&NavMap>,
    mut wanderers: Query<(&mut Wanderer, &OnMap, &mut CellPosition)>,
) {
    let now = clock.now();
    for (mut wanderer, on_map, mut position) in &mut wanderers {
        let Ok(map) = maps.get(on_map.0) else {
            continue;
        };
        if now < wanderer.next_step {
            continue;
        }
        let in_step = wanderer.next_step.after(wanderer.period);
        wanderer.next_step = if in_step > now {
            in_step
        } else {
            now.after(wanderer.period)
        };

        let ways = map.grid().steps(position.cell, Rules::default());
        let turn = wanderer.random.random_range(0..STEPS_PER_TURN) == 0;
        if turn || !ways.contains(wanderer.heading) {
            let Some(count) = ways.len().checked_sub(1) else {
                continue;
            };
            let pick = wanderer.random.random_range(0..=count);
            let Some(heading) = ways.into_iter().nth(pick as usize) else {
                continue;
            };
            wanderer.heading = heading;
        }
        if let Some(cell) = position.cell.step(wanderer.heading) {
            *position = CellPosition::at(cell);
        }
    }
}

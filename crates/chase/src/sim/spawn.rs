//! Where everybody starts.

use super::{
    places::{Places, target_of},
    wander::Wanderer,
};
use crate::{
    Scenario,
    scenario::{Bodies, ChaserTuning},
};
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, Chaser, Chasing, MoveTimer, OnMap, Period};
use nav_grid::{Cell, Footprint, Method};
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
    /// There are more chasers with bodies than cells for them.
    #[error(
        "{chasers} chasers with bodies find no room on the {cells} cells that can be walked to: \
         use fewer or a larger map"
    )]
    Full {
        /// Chasers asked for.
        chasers: u32,
        /// Cells of the largest region.
        cells: u64,
    },
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
        let chasing = Chasing(targets[target_of(n, scenario)]);
        let timer = if scenario.stagger {
            timer.staggered(n as u64)
        } else {
            timer
        };
        let agent = (OnMap(map), CellPosition::at(cell), chaser, timer, chasing);
        match scenario.bodies {
            Bodies::None => world.spawn(agent),
            Bodies::Soft => world.spawn((agent, Body::soft(Footprint::ONE))),
            Bodies::Solid => world.spawn((agent, Body::solid(Footprint::ONE))),
        };
    }
}

fn tuning(tuning: &ChaserTuning, method: Method) -> (Chaser, MoveTimer) {
    let chaser = Chaser {
        repath_interval: seconds(tuning.repath_seconds),
        displacement: tuning.displacement as f32,
        stop_distance: tuning.stop_distance,
        rules: tuning.rules(),
        heuristic: tuning.heuristic,
        limits: tuning.limits(),
        fallback: tuning.fallback,
        method,
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

//! Spawns the agents of a scenario.

use super::{
    error::SimError,
    places::{Places, footprint_of, places, target_of},
    wander::Wanderer,
};
use crate::{
    Scenario,
    scenario::{Bodies, ChaserTuning},
};
use bevy_ecs::prelude::*;
use nav::{AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavMap, OnMap, Pace, Period};
use nav_grid::Method;
use std::time::Duration;

/// Spawns all agents of a scenario on a map in the world.
///
/// # Errors
///
/// [`SimError`] if the map has no room for them.
pub fn spawn_agents(world: &mut World, scenario: &Scenario, map: Entity) -> Result<(), SimError> {
    let Some(grid) = world.get::<NavMap>(map).map(|map| map.grid().clone()) else {
        return Ok(());
    };
    let places = places(scenario, &grid)?;
    spawn(world, scenario, map, &places);
    Ok(())
}

/// Spawns targets, idle bodies and chasers in the cells of `places`.
pub(super) fn spawn(world: &mut World, scenario: &Scenario, map: Entity, places: &Places) {
    let period = seconds(scenario.target.step_seconds);
    let targets: Vec<Entity> = places
        .targets
        .iter()
        .zip(1u64..)
        .map(|(&cell, number)| {
            // Multiplication by the golden ratio spreads seeds, whatever the scenario's seed is.
            let seed = scenario.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let place = (AgentId::default(), OnMap(map), CellPosition::at(cell));
            if scenario.target.stands {
                world.spawn(place).id()
            } else {
                world.spawn((place, Wanderer::new(seed, period))).id()
            }
        })
        .collect();
    for &cell in &scenario.idle {
        let place = (AgentId::default(), OnMap(map), CellPosition::at(cell));
        world.spawn((place, Body::default()));
    }
    let (mut chaser, timer) = tuning(&scenario.chaser, scenario.method);
    for (n, &cell) in places.chasers.iter().enumerate() {
        let chasing = Chasing(targets[target_of(n, scenario)]);
        let timer = if scenario.stagger {
            timer.staggered(n as u64)
        } else {
            timer
        };
        let footprint = footprint_of(n, scenario);
        chaser.rules = chaser.rules.with_footprint(footprint);
        let agent = (OnMap(map), CellPosition::at(cell), chaser, timer, chasing);
        match scenario.bodies {
            Bodies::None => world.spawn(agent),
            Bodies::Soft => world.spawn((agent, Body::soft(footprint))),
            Bodies::Solid => world.spawn((agent, Body::solid(footprint))),
        };
    }
}

fn tuning(tuning: &ChaserTuning, method: Method) -> (Chaser, MoveTimer) {
    let chaser = Chaser {
        repath_interval: seconds(tuning.repath_seconds),
        repath_distance: tuning.repath_distance as f32,
        repath_share: tuning.repath_share,
        stop_distance: tuning.stop_distance,
        stop_hysteresis: tuning.stop_hysteresis,
        reach: tuning.reach,
        reach_through_links: tuning.reach_through_links,
        rules: tuning.rules(),
        heuristic: tuning.heuristic,
        limits: tuning.limits(),
        fallback: tuning.fallback,
        method,
        pace: if tuning.pace_by_cost {
            Pace::ByCost
        } else {
            Pace::Even
        },
    };
    let timer = MoveTimer {
        chasing: seconds(tuning.step_seconds),
        idle: seconds(tuning.idle_seconds),
        ..MoveTimer::default()
    };
    (chaser, timer)
}

/// A checked scenario has no negative or infinite time.
fn seconds(seconds: f64) -> Period {
    Duration::try_from_secs_f64(seconds)
        .unwrap_or(Duration::MAX)
        .into()
}

//! The app of a zone: the scenario as in one process, and the agents of the zone.

use super::{Plan, ZonesError};
use crate::sim::{ZoneSim, zone_sim};
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_time::Time;
use nav::{AgentId, CellPosition, Chasing};
use nav_formats::MapFile;
use nav_zones::{ChaseAgent, Zone, ZonePlugin};
use std::time::Duration;

/// An app of a zone before its first tick, without agents.
pub(super) fn zone_app(
    plan: &Plan,
    map: &MapFile,
    plugin: ZonePlugin,
) -> Result<(App, Entity), ZonesError> {
    let ZoneSim { app, map } = zone_sim(&plan.scenario, map.clone(), plugin)?;
    Ok((app, map))
}

/// Spawns the agents that start in the zone: all of the scenario, so that they get the numbers that they have in one
/// process, but for those that start elsewhere.
pub(super) fn populate(app: &mut App, plan: &Plan, map: Entity) -> Result<(), ZonesError> {
    let world = app.world_mut();
    crate::sim::spawn_all(world, &plan.scenario, map)?;
    let zone = world.resource::<Zone>();
    let (id, layout) = (zone.id(), zone.layout().clone());
    let is_here = |place: &CellPosition| layout.zone_of(place.cell) == id;
    let mut chasers = world.query::<(Entity, &Chasing, &CellPosition)>();
    let chasers = chasers.iter(world).filter(|(.., place)| is_here(place));
    let chasers: Vec<(Entity, Entity)> = chasers.map(|(chaser, of, _)| (chaser, of.0)).collect();
    for (chaser, target) in chasers {
        if let Some(&target) = world.get::<AgentId>(target) {
            world.entity_mut(chaser).insert(ChaseAgent(target));
        }
    }
    let mut agents = world.query_filtered::<(Entity, &CellPosition), With<AgentId>>();
    let elsewhere = agents.iter(world).filter(|(_, place)| !is_here(place));
    let elsewhere: Vec<Entity> = elsewhere.map(|(agent, _)| agent).collect();
    for agent in elsewhere {
        world.despawn(agent);
    }
    Ok(())
}

/// Runs a tick that ends at a time of the world.
pub(super) fn tick(app: &mut App, time: Duration) {
    app.world_mut().resource_mut::<Time>().advance_to(time);
    app.update();
}

/// Why the zone of an app takes no part any more, if so.
pub(super) fn failure(app: &App) -> Result<(), ZonesError> {
    let failure = app.world().resource::<Zone>().failure();
    failure.map_or(Ok(()), |failure| Err(failure.into()))
}

/// How many agents live in the zone of an app.
pub(super) fn living(app: &App) -> u64 {
    let world = app.world();
    world.resource::<nav_zones::Agents>().living(world).count() as u64
}

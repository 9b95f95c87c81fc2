//! The app of a zone: the scenario as in one process, and the agents of the zone.

use crate::{Plan, ZonesError};
use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use bevy_time::Time;
use nav::{AgentId, CellPosition, Chasing, NavBudget, NavPlugin};
use nav_formats::MapFile;
use nav_grid::Footprint;
use nav_sim::sim::{Wanderer, add_threads, prepare, spawn_agents, wander};
use nav_zones::{ChaseAgent, Zone, ZonePlugin, ZoneSystems};
use std::{collections::BTreeSet, time::Duration};

/// Creates the app of a zone before its first tick, without agents. Returns it and its map. Each
/// update is a tick; [`tick`] sets the time.
pub(crate) fn zone_app(
    plan: &Plan,
    map: &MapFile,
    plugin: ZonePlugin,
) -> Result<(App, Entity), ZonesError> {
    let scenario = &plan.scenario;
    let expansions = scenario.budget;
    let mut app = App::new();
    add_threads(&mut app, scenario.threads_or_all());
    app.insert_resource(Time::<()>::default())
        .insert_resource(NavBudget::from(expansions))
        .add_plugins((
            NavPlugin::new(Update),
            plugin.in_schedule(Update).carry::<Wanderer>("wanderer"),
        ))
        .add_systems(Update, wander.before(ZoneSystems::Share));
    let mut map = prepare(map.clone(), scenario)?;
    // At once, so that it does not depend on the zone when its chasers need it.
    for &side in &scenario.sizes {
        let footprint = Footprint::new(side).unwrap_or_default();
        map.prepare(scenario.chaser.rules().with_footprint(footprint));
    }
    let map = app.world_mut().spawn(map).id();
    Ok((app, map))
}

/// Spawns the agents that start in the zone, except those `written` to the ledger.
///
/// Spawns all agents of the scenario, so that they get the same numbers as in one process, and
/// removes the agents that start elsewhere.
pub(crate) fn populate(
    app: &mut App,
    plan: &Plan,
    map: Entity,
    written: &BTreeSet<AgentId>,
) -> Result<(), ZonesError> {
    let world = app.world_mut();
    spawn_agents(world, &plan.scenario, map)?;
    let zone = world.resource::<Zone>();
    let (zone_id, layout) = (zone.id(), zone.layout().clone());
    let mut agents = world.query::<(Entity, &AgentId, &CellPosition, Option<&Chasing>)>();
    let mut chases: Vec<(Entity, ChaseAgent)> = Vec::new();
    let mut elsewhere: Vec<Entity> = Vec::new();
    for (agent, id, place, chasing) in agents.iter(world) {
        if layout.zone_of(place.cell) != zone_id || written.contains(id) {
            elsewhere.push(agent);
        } else if let Some(&target) = chasing.and_then(|of| world.get::<AgentId>(of.0)) {
            chases.push((agent, ChaseAgent(target)));
        }
    }
    for (agent, chase) in chases {
        world.entity_mut(agent).insert(chase);
    }
    for agent in elsewhere {
        world.despawn(agent);
    }
    Ok(())
}

/// Runs a tick that ends at a time of the world.
pub(crate) fn tick(app: &mut App, time: Duration) {
    app.world_mut().resource_mut::<Time>().advance_to(time);
    app.update();
}

/// Returns the error because of which the zone of an app does not take part any more, if any.
pub(crate) fn failure(app: &App) -> Result<(), ZonesError> {
    let failure = app.world().resource::<Zone>().failure();
    failure.map_or(Ok(()), |failure| Err(failure.into()))
}

/// Returns the number of agents that live in the zone of an app.
pub(crate) fn living(app: &App) -> u64 {
    let world = app.world();
    world.resource::<nav_zones::Agents>().living(world).len() as u64
}

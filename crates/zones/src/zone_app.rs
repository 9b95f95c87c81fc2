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
    let mut agents = world.query::<(Entity, &AgentId, &CellPosition)>();
    let elsewhere = agents.iter(world);
    let elsewhere = elsewhere.filter(|(_, id, place)| !is_here(place) || written.contains(id));
    let elsewhere: Vec<Entity> = elsewhere.map(|(agent, ..)| agent).collect();
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

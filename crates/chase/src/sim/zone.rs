//! A simulation of which a zone is run.

use super::{
    app::add_threads,
    error::SimError,
    places::places,
    prepare::prepare,
    spawn::spawn,
    wander::{Wanderer, wander},
};
use crate::Scenario;
use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use bevy_time::Time;
use nav::{NavBudget, NavMap, NavPlugin};
use nav_formats::MapFile;
use nav_zones::{ZonePlugin, ZoneSystems};

/// An app that has a zone of a scenario, without agents, and its map. Each update is a tick; whoever runs it sets the
/// time.
pub(crate) struct ZoneSim {
    pub(crate) app: App,
    pub(crate) map: Entity,
}

/// Builds the app of a zone.
///
/// # Errors
///
/// As [`run`](super::run).
pub(crate) fn zone_sim(
    scenario: &Scenario,
    map: MapFile,
    plugin: ZonePlugin,
) -> Result<ZoneSim, SimError> {
    let mut app = App::new();
    add_threads(&mut app, scenario.threads_or_all());
    app.insert_resource(Time::<()>::default())
        .insert_resource(NavBudget {
            expansions: scenario.budget,
        })
        .add_plugins((
            NavPlugin::new(Update),
            plugin.in_schedule(Update).carry::<Wanderer>("wanderer"),
        ))
        .add_systems(Update, wander.before(ZoneSystems::Share));
    let map = prepare(map, scenario)?;
    let map = app.world_mut().spawn(map).id();
    Ok(ZoneSim { app, map })
}

/// Spawns all agents of a scenario on a map.
///
/// # Errors
///
/// As [`run`](super::run).
pub(crate) fn spawn_all(
    world: &mut World,
    scenario: &Scenario,
    map: Entity,
) -> Result<(), SimError> {
    let Some(grid) = world.get::<NavMap>(map).map(|map| map.grid().clone()) else {
        return Ok(());
    };
    let places = places(scenario, &grid)?;
    spawn(world, scenario, map, &places);
    Ok(())
}

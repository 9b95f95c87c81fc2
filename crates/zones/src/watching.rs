//! Watching: the agents of all zones of a running world, in one app.

use crate::{
    OpenWorld, ZonesError,
    control::{Ask, ControlLine, WATCHER},
    shown::ShownZone,
};
use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use nav::{AgentId, CellPosition, NavMap, NavSystems, OnMap};
use nav_formats::MapFile;
use nav_grid::Cell;
use nav_server::{IsWatched, Source};
use nav_sim::{Scenario, sim::Shown};
use nav_zones::{ZoneId, nats::NatsConnection};
use std::{collections::BTreeMap, time::Duration};

/// A running world that is watched.
pub struct Watching {
    scenario: Scenario,
    map: MapFile,
    seen: SeenWorld,
}

/// The agents of all zones as they were last received.
#[derive(Resource)]
struct SeenWorld {
    connection: NatsConnection,
    line: ControlLine,
    zones: Vec<ZoneId>,
    agents: BTreeMap<AgentId, SeenAgent>,
    tick: u64,
}

struct SeenAgent {
    entity: Entity,
    /// Tick in which it was last received.
    tick: u64,
}

/// Ticks between two requests to the zones while any client watches: once per second at 20 Hz. A
/// guess.
const ASK_EVERY: u64 = 20;

/// Ticks without news after which an agent is removed: seven sendings of a zone.
const GONE: u64 = 30;

impl Watching {
    /// Opens a running world for watching.
    ///
    /// # Errors
    ///
    /// [`ZonesError`].
    pub fn open(world: OpenWorld) -> Result<Self, ZonesError> {
        let OpenWorld {
            connection,
            mut keeper,
            plan,
            ..
        } = world;
        let map = plan.map(&mut keeper)?;
        let seen = SeenWorld {
            line: ControlLine::open(&connection, WATCHER)?,
            connection,
            zones: plan.layout.zones().collect(),
            agents: BTreeMap::new(),
            tick: 0,
        };
        Ok(Self {
            scenario: plan.scenario,
            map,
            seen,
        })
    }

    /// Returns the agents of all zones, to be served.
    pub fn source(self) -> Source {
        let Self {
            scenario,
            map,
            seen,
        } = self;
        Source::show(scenario, map, |app: &mut App| {
            app.insert_resource(seen)
                .add_systems(FixedUpdate, look_on.before(NavSystems::All));
        })
    }
}

/// Moves agents to where their zones last reported them.
fn look_on(world: &mut World, maps: &mut QueryState<Entity, With<NavMap>>) {
    let Ok(map) = maps.single(world) else {
        return;
    };
    world.resource_scope(|world, mut seen: Mut<SeenWorld>| {
        if !seen.connection.is_connected() {
            // Agents stay where they were last seen.
            return;
        }
        seen.tick += 1;
        let is_watched = world.resource::<IsWatched>().0;
        if is_watched && seen.tick.is_multiple_of(ASK_EVERY) {
            for zone in seen.zones.clone() {
                // Ignored: while the broker is unavailable, nothing is shown.
                let _ = seen.line.ask(zone, Ask::Show);
            }
        }
        while let Ok(Some(shown)) = seen.line.receive::<ShownZone>(Duration::ZERO) {
            seen.zones = shown.zones;
            for (id, cell, how) in shown.agents {
                seen.show(world, id, (map, cell), how);
            }
        }
        let tick = seen.tick;
        seen.agents.retain(|_, agent| {
            let is_here = tick < agent.tick + GONE;
            if !is_here {
                world.despawn(agent.entity);
            }
            is_here
        });
    });
}

impl SeenWorld {
    fn show(&mut self, world: &mut World, id: AgentId, (map, cell): (Entity, Cell), how: Shown) {
        let tick = self.tick;
        let agent = self.agents.entry(id).or_insert_with(|| {
            let place = (OnMap(map), CellPosition::at(cell));
            let entity = world.spawn((id, place, how)).id();
            SeenAgent { entity, tick }
        });
        agent.tick = tick;
        let Ok(mut entity) = world.get_entity_mut(agent.entity) else {
            return;
        };
        if let Some(mut place) = entity.get_mut::<CellPosition>() {
            place.set_if_neq(CellPosition::at(cell));
        }
        if let Some(mut shown) = entity.get_mut::<Shown>() {
            shown.set_if_neq(how);
        }
    }
}

//! A world is saved in the middle of a chase, loaded into a fresh app, and goes on alike: the
//! fingerprints of both stay equal.
//!
//! The plugin keeps what outlives a tick in components and a few resources, all of them with serde.
//! Entities get other ids when they are loaded, so chases refer to their targets by `AgentId`.

use bevy_app::App;
use bevy_ecs::prelude::*;
use nav::{AgentId, AgentIds, FieldAnchor, NavClock, NavTimer, prelude::*};
use nav_examples::{app, run_seconds};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Serialize, Deserialize)]
struct Saved {
    clock: NavClock,
    ids: AgentIds,
    map: NavMap,
    agents: Vec<SavedAgent>,
}

#[derive(Serialize, Deserialize)]
struct SavedAgent {
    id: AgentId,
    place: CellPosition,
    /// Of targets.
    anchor: Option<FieldAnchor>,
    /// Of chasers.
    chase: Option<SavedChase>,
}

#[derive(Serialize, Deserialize)]
struct SavedChase {
    target: AgentId,
    tuning: Chaser,
    cursor: PathCursor,
    searches: NavTimer,
    moves: MoveTimer,
}

type Agent = (
    &'static AgentId,
    &'static CellPosition,
    Option<&'static FieldAnchor>,
    Option<(
        &'static Chasing,
        &'static Chaser,
        &'static PathCursor,
        &'static NavTimer,
        &'static MoveTimer,
    )>,
);

fn save(app: &mut App) -> Result<String, Box<dyn std::error::Error>> {
    let world = app.world_mut();
    let mut maps = world.query::<&NavMap>();
    let mut agents = world.query::<Agent>();
    let world = &*world;
    let id_of = |agent| world.get::<AgentId>(agent).copied().unwrap_or_default();
    let agents = agents
        .iter(world)
        .map(|(id, place, anchor, chase)| SavedAgent {
            id: *id,
            place: *place,
            anchor: anchor.copied(),
            chase: chase.map(|(chasing, tuning, cursor, searches, moves)| SavedChase {
                target: id_of(chasing.0),
                tuning: *tuning,
                cursor: cursor.clone(),
                searches: *searches,
                moves: *moves,
            }),
        });
    // A map as a value of its own: written as it is, read into another one.
    let map = serde_json::to_value(maps.single(world)?)?;
    Ok(serde_json::to_string(&Saved {
        clock: *world.resource(),
        ids: *world.resource(),
        map: serde_json::from_value(map)?,
        agents: agents.collect(),
    })?)
}

fn load(saved: &str) -> Result<App, Box<dyn std::error::Error>> {
    let Saved {
        clock,
        ids,
        map,
        agents,
    } = serde_json::from_str(saved)?;
    let mut app = app();
    app.insert_resource(clock).insert_resource(ids);
    let world = app.world_mut();
    let map = world.spawn(map).id();
    let mut entities = BTreeMap::new();
    for agent in &agents {
        let mut entity = world.spawn((agent.id, agent.place, OnMap(map)));
        if let Some(anchor) = agent.anchor {
            entity.insert(anchor);
        }
        entities.insert(agent.id, entity.id());
    }
    // Chases last, when all their targets are there.
    for agent in agents {
        let Some(chase) = agent.chase else {
            continue;
        };
        let target = *entities.get(&chase.target).ok_or("a target is missing")?;
        let chaser = entities[&agent.id];
        world.entity_mut(chaser).insert((
            chase.tuning,
            chase.cursor,
            chase.searches,
            chase.moves,
            Chasing(target),
        ));
    }
    Ok(app)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut app = app();
    let world = app.world_mut();
    let map = world.spawn(NavMap::new(Grid::open(64, 32)?)).id();
    // Targets need a number of their own to be referred to.
    let player = (AgentId(1000), CellPosition::new(50, 20), OnMap(map));
    let player = world.spawn(player).id();
    for n in 0..40 {
        let place = (CellPosition::new(n % 8, n / 8), OnMap(map));
        world.spawn((Chaser::default(), place, Chasing(player)));
    }
    run_seconds(&mut app, 3);

    let saved = save(&mut app)?;
    let mut other = load(&saved)?;
    println!("{} bytes saved in the middle of a chase", saved.len());
    for seconds in [0, 1, 5] {
        run_seconds(&mut app, seconds);
        run_seconds(&mut other, seconds);
        let [one, two] = [&mut app, &mut other].map(|app| nav::digest(app.world_mut()));
        println!("{seconds} s later: {one:016x} and {two:016x}");
        if one != two {
            return Err("the loaded world went another way".into());
        }
    }
    Ok(())
}

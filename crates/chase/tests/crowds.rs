//! What must hold in every tick of the crowd scenarios, and over a long time.

use bevy_ecs::prelude::*;
use chase::{Scenario, maps, memory, sim::Simulation};
use nav::{
    Body, BodyKind, CellPosition, ChasedBy, Chaser, Chasing, EditMap, MoveTimer, NavBudget,
    NavDiagnostics, NavMap, OnMap,
};
use nav_grid::{Cell, Edit, Grid};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use std::{collections::BTreeMap, path::Path};

/// A crowd scenario of so many chasers on its own map, and what it was like a tick before.
struct Watched {
    simulation: Simulation,
    places: BTreeMap<Entity, Cell>,
    budget: Option<u32>,
    /// Ticks in which each may not step again; a step takes five.
    stepped: BTreeMap<Entity, u64>,
    tick: u64,
}

impl Watched {
    fn new(name: &str, chasers: u32, budget: Option<u32>) -> Self {
        let base = Scenario::named(Path::new(name)).expect("a scenario of the program");
        let targets = (chasers / 100).max(1);
        let scenario = Scenario {
            chasers,
            targets,
            ..base
        };
        let map = maps::load(scenario.map.as_ref()).expect("a map that can be made");
        let mut simulation = Simulation::new(&scenario, map).expect("room for all");
        let expansions = budget;
        simulation
            .world_mut()
            .insert_resource(NavBudget { expansions });
        Self {
            simulation,
            places: BTreeMap::new(),
            budget,
            stepped: BTreeMap::new(),
            tick: 0,
        }
    }

    fn tick(&mut self) {
        self.simulation.tick();
        self.tick += 1;
        self.look();
    }

    /// Looks whether the tick was as it must be.
    fn look(&mut self) {
        let map = self.simulation.map();
        let world = self.simulation.world_mut();
        if let Some(budget) = self.budget {
            let expanded = world.resource::<NavDiagnostics>().last_tick.expanded;
            assert!(
                expanded <= budget.into(),
                "{expanded} of {budget} expansions"
            );
        }
        let mut solids = world.query_filtered::<(Entity, &CellPosition), With<Body>>();
        let places: BTreeMap<Entity, Cell> = solids
            .iter(world)
            .map(|(agent, place)| (agent, place.cell))
            .collect();
        let grid = world.get::<NavMap>(map).expect("the map").grid();
        let mut holders: BTreeMap<(u16, u16), Entity> = BTreeMap::new();
        for (&agent, &cell) in &places {
            let other = holders.insert((cell.x, cell.y), agent);
            assert_eq!(other, None, "{agent} shares {cell}");
        }
        for (&agent, &to) in &places {
            let Some(&from) = self.places.get(&agent).filter(|&&from| from != to) else {
                continue;
            };
            assert!(grid.is_walkable(to), "{agent} went into the wall at {to}");
            assert_eq!(from.chebyshev(to), 1, "{agent} went from {from} to {to}");
            let other = holders.get(&(from.x, from.y));
            let swapped = other.is_some_and(|other| self.places.get(other) == Some(&to));
            assert!(
                !swapped,
                "{agent} and another went through each other at {to}"
            );
            let before = self.stepped.insert(agent, self.tick);
            let soon = before.filter(|before| self.tick - before < 5);
            assert_eq!(soon, None, "{agent} stepped twice in a move tick");
        }
        self.places = places;
    }
}

#[test]
fn solid_crowds_keep_apart_in_every_tick() {
    for (name, chasers) in [("crowd-10k", 3000), ("crowd-100k", 2000)] {
        let mut watched = Watched::new(name, chasers, None);
        for _ in 0..200 {
            watched.tick();
        }
        let world = watched.simulation.world_mut();
        let total = world.resource::<NavDiagnostics>().total;
        assert!(total.steps > u64::from(chasers) * 5, "{name}: {total:?}");
    }
}

#[test]
fn a_crowd_keeps_to_its_budget() {
    let mut watched = Watched::new("crowd-10k", 1500, Some(4000));
    for _ in 0..200 {
        watched.tick();
    }
    let world = watched.simulation.world_mut();
    let total = world.resource::<NavDiagnostics>().total;
    assert!(total.steps > 1500, "{total:?}");
}

/// Minutes of simulated time; the suite runs a quarter of one.
fn soak_minutes() -> f64 {
    let minutes = std::env::var("CHASE_SOAK_MINUTES").ok();
    minutes
        .and_then(|minutes| minutes.parse().ok())
        .unwrap_or(0.25)
}

/// `CHASE_SOAK_MINUTES=30 cargo test --release -p chase --test crowds soak` for the long run, with
/// all ten thousand chasers.
#[test]
fn a_soak_with_edits_spawns_and_despawns() {
    let minutes = soak_minutes();
    let chasers = if minutes < 1.0 { 1000 } else { 10_000 };
    let seed = 5;
    println!("seed {seed}, {minutes} minutes, {chasers} chasers");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut watched = Watched::new("crowd-10k", chasers, None);
    let ticks = (minutes * 60.0 * 20.0) as u64;
    let mut warm = None;
    for tick in 0..ticks {
        disturb(&mut watched, &mut random);
        watched.tick();
        if tick == ticks / 3 {
            warm = memory::rss_bytes();
        }
    }
    if let (Some(warm), Some(end)) = (warm, memory::rss_bytes()) {
        println!("{} KiB warm, {} KiB at the end", warm / 1024, end / 1024);
        assert!(
            end < warm + warm / 4,
            "memory grew from {warm} to {end} bytes"
        );
    }
}

/// What a game does to a crowd: doors, arrivals, departures, players who leave mid-chase.
fn disturb(watched: &mut Watched, random: &mut Xoshiro256PlusPlus) {
    let map = watched.simulation.map();
    let world = watched.simulation.world_mut();
    let grid = world.get::<NavMap>(map).expect("the map").grid().clone();
    let mut pick = |grid: &Grid| {
        Cell::new(
            random.random_range(0..u32::from(grid.width())) as u16,
            random.random_range(0..u32::from(grid.height())) as u16,
        )
    };
    let free = |world: &mut World, cell: Cell| {
        let mut agents = world.query::<&CellPosition>();
        grid.is_walkable(cell) && agents.iter(world).all(|place| place.cell != cell)
    };
    // A cell closes or opens where nobody stands.
    let cell = pick(&grid);
    if free(world, cell) || !grid.is_walkable(cell) {
        let edit = Edit::Walkable(cell.into(), !grid.is_walkable(cell));
        EditMap { map, edit }.apply(world);
    }
    let at = pick(&grid);
    let mut chasers = world.query_filtered::<Entity, With<Chaser>>();
    let chasers: Vec<Entity> = chasers.iter(world).collect();
    let mut targets = world.query_filtered::<Entity, (With<ChasedBy>, Without<Chaser>)>();
    let targets: Vec<Entity> = targets.iter(world).collect();
    match random.random_range(0..40_u32) {
        // A chaser is gone, and another comes.
        0..10 => {
            let gone = chasers[random.random_range(0..chasers.len() as u32) as usize];
            let target = targets[random.random_range(0..targets.len() as u32) as usize];
            let chaser = *world.get::<Chaser>(gone).expect("a chaser");
            world.despawn(gone);
            watched.places.remove(&gone);
            watched.stepped.remove(&gone);
            if grid.is_walkable(at) && free(world, at) {
                let agent = (chaser, MoveTimer::default(), Chasing(target));
                let body = Body {
                    kind: BodyKind::Solid,
                    ..Body::default()
                };
                world.spawn((agent, body, OnMap(map), CellPosition::at(at)));
            }
        }
        // A player leaves, and all who chased it turn to another.
        10 => {
            let gone = targets[random.random_range(0..targets.len() as u32) as usize];
            let orphans: Vec<Entity> = world
                .get::<ChasedBy>(gone)
                .map_or(Vec::new(), |chased| chased.iter().collect());
            world.despawn(gone);
            let player = world.spawn((OnMap(map), CellPosition::at(at))).id();
            for orphan in orphans {
                world.entity_mut(orphan).insert(Chasing(player));
            }
        }
        _ => {}
    }
}

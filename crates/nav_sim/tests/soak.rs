//! A crowd over a long time: its invariants hold and memory does not grow. Alone in its process,
//! whose memory it measures.

mod checked_crowd;

use bevy_ecs::prelude::*;
use checked_crowd::CheckedCrowd;
use nav::{
    Body, BodyKind, CellPosition, ChasedBy, Chaser, Chasing, MoveTimer, NavMap, OnMap,
    maps::EditMap,
};
use nav_grid::{Cell, Edit, Grid};
use nav_sim::memory;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

/// Half an hour with ten thousand chasers if `NAV_SOAK` is set, best in release; otherwise a
/// quarter of a minute with a thousand.
#[test]
fn edits_spawns_and_despawns() {
    let is_long = std::env::var_os("NAV_SOAK").is_some();
    let (minutes, chasers) = if is_long {
        (30.0, 10_000)
    } else {
        (0.25, 1_000)
    };
    let seed = 5;
    println!("seed {seed}, {minutes} minutes, {chasers} chasers");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut crowd = CheckedCrowd::new("crowd-10k", chasers, None);
    let ticks = (minutes * 60.0 * 20.0) as u64;
    // By then the memory of the rarest searches is there: those over the whole map, for players in
    // walls.
    let warm_at = ticks / 4 * 3;
    let mut warm = None;
    for tick in 0..ticks {
        disturb(&mut crowd, &mut random);
        crowd.tick();
        if tick == warm_at {
            warm = memory::rss_bytes();
        }
    }
    if let (Some(warm), Some(end)) = (warm, memory::rss_bytes()) {
        println!("{} KiB warm, {} KiB at the end", warm / 1024, end / 1024);
        assert!(
            end < warm + warm / 8,
            "memory grew from {warm} to {end} bytes"
        );
    }
}

/// Changes a crowd as a game does: doors, arrivals, departures, players that leave mid-chase.
fn disturb(crowd: &mut CheckedCrowd, random: &mut Xoshiro256PlusPlus) {
    let map = crowd.simulation.map();
    let world = crowd.simulation.world_mut();
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
    // A free cell closes, or a closed one opens.
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
        // A chaser is replaced by another.
        0..10 => {
            let gone = chasers[random.random_range(0..chasers.len() as u32) as usize];
            let target = targets[random.random_range(0..targets.len() as u32) as usize];
            let chaser = *world.get::<Chaser>(gone).expect("a chaser");
            world.despawn(gone);
            crowd.places.remove(&gone);
            crowd.stepped.remove(&gone);
            if grid.is_walkable(at) && free(world, at) {
                let agent = (chaser, MoveTimer::default(), Chasing(target));
                let body = Body {
                    kind: BodyKind::Solid,
                    ..Body::default()
                };
                world.spawn((agent, body, OnMap(map), CellPosition::at(at)));
            }
        }
        // A player leaves, and all its chasers turn to another.
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

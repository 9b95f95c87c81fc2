//! Zombies after fifty players: each goes for the one with the shortest way, by one field for the
//! whole group. The same zombies sent after the player who is nearest in a straight line come
//! later; all after one player show what a tick costs without a group.
//!
//! `cargo run --release --example nearest_of_many -- 10000` is a larger crowd.

use bevy_ecs::prelude::*;
use nav::groups::{ChasingGroup, InGroup, TargetGroup};
use nav::prelude::*;
use nav_examples::app;
use std::time::Instant;

/// The targets of the zombies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whom {
    One,
    NearestInLine,
    NearestByWay,
}

/// Columns and rows of the map.
const SIDE: u16 = 1024;

/// Players of the group.
const PLAYERS: usize = 50;

/// Seconds of a run, about the time in which a zombie crosses a quarter of the map.
const SECONDS: u32 = 60;

fn main() -> Result {
    let zombies = std::env::args().nth(1);
    let zombies = zombies.map_or(Ok(1_000), |number| number.parse())?;
    let mut arrived = Vec::new();
    for whom in [Whom::One, Whom::NearestInLine, Whom::NearestByWay] {
        let (mean_ms, mean_steps, count) = run(whom, zombies)?;
        println!(
            "{whom:?}: {mean_ms:.3} ms a tick; {count} zombies came to a player, after {mean_steps:.1} s on average"
        );
        arrived.push((count, mean_steps));
    }
    assert!(
        arrived[2].0 >= arrived[1].0,
        "nobody comes later by the shortest way"
    );
    Ok(())
}

/// Runs a chase. Returns the mean time of a tick in milliseconds, when zombies came to a player on
/// average, in seconds, and how many did.
fn run(whom: Whom, zombies: usize) -> Result<(f64, f64, u32)> {
    let mut app = app();
    let world = app.world_mut();
    let grid = mapgen::generate(mapgen::Kind::Rooms, SIDE, SIDE, 1)?;
    let ground: Vec<Cell> = grid.walkable_cells().collect();
    let mut nav_map = NavMap::new(grid.clone());
    nav_map.prepare(Rules::default());
    let map = world.spawn(nav_map).id();
    let group = world.spawn(TargetGroup).id();
    // Places far apart in the list of all cells.
    let place = |number: usize| ground[number * 7_919 % ground.len()];
    let players: Vec<Entity> = (0..PLAYERS)
        .map(|number| {
            let at = CellPosition::at(place(number * 431));
            world.spawn((OnMap(map), at, InGroup(group))).id()
        })
        .collect();
    let mut waiting = Vec::new();
    for number in 0..zombies {
        let cell = place(number + 100_000);
        let timer = MoveTimer::default().staggered(number as u64);
        let zombie = world.spawn((Chaser::default(), timer, OnMap(map), CellPosition::at(cell)));
        let zombie = zombie.id();
        waiting.push(zombie);
        let in_line = players.iter().copied().min_by_key(|&player| {
            let at = world.get::<CellPosition>(player);
            at.map(|at| at.cell.chebyshev(cell))
        });
        match whom {
            Whom::One => world.entity_mut(zombie).insert(Chasing(players[0])),
            Whom::NearestInLine => world
                .entity_mut(zombie)
                .insert(Chasing(in_line.unwrap_or(players[0]))),
            Whom::NearestByWay => world.entity_mut(zombie).insert(ChasingGroup::new(group)),
        };
    }
    let (mut time, mut arrived, mut came) = (0.0, 0_u32, 0.0);
    for tick in 0..SECONDS * 20 {
        if tick % 5 == 0 {
            walk(&mut app, &grid, &players, tick);
        }
        time += timed(&mut app);
        waiting.retain(|&zombie| {
            let cursor = app.world().get::<PathCursor>(zombie);
            let is_there = cursor.is_some_and(|cursor| cursor.state() == ChaseState::Reached);
            if is_there {
                arrived += 1;
                came += f64::from(tick) / 20.0;
            }
            !is_there
        });
    }
    let ticks = f64::from(SECONDS * 20);
    Ok((
        time * 1000.0 / ticks,
        came / f64::from(arrived.max(1)),
        arrived,
    ))
}

/// Runs a tick, and returns how long it took, in seconds.
#[expect(clippy::disallowed_methods, reason = "the example measures time")]
fn timed(app: &mut bevy_app::App) -> f64 {
    let begun = Instant::now();
    app.update();
    begun.elapsed().as_secs_f64()
}

/// Each player takes a step, mostly on in the same direction.
fn walk(app: &mut bevy_app::App, grid: &Grid, players: &[Entity], tick: u32) {
    for (number, &player) in players.iter().enumerate() {
        let Some(mut at) = app.world_mut().get_mut::<CellPosition>(player) else {
            continue;
        };
        let steps = grid.steps(at.cell, Rules::default());
        let turn = (number + tick as usize / 40) % 8;
        let way = steps.into_iter().cycle().nth(turn);
        if let Some(cell) = way.and_then(|way| at.cell.step(way)) {
            *at = CellPosition::at(cell);
        }
    }
}

//! The cost of 100 watchers that see 10,000 chasers, and the bytes of their packets.
//!
//! All chase one of 100 players, which walk about on a map of 512×512 cells with obstacles. Each
//! player watches.

use bevy_app::{App, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use mapgen::Kind;
use nav::{
    CellPosition, Chaser, Chasing, MoveTimer, NavMap, NavPlugin, NavSystems, OnMap, Screens,
};
use nav_grid::{Cell, Rules};
use nav_sync::{NavSyncPlugin, NavSyncSystems, SyncCounts, SyncId, SyncSettings, Watcher};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use std::time::Instant;

const CHASERS: u64 = 10_000;
const WATCHERS: u64 = 100;
const SIDE: u16 = 512;
const TICK_RATE: f64 = 20.0;

/// Timed ticks, and with `--test` the few that show that it runs.
const TICKS: usize = 600;
const TICKS_OF_A_TEST: usize = 20;
/// The bar of the packets of a tick, in milliseconds: the median, and the worst.
const BAR: f64 = 1.0;

/// The start of the packets of a tick, and their time.
#[derive(Resource)]
struct Timing {
    begun: Instant,
    millis: Vec<f64>,
}

#[expect(
    clippy::disallowed_methods,
    reason = "measuring cost is what this program is for; the result is only reported"
)]
fn now() -> Instant {
    Instant::now()
}

fn begin(mut timing: ResMut<Timing>) {
    timing.begun = now();
}

fn end(mut timing: ResMut<Timing>) {
    let millis = now().duration_since(timing.begun).as_secs_f64() * 1000.0;
    timing.millis.push(millis);
}

fn main() {
    let test = std::env::args().any(|argument| argument == "--test");
    let ticks = if test { TICKS_OF_A_TEST } else { TICKS };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin))
        .add_plugins((NavPlugin::default(), NavSyncPlugin::default()))
        .insert_resource(bevy_time::Time::<bevy_time::Fixed>::from_hz(TICK_RATE))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Timing {
            begun: now(),
            millis: Vec::new(),
        })
        .add_systems(
            bevy_app::FixedUpdate,
            (
                begin.after(NavSystems::All).before(NavSyncSystems),
                end.after(NavSyncSystems),
            ),
        );
    let players = populate(&mut app, &mut random);

    for _ in 0..40 {
        wander(&mut app, &players, &mut random);
        app.update();
        drain(&mut app, &players);
    }
    app.world_mut().resource_mut::<Timing>().millis.clear();
    let before = *app.world().resource::<SyncCounts>();
    let (mut json, mut postcard) = (0, 0);
    for _ in 0..ticks {
        wander(&mut app, &players, &mut random);
        app.update();
        let (in_json, in_postcard) = drain(&mut app, &players);
        json += in_json;
        postcard += in_postcard;
    }
    let counts = *app.world().resource::<SyncCounts>();
    let mut millis = std::mem::take(&mut app.world_mut().resource_mut::<Timing>().millis);
    millis.sort_unstable_by(f64::total_cmp);
    let (median, worst) = (millis[millis.len() / 2], millis[millis.len() - 1]);
    let p99 = millis[millis.len() * 99 / 100];
    let each = |count: u64| count as f64 / ticks as f64;
    println!("{ticks} ticks, {CHASERS} chasers, {WATCHERS} watchers");
    println!("ms a tick      p50 {median:.3}, p99 {p99:.3}, most {worst:.3}");
    println!(
        "a tick         {:.0} paths read, {:.0} steps, {:.0} strays, {:.0} updates in packets",
        each(counts.paths - before.paths),
        each(counts.steps - before.steps),
        each(counts.strays - before.strays),
        each(counts.updates - before.updates),
    );
    let a_second = |bytes: usize| bytes as f64 / ticks as f64 * TICK_RATE / WATCHERS as f64;
    println!(
        "bytes/s each   JSON {:.0}, postcard {:.0}",
        a_second(json),
        a_second(postcard)
    );
    let settings = *app.world().resource::<SyncSettings>();
    let most = u64::from(settings.budget + u32::from(settings.steps));
    assert!(
        counts.steps_most <= most,
        "{} steps in a tick",
        counts.steps_most
    );
    assert!(counts.updates > before.updates && postcard < json);
    if !test {
        assert!(median <= BAR, "packets cost {median:.3} ms a tick");
    }
}

/// Makes a map with players that watch, and chasers around them.
fn populate(app: &mut App, random: &mut Xoshiro256PlusPlus) -> Vec<Entity> {
    let grid = mapgen::generate(Kind::Mixed, SIDE, SIDE, 1).expect("a map of this size");
    let ground: Vec<Cell> = grid.walkable_cells().collect();
    let mut anywhere = || ground[random.random_range(0..ground.len() as u32) as usize];
    let world = app.world_mut();
    let map = world.spawn((NavMap::new(grid), Screens::default())).id();
    let players: Vec<Entity> = (0..WATCHERS)
        .map(|number| {
            let place = (OnMap(map), CellPosition::at(anywhere()));
            world
                .spawn((place, SyncId(number), Watcher::default()))
                .id()
        })
        .collect();
    for number in 0..CHASERS {
        let target = players[(number % WATCHERS) as usize];
        let place = (OnMap(map), CellPosition::at(anywhere()));
        let timer = MoveTimer::default().staggered(number);
        let id = SyncId(WATCHERS + number);
        world.spawn((Chaser::default(), Chasing(target), place, timer, id));
    }
    // Chasers begin near their targets, as they would when they notice them.
    let mut chasers = world.query::<(&Chasing, &mut CellPosition)>();
    let near: Vec<Cell> = players
        .iter()
        .filter_map(|&player| world.get::<CellPosition>(player))
        .map(|place| place.cell)
        .collect();
    for (number, (chasing, mut place)) in chasers.iter_mut(world).enumerate() {
        let Some(player) = players.iter().position(|&player| player == chasing.0) else {
            continue;
        };
        let around = ground
            .iter()
            .filter(|cell| cell.chebyshev(near[player]) <= 18);
        let count = around.clone().count().max(1);
        if let Some(&cell) = around.into_iter().nth(number * 7919 % count) {
            *place = CellPosition::at(cell);
        }
    }
    players
}

/// Moves each player a step now and then: two and a half a second.
fn wander(app: &mut App, players: &[Entity], random: &mut Xoshiro256PlusPlus) {
    let world = app.world_mut();
    let Some(map) = world.get::<OnMap>(players[0]).map(|on_map| on_map.0) else {
        return;
    };
    for &player in players {
        if random.random_range(0..8) > 0 {
            continue;
        }
        let Some(place) = world.get::<CellPosition>(player).copied() else {
            continue;
        };
        let Some(nav_map) = world.get::<NavMap>(map) else {
            continue;
        };
        let ways = nav_map.grid().steps(place.cell, Rules::default());
        let ways: Vec<_> = ways.into_iter().collect();
        if ways.is_empty() {
            continue;
        }
        let way = ways[random.random_range(0..ways.len() as u32) as usize];
        if let Some(to) = place.cell.step(way) {
            world.entity_mut(player).insert(CellPosition::at(to));
        }
    }
}

/// Takes all packets. Returns their bytes in JSON and in postcard.
fn drain(app: &mut App, players: &[Entity]) -> (usize, usize) {
    let (mut json, mut postcard) = (0, 0);
    for &player in players {
        let Some(mut watcher) = app.world_mut().get_mut::<Watcher>(player) else {
            continue;
        };
        for packet in watcher.drain() {
            json += packet.to_json().map_or(0, |text| text.len());
            postcard += packet.to_postcard().map_or(0, |bytes| bytes.len());
        }
    }
    (json, postcard)
}

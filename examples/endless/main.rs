//! A world without end: hunters run after a player through chunks that are loaded ahead and shut
//! behind, on one map that is a window and moves along. Prints what a chunk costs.

mod world;

use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use nav::prelude::*;
use nav_behaviour::BehaviourPlugins;
use nav_examples::app;
use std::time::{Duration, Instant};
use world::{Endless, Hunter, SIDE, hunt, keep_window, walk};

/// How many hunters there are.
const HUNTERS: usize = 1_000;

/// How many chunks the player crosses, unless a number is given.
const CHUNKS: u32 = 60;

/// What keeping the window took in a tick, and what was done.
#[derive(Resource, Default)]
struct Costs {
    chunks: Vec<(Duration, u32)>,
    moves: Vec<Duration>,
}

#[expect(clippy::disallowed_methods, reason = "the example measures time")]
fn now() -> Instant {
    Instant::now()
}

/// Keeps the window, and notes what it takes.
fn keep_window_timed(world: &mut World) -> Result {
    let done = |world: &World| {
        let endless = world.resource::<Endless>();
        (endless.loaded + endless.shut, endless.moves)
    };
    let (chunks, moves) = done(world);
    let start = now();
    keep_window(world)?;
    let took = start.elapsed();
    let (chunks_now, moves_now) = done(world);
    let mut costs = world.resource_mut::<Costs>();
    if moves_now > moves {
        costs.moves.push(took);
    } else if chunks_now > chunks {
        costs.chunks.push((took, chunks_now - chunks));
    }
    Ok(())
}

/// The time of ticks in which chunks were loaded or shut, and of all others.
#[derive(Default)]
struct Ticks {
    busy: Vec<Duration>,
    calm: Vec<Duration>,
    /// The chunks loaded or shut in busy ticks.
    chunks: u32,
}

fn chunks_changed(app: &App) -> u32 {
    let endless = app.world().resource::<Endless>();
    endless.loaded + endless.shut
}

/// Runs for some ticks, and takes the time of each.
fn run(app: &mut App, ticks: u32) -> Ticks {
    let mut times = Ticks::default();
    for _ in 0..ticks {
        let (start, before) = (now(), chunks_changed(app));
        app.update();
        let changed = chunks_changed(app) - before;
        times.chunks += changed;
        let list = if changed > 0 {
            &mut times.busy
        } else {
            &mut times.calm
        };
        list.push(start.elapsed());
    }
    times
}

fn mean(times: &[Duration]) -> Duration {
    times.iter().sum::<Duration>() / times.len().max(1) as u32
}

fn longest(times: &[Duration]) -> Duration {
    times.iter().max().copied().unwrap_or_default()
}

/// Prints what chunks and moves of the window cost.
fn tell_costs(costs: &Costs, ticks: &Ticks) {
    let each = costs.chunks.iter().map(|&(took, chunks)| took / chunks);
    let each: Vec<Duration> = each.collect();
    println!(
        "a chunk loaded or shut: {:.1?}, at most {:.1?}",
        mean(&each),
        longest(&each)
    );
    let (moved, most) = (mean(&costs.moves), longest(&costs.moves));
    println!("a move of the window, with ten chunks: {moved:.1?}, at most {most:.1?}");
    let (calm, busy) = (mean(&ticks.calm), mean(&ticks.busy));
    println!("a tick: {calm:.1?}; with chunks {busy:.1?}");
    let more = busy.saturating_sub(calm) * ticks.busy.len() as u32 / ticks.chunks.max(1);
    println!("a chunk, with all that the plugin does about it in that tick: {more:.1?}");
}

fn main() -> Result {
    let chunks = std::env::args().nth(1);
    let chunks = chunks.map_or(Ok(CHUNKS), |chunks| chunks.parse())?;
    let mut app = app();
    app.add_plugins(BehaviourPlugins::default())
        .init_resource::<Costs>();
    let player = Endless::begin(app.world_mut())?;
    let steps = (walk, keep_window_timed).chain();
    app.add_systems(FixedUpdate, steps.before(NavSystems::Behave));
    for n in 0..HUNTERS as i32 {
        // In lanes, around the player.
        hunt(app.world_mut(), (2 + n % 30 * 4, 2 + n / 30 * 4 % 120))?;
    }
    let ticks = run(&mut app, chunks * SIDE as u32);

    let world = app.world_mut();
    let at = world.get::<CellPosition>(player).ok_or("no player")?.cell;
    let mut hunters = world.query_filtered::<(), With<Hunter>>();
    let near = hunters.iter(world).count();
    let endless = world.resource::<Endless>();
    let away: usize = endless.away.values().map(Vec::len).sum();
    println!(
        "the player is at {:?}, {chunks} chunks on",
        endless.place(at)
    );
    let Endless {
        loaded,
        shut,
        moves,
        ..
    } = endless;
    println!("{loaded} chunks loaded, {shut} shut; the window moved {moves} times");
    println!("{near} hunters are near, {away} are put away");
    assert_eq!(near + away, HUNTERS, "none is lost");
    tell_costs(world.resource::<Costs>(), &ticks);
    Ok(())
}

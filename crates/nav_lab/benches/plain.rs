//! The plugin against a plain app: 10,000 chasers by the plugin, and by an app that runs one search
//! of the crate `pathfinding` for each of them.
//!
//! Both run the scenario `plain-10k`: the same map, the same starting cells, and targets on the
//! same cell in every tick. Both must bring the chasers equally near.

use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use nav::{CellPosition, ChasedBy, Chaser, Chasing};
use nav_grid::{Cell, Grid, Metric, Rules};
use nav_sim::{Scenario, clock::Stopwatch, maps, sim::Simulation};
use pathfinding::prelude::astar;
use std::{path::Path, time::Duration};

/// Timed ticks, and with `--test` the few that show that it runs.
const TICKS: usize = 1200;
const TICKS_OF_A_TEST: usize = 40;

/// Ticks between two searches of one chaser, at the least.
const REPATH_TICKS: u32 = 10;
const RADIUS: u16 = 20;

fn main() {
    let test = std::env::args().any(|argument| argument == "--test");
    let ticks = if test { TICKS_OF_A_TEST } else { TICKS };
    let scenario =
        Scenario::named(Path::new("plain-10k")).expect("a scenario that is part of the program");
    let map = maps::load(scenario.map.as_ref()).expect("a map that can be made");
    let grid = map.grid.clone();

    let mut simulation = Simulation::new(&scenario, map).expect("room for all agents");
    let (chasers, targets) = agents(simulation.world_mut());
    let starts: Vec<Cell> = cells(simulation.world_mut(), &chasers);
    let chased: Vec<usize> = chasers
        .iter()
        .map(|&chaser| {
            let chasing = simulation.world_mut().get::<Chasing>(chaser);
            let target = chasing.expect("everybody chases").0;
            targets
                .iter()
                .position(|&other| other == target)
                .expect("one of them")
        })
        .collect();
    let mut walks = Vec::with_capacity(ticks);
    let plugin = timed(ticks, || {
        let stopwatch = Stopwatch::start();
        simulation.tick();
        let time = stopwatch.elapsed();
        walks.push(cells(simulation.world_mut(), &targets));
        time
    });
    let by_plugin = Nearness::of(
        &cells(simulation.world_mut(), &chasers),
        &chased,
        walks.last(),
    );

    let mut app = plain_app(grid, &starts, &chased);
    let mut walk = walks.iter();
    let plain = timed(ticks, || {
        app.world_mut()
            .resource_mut::<Targets>()
            .0
            .clone_from(walk.next().expect("as many"));
        let stopwatch = Stopwatch::start();
        app.update();
        stopwatch.elapsed()
    });
    let mut followers = app.world_mut().query::<&Follower>();
    let places: Vec<Cell> = followers
        .iter(app.world())
        .map(|follower| follower.at)
        .collect();
    let by_plain = Nearness::of(&places, &chased, walks.last());

    println!(
        "{ticks} ticks, {} chasers, {} targets",
        chasers.len(),
        targets.len()
    );
    println!(
        "{:<22} {:>9} {:>9} {:>9}   near its target",
        "", "mean ms", "p50 ms", "p99 ms"
    );
    plugin.print("plugin", &by_plugin);
    plain.print("plain, pathfinding", &by_plain);
    println!("ratio of means {:.1}", plain.mean / plugin.mean);
    assert!(
        by_plugin.near + chasers.len() / 50 >= by_plain.near,
        "the plugin brings {} near, the plain app {}",
        by_plugin.near,
        by_plain.near
    );
    if !test {
        assert!(plugin.mean < plain.mean, "the plugin is no faster");
    }
}

fn agents(world: &mut World) -> (Vec<Entity>, Vec<Entity>) {
    let mut chasers = world.query_filtered::<Entity, With<Chaser>>();
    let mut targets = world.query_filtered::<Entity, With<ChasedBy>>();
    let (mut chasers, mut targets): (Vec<_>, Vec<_>) =
        (chasers.iter(world).collect(), targets.iter(world).collect());
    chasers.sort_unstable();
    targets.sort_unstable();
    (chasers, targets)
}

fn cells(world: &World, agents: &[Entity]) -> Vec<Cell> {
    let cell = |&agent| world.get::<CellPosition>(agent).map(|place| place.cell);
    agents.iter().filter_map(cell).collect()
}

/// The number of chasers within two steps of their targets.
struct Nearness {
    near: usize,
    of: usize,
}

impl Nearness {
    fn of(places: &[Cell], chased: &[usize], targets: Option<&Vec<Cell>>) -> Self {
        let targets = targets.expect("at least one tick");
        let near = |(place, target): &(&Cell, &usize)| place.chebyshev(targets[**target]) <= 2;
        Self {
            near: places.iter().zip(chased).filter(near).count(),
            of: places.len(),
        }
    }
}

struct Times {
    mean: f64,
    p50: f64,
    p99: f64,
}

/// Times ticks in milliseconds, including the first one, in which all chasers search.
fn timed(ticks: usize, mut tick: impl FnMut() -> Duration) -> Times {
    let mut times: Vec<f64> = (0..ticks).map(|_| tick().as_secs_f64() * 1e3).collect();
    let mean = times.iter().sum::<f64>() / ticks as f64;
    times.sort_by(f64::total_cmp);
    Times {
        mean,
        p50: times[ticks / 2],
        p99: times[ticks * 99 / 100],
    }
}

impl Times {
    fn print(&self, name: &str, nearness: &Nearness) {
        let Self { mean, p50, p99 } = self;
        let share = nearness.near as f64 / nearness.of as f64 * 100.0;
        println!("{name:<22} {mean:>9.3} {p50:>9.3} {p99:>9.3}   {share:.1} %");
    }
}

/// A chaser of the plain app, as a tutorial would write it.
#[derive(Component)]
struct Follower {
    at: Cell,
    target: usize,
    searched_for: Option<Cell>,
    next_search: u32,
    /// The waypoints ahead, the next one last.
    path: Vec<Cell>,
}

#[derive(Resource)]
struct Map(Grid);

/// The cells of the targets.
#[derive(Resource)]
struct Targets(Vec<Cell>);

#[derive(Resource, Default)]
struct Tick(u32);

fn plain_app(grid: Grid, starts: &[Cell], chased: &[usize]) -> App {
    let mut app = App::new();
    app.insert_resource(Map(grid))
        .insert_resource(Targets(Vec::new()))
        .init_resource::<Tick>()
        .add_systems(Update, follow);
    let followers = starts.iter().zip(chased).map(|(&at, &target)| Follower {
        at,
        target,
        searched_for: None,
        next_search: 0,
        path: Vec::new(),
    });
    app.world_mut().spawn_batch(followers.collect::<Vec<_>>());
    app
}

fn follow(
    map: Res<Map>,
    targets: Res<Targets>,
    mut tick: ResMut<Tick>,
    mut followers: Query<&mut Follower>,
) {
    let (grid, rules) = (&map.0, Rules::default());
    for mut follower in &mut followers {
        let target = targets.0[follower.target];
        if follower.at.chebyshev(target) <= 1 {
            continue;
        }
        if follower.searched_for != Some(target) && tick.0 >= follower.next_search {
            follower.searched_for = Some(target);
            follower.next_search = tick.0 + REPATH_TICKS;
            follower.path = search(grid, rules, follower.at, target);
        }
        if let Some(next) = follower.path.pop()
            && next != target
        {
            follower.at = next;
        }
    }
    tick.0 += 1;
}

fn search(grid: &Grid, rules: Rules, start: Cell, goal: Cell) -> Vec<Cell> {
    if start.chebyshev(goal) > RADIUS {
        return Vec::new();
    }
    let found = astar(
        &start,
        |&cell| {
            let steps = grid.steps(cell, rules).into_iter();
            steps.filter_map(move |direction| {
                let next = cell.step(direction)?;
                (next.chebyshev(start) <= RADIUS).then_some((next, 1))
            })
        },
        |&Cell { x, y, .. }| Metric::Unit.open_ground(x.abs_diff(goal.x), y.abs_diff(goal.y)),
        |&cell| cell == goal,
    );
    let mut path = found.map_or(Vec::new(), |(path, _)| path);
    path.reverse();
    // Its own cell.
    path.pop();
    path
}

//! Invariants of a simulation, checked after every tick, on generated maps and on real ones.

use bevy_ecs::{prelude::*, system::SystemState};
use nav::{AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavDiagnostics, UpcomingPath};
use nav_formats::Format;
use nav_grid::{
    Area, Cell, Frame, Grid, Method, Rules,
    map::{Axes, FloorHeights, FrameError},
};
use nav_sim::{
    Scenario,
    scenario::{Bodies, ChaserTuning, Spawn},
    sim::{SimError, Simulation},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// Runs a scenario and checks after every tick that each chaser stands on floor, took at most one
/// legal step, and did not step onto its target. Returns how often targets were reached.
fn run_checked(scenario: &Scenario, grid: &Grid) -> u64 {
    let mut simulation = Simulation::new(scenario, grid.clone()).unwrap();
    let mut before = cells(&mut simulation);
    for tick in 0..scenario.ticks() {
        simulation.tick();
        let after = cells(&mut simulation);
        for (id, now) in &after {
            let then = &before[id];
            if let Some(target) = now.target {
                assert!(
                    grid.is_walkable(now.cell),
                    "tick {tick}: {id:?} is in a wall"
                );
                if now.cell != then.cell {
                    assert!(
                        grid.allows_step(then.cell, now.cell, Rules::default()),
                        "tick {tick}: {id:?} went from {} to {}",
                        then.cell,
                        now.cell
                    );
                    assert_ne!(
                        now.cell, target,
                        "tick {tick}: {id:?} stepped onto its target"
                    );
                }
            }
        }
        before = after;
    }
    let diagnostics = simulation.world_mut().resource::<NavDiagnostics>();
    assert_eq!(
        diagnostics.ticks,
        scenario.ticks(),
        "one tick an update, from the first on"
    );
    diagnostics.total.reached
}

struct Agent {
    cell: Cell,
    /// The target's cell, for chasers.
    target: Option<Cell>,
}

fn cells(simulation: &mut Simulation) -> BTreeMap<AgentId, Agent> {
    let world = simulation.world_mut();
    let mut agents = world.query::<(&AgentId, &CellPosition, Option<&Chasing>, Option<&Chaser>)>();
    agents
        .iter(world)
        .map(|(id, position, chasing, _)| {
            let target = chasing
                .and_then(|chasing| world.get::<CellPosition>(chasing.0))
                .map(|position| position.cell);
            (
                *id,
                Agent {
                    cell: position.cell,
                    target,
                },
            )
        })
        .collect()
}

#[test]
fn heights_of_floors() {
    let mut scenario = Scenario::named(Path::new("stairs")).unwrap();
    assert_eq!(scenario.heights, Some(FloorHeights::Storeys(4.0)));
    let map = nav_sim::maps::load(scenario.map.as_ref()).unwrap();
    let run = |scenario: &Scenario, heights: [f64; 2]| {
        let mut simulation = Simulation::new(scenario, map.grid.clone()).unwrap();
        let mut upcoming = SystemState::<UpcomingPath>::new(simulation.world_mut());
        let mut seen = [0; 2];
        let mut cells = Vec::new();
        for _ in 0..200 {
            simulation.tick();
            cells.push(self::cells(&mut simulation));
            let world = simulation.world_mut();
            let chasers: Vec<Entity> = world
                .query_filtered::<Entity, With<Chaser>>()
                .iter(world)
                .collect();
            let upcoming = upcoming.get(world).unwrap();
            for point in chasers
                .iter()
                .flat_map(|&chaser| upcoming.cells(chaser, 20))
            {
                let floor = usize::from(point.cell.floor);
                assert!((point.world[1] - heights[floor]).abs() < 1e-9, "{point:?}");
                seen[floor] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
        let cells = cells.iter().flatten().map(|(id, agent)| (*id, agent.cell));
        (cells.collect::<Vec<_>>(), simulation.digest())
    };
    let lifted = run(&scenario, [0.0, 4.0]);
    scenario.heights = Some(FloorHeights::Each(vec![-1.5, 9.0]));
    let others = run(&scenario, [-1.5, 9.0]);
    // The same chases on another map.
    assert_eq!(lifted.0, others.0);
    assert_ne!(lifted.1, others.1);
    // A frame so large and so far from the origin that floating point cannot tell these storeys
    // apart.
    let frame = Frame::new([0.0, 1e15, 0.0], 1e3, Axes::Y_UP).unwrap();
    scenario.heights = Some(FloorHeights::Storeys(1e-3));
    assert_eq!(scenario.check(), Ok(()));
    let far_off = map.clone().with_frame(frame);
    let error = Simulation::new(&scenario, far_off).err();
    let expected = SimError::Heights(FrameError::StoreyHeight(1e-3));
    assert_eq!(error, Some(expected));
}

#[test]
fn default_scenario() {
    let grid = nav_sim::maps::load(None).unwrap().grid;
    let scenario = Scenario {
        seconds: 20.0,
        ..Scenario::default()
    };
    assert!(run_checked(&scenario, &grid) > 0);
}

#[test]
fn classic_chaser_without_fallback() {
    let grid = mapgen::generate(mapgen::Kind::Rooms, 96, 96, 5).unwrap();
    let chaser = ChaserTuning {
        heuristic: nav_grid::rules::Heuristic::Manhattan,
        fallback: nav_grid::query::Fallback::None,
        step_seconds: 0.05,
        ..ChaserTuning::default()
    };
    let scenario = Scenario {
        chasers: 300,
        targets: 3,
        seconds: 20.0,
        chaser,
        ..Scenario::default()
    };
    assert!(run_checked(&scenario, &grid) > 0);
}

/// On a map with step costs, the ground of least cost becomes roads.
#[test]
fn roads_of_cheapest_ground() {
    let mut grid = Grid::open(64, 64).unwrap();
    let all = Area::new(Cell::new(0, 0), Cell::new(63, 63));
    let road = Area::new(Cell::new(0, 31), Cell::new(63, 32));
    grid.set_cost(all, 4).unwrap();
    grid.set_cost(road, 1).unwrap();
    let scenario = Scenario {
        chasers: 20,
        targets: 2,
        seconds: 5.0,
        method: Method::Trunk,
        spawn: Spawn::Anywhere,
        chaser: ChaserTuning {
            radius: 64,
            expansions: 4096,
            ..ChaserTuning::default()
        },
        ..Scenario::default()
    };
    let mut simulation = Simulation::new(&scenario, grid).unwrap();
    (0..scenario.ticks()).for_each(|_| simulation.tick());
    let total = simulation.world_mut().resource::<NavDiagnostics>().total;
    assert!(total.found > 0 && total.unsupported == 0, "{total:?}");
}

/// Returns the steps of all chasers, tick by tick.
fn steps(scenario: &Scenario, grid: &Grid) -> Vec<u64> {
    let mut simulation = Simulation::new(scenario, grid.clone()).unwrap();
    let ticks = 0..scenario.ticks();
    ticks
        .map(|_| {
            simulation.tick();
            let diagnostics = simulation.world_mut().resource::<NavDiagnostics>();
            diagnostics.last_tick.steps
        })
        .collect()
}

#[test]
fn staggered_chasers_spread_steps() {
    let grid = Grid::open(256, 256).unwrap();
    let together = Scenario {
        chasers: 50 * MoveTimer::TURN as u32,
        seconds: 1.0,
        // All of them see their target.
        spawn: Spawn::Near { min: 5, max: 15 },
        ..Scenario::default()
    };
    let staggered = Scenario {
        stagger: true,
        ..together.clone()
    };
    assert_eq!(steps(&together, &grid)[0], 25_600);
    let steps = steps(&staggered, &grid);
    let first_period: u64 = steps[..5].iter().sum();
    assert_eq!(first_period, 25_600, "everybody has stepped once by then");
    assert!(
        steps[..5].iter().all(|steps| (4608..=5632).contains(steps)),
        "{steps:?}"
    );
}

#[test]
fn chasers_with_bodies_start_apart() {
    let grid = mapgen::generate(mapgen::Kind::Mixed, 128, 128, 3).unwrap();
    let scenario = Scenario {
        chasers: 2000,
        seconds: 5.0,
        bodies: Bodies::Solid,
        ..Scenario::default()
    };
    let mut simulation = Simulation::new(&scenario, grid.clone()).unwrap();
    let world = simulation.world_mut();
    let mut bodies = world.query_filtered::<&CellPosition, With<Body>>();
    let cells: BTreeSet<Cell> = bodies.iter(world).map(|position| position.cell).collect();
    assert_eq!(cells.len(), 2000, "targets have no body");
    assert!(run_checked(&scenario, &grid) > 0);
}

/// Real maps of 512×512 cells, if the benchmark set lies beside the project.
#[test]
fn movingai_maps() {
    let root =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/benchmarks/movingai");
    for name in [
        "bg512/AR0012SR.map",
        "random/random512-25-0.map",
        "wc3maps512/icecrown.map",
    ] {
        let path = root.join(name);
        let Ok(bytes) = std::fs::read(&path) else {
            println!("skipped: no {name} beside the project");
            continue;
        };
        let grid = Format::MovingAi.read(&bytes).unwrap().grid;
        let scenario = Scenario {
            chasers: 2000,
            seconds: 15.0,
            ..Scenario::default()
        };
        assert!(run_checked(&scenario, &grid) > 0, "{name}");
    }
}

#[test]
fn map_without_room() {
    let message = |grid: &Grid| {
        Simulation::new(&Scenario::default(), grid.clone())
            .err()
            .unwrap()
            .to_string()
    };
    assert_eq!(
        message(&Grid::blocked(9, 9).unwrap()),
        "the map has no walkable cell: agents need at least one"
    );
    assert_eq!(
        message(&Grid::open(1, 1).unwrap()),
        "no cell 5 to 20 away from the target at 0,0 can be walked to: use a wider `spawn` or a \
         larger map"
    );
}

//! Budgets: their bounds hold, and they are used.

use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{ChaseState, Chaser, NavBudget, NavMap};
use nav_grid::{Cell, Grid, Limits, Method, Rules};
use nav_tests::{STEP_TICKS, TestWorld, sample, scenes::prepare};
use std::time::{Duration, Instant};

/// Spawns chasers of one target each, a dozen cells away in clutter.
fn lone_chasers(budget: u32, count: u16, chaser: Chaser) -> (TestWorld, Vec<Entity>) {
    let kind = Kind::Clutter { percent: 15 };
    let grid = mapgen::generate(kind, 128, 128, 3).expect("a map of this size");
    let mut world = TestWorld::on(grid);
    world.world().insert_resource(NavBudget::Units(budget));
    let mut pack = Vec::new();
    let ground: Vec<Cell> = {
        let grid = world.get::<NavMap>(world.map).grid();
        let walled = |cell: &Cell| grid.steps(*cell, Rules::default()).len() < 5;
        grid.walkable_cells().filter(|cell| !walled(cell)).collect()
    };
    let near = |x: u16, y: u16| {
        let far = |cell: &&Cell| (cell.manhattan(Cell::new(x, y)), **cell);
        *ground.iter().min_by_key(far).expect("some ground")
    };
    for n in 0..count {
        let (x, y) = (10 + n % 10 * 10, 10 + n / 10 * 10);
        let target = world.target(near(x + 12, y + 5));
        pack.push(world.chaser_with(chaser, near(x, y), target));
    }
    (world, pack)
}

/// Runs until all have an answer. Returns the ticks, and the share of the budget that was used
/// while more than one chaser waited.
fn answer_all(world: &mut TestWorld, pack: &[Entity], budget: u32) -> (u64, f64) {
    let (mut used, mut ticks) = (0.0, 0_u64);
    for tick in 1..=2_000 {
        world.tick(1);
        let waits = |npc: &&Entity| {
            let state = world.cursor(**npc).state();
            matches!(state, ChaseState::Queued | ChaseState::Idle)
        };
        if pack.iter().filter(waits).count() > 1 {
            ticks += 1;
            used += f64::from(world.diagnostics().last_tick.expanded as u32) / f64::from(budget);
        }
        let answered = pack.iter().filter(|npc| !world.searches(**npc).is_empty());
        if answered.count() == pack.len() {
            return (tick, used / ticks.max(1) as f64);
        }
    }
    panic!("a hundred seconds, and not all have an answer");
}

#[test]
fn small_budget_is_used() {
    // The budget is smaller than a window of 41×41 cells.
    for budget in [300, 500, 1_000, 1_600] {
        let (mut world, pack) = lone_chasers(budget, 100, Chaser::default());
        let (ticks, used) = answer_all(&mut world, &pack, budget);
        println!("budget {budget}: all after {ticks} ticks, {used:.2} of the budget used");
        // The promise of the budget: n chasers of e expansions each, and a move tick.
        let expansions = u64::from(Chaser::default().limits.expansions);
        let bound = (100 * expansions).div_ceil(budget.into()) + STEP_TICKS;
        assert!(
            ticks <= bound,
            "budget {budget}: {ticks} ticks, promised {bound}"
        );
    }
}

#[test]
fn bound_on_waiting() {
    let budget = 1_000;
    let mut late = Vec::new();
    let methods = [
        Method::Auto,
        Method::AStar,
        Method::Sweep,
        Method::Jps,
        Method::Mosaic,
        Method::Dijkstra,
    ];
    for method in methods {
        for expansions in sample([150, 1_500], 2) {
            let chaser = Chaser {
                method,
                limits: Limits {
                    expansions,
                    ..Limits::default()
                },
                ..Chaser::default()
            };
            let (mut world, pack) = lone_chasers(budget, 60, chaser);
            let map = world.map;
            let mut map = world.get_mut::<NavMap>(map);
            prepare(&mut map, method, Rules::default());
            let (ticks, _) = answer_all(&mut world, &pack, budget);
            let long = if expansions > budget { 60 } else { 0 };
            let bound = (60 * u64::from(expansions)).div_ceil(budget.into()) + long + STEP_TICKS;
            if ticks > bound {
                late.push(format!(
                    "{method} of {expansions}: {ticks} ticks, promised {bound}"
                ));
            }
        }
    }
    assert!(late.is_empty(), "{}", late.join("\n"));
}

#[test]
fn no_tick_exceeds_its_budget() {
    for budget in [300, 1_000, 5_000] {
        let (mut world, _) = lone_chasers(budget, 100, Chaser::default());
        for _ in 0..200 {
            world.tick(1);
            let expanded = world.diagnostics().last_tick.expanded;
            assert!(expanded <= budget.into(), "{expanded} of {budget}");
        }
    }
}

/// Returns the longest tick with a search under a budget; the smallest of several tries.
#[expect(
    clippy::disallowed_methods,
    reason = "how long a search takes is what is measured"
)]
fn longest_tick(grid: &Grid, from: Cell, to: Cell, budget: u32, method: Method) -> Duration {
    let tries = (0..3).map(|_| {
        let mut world = TestWorld::on(grid.clone());
        world.world().insert_resource(NavBudget::Units(budget));
        let target = world.target(to);
        // The first tick looks at the new map.
        world.app.update();
        let chaser = Chaser {
            limits: Limits::UNBOUNDED,
            method,
            ..Chaser::default()
        };
        let chaser = world.chaser_with(chaser, from, target);
        let ticks = (0..40).map(|_| {
            let before = Instant::now();
            world.app.update();
            before.elapsed()
        });
        let longest = ticks.max();
        let done = world.diagnostics().total;
        let sets_off = world.cell(chaser) != from || done.expanded > 0;
        assert!(sets_off, "{chaser} neither searches nor steps");
        longest.unwrap_or_default()
    });
    tries.min().unwrap_or_default()
}

#[test]
fn far_search_on_huge_ground() {
    let budget = 1_000;
    let kind = Kind::Clutter { percent: 20 };
    let small = mapgen::generate(kind, 512, 512, 1).expect("a map of this size");
    let far = small.walkable_cells().last().expect("some ground");
    let near = small.walkable_cells().next().expect("some ground");
    let mut long = Vec::new();
    for side in sample([2_048, 8_192], 2) {
        for walled in [false, true] {
            // Half a wall across the middle, so that no straight line leads there.
            let middle = side / 2;
            let is_wall = |cell: Cell| cell.x == middle && cell.y < middle;
            let huge = Grid::from_fn(side, side, |cell| !walled || !is_wall(cell)).unwrap();
            for to in [Cell::new(side - 2, 1), Cell::new(side - 2, middle)] {
                for method in [Method::Auto, Method::Jps] {
                    // Each time beside that of a thousand expansions cell by cell, since other
                    // programs may run.
                    let times = || {
                        let took = longest_tick(&huge, Cell::new(1, 1), to, budget, method);
                        (took, longest_tick(&small, near, far, budget, Method::AStar))
                    };
                    let is_long = |&(took, unit): &(Duration, Duration)| {
                        took > 8 * unit + Duration::from_micros(200)
                    };
                    let tries: Vec<_> = (0..3).map(|_| times()).take_while(is_long).collect();
                    if tries.len() == 3 {
                        let place = format!("{side}², wall {walled}, to {to} by {method}");
                        long.push(format!("{place}: {tries:?}"));
                    }
                }
            }
        }
    }
    let text = long.join("\n");
    assert!(
        long.is_empty(),
        "times beside those of a thousand expansions of A*:\n{text}"
    );
}

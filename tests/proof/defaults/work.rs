//! The cost of a tick: searches, fields and the preparation of maps share one budget.

use nav::NavBudget;
use nav_drawn::Draw;
use nav_grid::{Cell, Grid};
use nav_tests::{TICK_RATE, TestWorld};

/// The default budget of a small world, as documented.
const BUDGET: u64 = 20_000;

/// Work by which the last slice may exceed the budget: a cluster of portals, or a window.
const LAST_PART: u64 = 2_000;

/// Makes walls across a map, with gaps at alternate ends.
fn winding(side: u16) -> Grid {
    Grid::from_fn(side, side, |cell| {
        let is_gap = cell.x == if cell.y / 8 % 2 == 0 { 0 } else { side - 1 };
        cell.y % 8 != 4 || is_gap
    })
    .unwrap()
}

#[test]
fn far_searches_share_the_budget() {
    let side = 1_000;
    let mut world = TestWorld::on(winding(side));
    for n in 0..60 {
        let target = world.target((n * 16, 2));
        world.chaser((n * 16, side - 2), target);
    }
    let mut walking = 0;
    for _ in 0..60 {
        world.tick(10);
        let tick = world.diagnostics().last_tick.expanded;
        assert!(
            tick <= BUDGET + 30 + LAST_PART,
            "{tick} expansions in a tick"
        );
        walking = world.diagnostics().total.steps;
    }
    assert!(walking > 60, "{walking} steps");
}

#[test]
fn map_is_prepared_in_slices() {
    let mut world = TestWorld::on(winding(512));
    let target = world.target((250, 2));
    let chaser = world.chaser((250, 500), target);
    let mut spent = Vec::new();
    for _ in 0..200 {
        world.tick(1);
        spent.push(world.diagnostics().last_tick.expanded);
    }
    let most = spent.iter().max().unwrap();
    assert!(*most <= BUDGET + LAST_PART, "{most} in a tick");
    assert!(
        world.cursor(chaser).path().len() > 512,
        "the whole way is known"
    );
}

#[test]
fn edits_are_repaired_in_slices() {
    let mut world = TestWorld::on(winding(512));
    *world.world().resource_mut::<NavBudget>() = NavBudget::Units(2_000);
    let target = world.target((250, 2));
    world.chaser((250, 500), target);
    world.seconds(60);
    for n in 0..100 {
        world.edit(Cell::new(5 * n + 3, 20 + 4 * (n % 100)), false);
    }
    for _ in 0..100 {
        world.tick(1);
        let tick = world.diagnostics().last_tick.expanded;
        assert!(tick <= 2_000 + LAST_PART, "{tick} in a tick");
    }
}

/// Chasers of a small world that all set off in one tick, as after a restart.
const SETTING_OFF: usize = 5_000;

#[test]
fn first_steps_within_a_second() {
    let (side, mut draw) = (400, Draw::new(1));
    let mut world = TestWorld::on(Grid::from_fn(side, side, |_| !draw.percent(20)).unwrap());
    let mut targets = Vec::new();
    let mut chasers = Vec::new();
    while chasers.len() < SETTING_OFF {
        let at = (draw.number(0, side - 1), draw.number(0, side - 1));
        if !world.grid().is_walkable(Cell::new(at.0, at.1)) {
            continue;
        }
        if targets.len() < SETTING_OFF / 10 {
            targets.push(world.target(at));
        } else {
            let target = targets[chasers.len() % targets.len()];
            chasers.push((world.chaser(at, target), Cell::new(at.0, at.1)));
        }
    }
    let stands = |world: &TestWorld| {
        let stand = chasers.iter().filter(|&&(one, at)| world.cell(one) == at);
        stand.map(|&(one, _)| one).collect::<Vec<_>>()
    };
    world.tick(TICK_RATE);
    let early = stands(&world);
    world.seconds(30);
    // Chasers that never move are walled in, or were beside their targets. Where no straight step
    // leads on, a few wait longer: at most one in a thousand is allowed.
    let late = early.len() - stands(&world).len();
    assert!(late * 1_000 <= SETTING_OFF, "{late} of {SETTING_OFF}");
}

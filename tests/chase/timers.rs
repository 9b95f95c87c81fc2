//! Changes that a game makes to the components of a chaser make it no faster, and equal values
//! change nothing.

use bevy_ecs::prelude::*;
use nav::{
    Body, CellPosition, Chaser, Chasing, Crowding, MoveTimer, NavTimer, OnMap, Pace, PathCursor,
    Paused, Period,
};
use nav_grid::{Cell, Grid};
use nav_tests::{STEP_TICKS, TestWorld, pairs};

/// A ghost, and a solid body.
const BODIES: [Option<Body>; 2] = [None, Some(Body::solid(nav_grid::Footprint::ONE))];

/// A change that a game makes before a tick of some number.
type Disturbance = fn(&mut TestWorld, Entity, u64);

fn pause_every_other_tick(world: &mut TestWorld, chaser: Entity, tick: u64) {
    let mut chaser = world.world().entity_mut(chaser);
    if tick.is_multiple_of(2) {
        chaser.insert(Paused::default());
    } else {
        chaser.remove::<Paused>();
    }
}

fn pause_and_resume(world: &mut TestWorld, chaser: Entity, _: u64) {
    let mut chaser = world.world().entity_mut(chaser);
    chaser.insert(Paused::default()).remove::<Paused>();
}

fn pause_twice(world: &mut TestWorld, chaser: Entity, tick: u64) {
    let mut chaser = world.world().entity_mut(chaser);
    chaser.insert(Paused::default()).insert(Paused::default());
    if tick % 3 == 1 {
        chaser.remove::<Paused>();
    }
}

fn new_timer(world: &mut TestWorld, chaser: Entity, _: u64) {
    let timer = MoveTimer::default();
    world.world().entity_mut(chaser).insert(timer);
}

fn new_timer_in_pause(world: &mut TestWorld, chaser: Entity, _: u64) {
    let mut chaser = world.world().entity_mut(chaser);
    chaser
        .insert(Paused::default())
        .insert(MoveTimer::default());
    chaser.remove::<Paused>();
}

fn timer_after_none(world: &mut TestWorld, chaser: Entity, _: u64) {
    let mut chaser = world.world().entity_mut(chaser);
    chaser
        .remove::<(MoveTimer, Paused)>()
        .insert(MoveTimer::default());
}

fn new_tuning(world: &mut TestWorld, chaser: Entity, _: u64) {
    let mut chaser = world.world().entity_mut(chaser);
    let (tuning, place) = (
        chaser.get::<Chaser>().copied(),
        chaser.get::<CellPosition>().copied(),
    );
    chaser.remove_with_requires::<Chaser>();
    chaser.insert((tuning.unwrap(), place.unwrap()));
}

fn new_chase(world: &mut TestWorld, chaser: Entity, _: u64) {
    let mut chaser = world.world().entity_mut(chaser);
    let chasing = *chaser.get::<Chasing>().unwrap();
    chaser.remove::<Chasing>().insert(chasing);
}

fn other_map_and_back(world: &mut TestWorld, chaser: Entity, _: u64) {
    let mut chaser = world.world().entity_mut(chaser);
    let on_map = *chaser.get::<OnMap>().unwrap();
    chaser.remove::<OnMap>().insert(on_map);
}

fn other_target(world: &mut TestWorld, chaser: Entity, tick: u64) {
    let mut targets = world
        .world()
        .query_filtered::<Entity, (With<OnMap>, Without<Chaser>)>();
    let targets: Vec<Entity> = targets.iter(world.app.world()).collect();
    let target = targets[tick as usize % targets.len()];
    world.world().entity_mut(chaser).insert(Chasing(target));
}

const DISTURBANCES: [Disturbance; 10] = [
    pause_every_other_tick,
    pause_and_resume,
    pause_twice,
    new_timer,
    new_timer_in_pause,
    timer_after_none,
    new_tuning,
    new_chase,
    other_map_and_back,
    other_target,
];

/// Makes a corridor of ground of some cost.
fn corridor(cost: u8) -> TestWorld {
    let mut grid = Grid::open(120, 1).unwrap();
    for x in 0..120 {
        grid.set_cost(Cell::new(x, 0), cost).unwrap();
    }
    TestWorld::on(grid)
}

#[test]
fn no_disturbance_hastens() {
    for (number, disturb) in DISTURBANCES.into_iter().enumerate() {
        for (body, cost) in pairs(BODIES, [1, 3]) {
            let mut world = corridor(cost);
            // The judge of steps does not know a game that removes components.
            world.judges_steps = false;
            let target = world.target((118, 0));
            world.target((119, 0));
            let tuning = Chaser {
                pace: Pace::ByCost,
                ..Chaser::default()
            };
            let chaser = world.chaser_with(tuning, (0, 0), target);
            if let Some(body) = body {
                world.world().entity_mut(chaser).insert(body);
            }
            let (mut steps, mut last) = (0, None);
            for tick in 1..=200 {
                let from = world.cell(chaser);
                disturb(&mut world, chaser, tick);
                world.tick(1);
                if world.cell(chaser) != from {
                    let gap = last.map_or(u64::MAX, |last| tick - last);
                    let least = STEP_TICKS * u64::from(cost);
                    let case = format!("disturbance {number}, {body:?}, cost {cost}");
                    assert!(gap >= least, "{case}: {gap} ticks after a step");
                    (steps, last) = (steps + 1, Some(tick));
                }
            }
            // Each wait may be a tick longer than a period of 5 or 15 ticks, or two.
            let least = if cost == 1 { 28 } else { 11 };
            assert!(steps >= least, "{number}, {body:?}: {steps} steps");
        }
    }
}

#[test]
fn pause_keeps_the_move_tick() {
    for body in BODIES {
        let mut world = corridor(1);
        let target = world.target((118, 0));
        let chaser = world.chaser((0, 0), target);
        if let Some(body) = body {
            world.world().entity_mut(chaser).insert(body);
        }
        world.tick(1);
        let timer = |world: &TestWorld| world.get::<MoveTimer>(chaser).next_step;
        let due = timer(&world);
        world.world().entity_mut(chaser).insert(Paused::default());
        world.tick(2);
        assert_eq!(world.get::<Paused>(chaser).next_step, due);
        world.world().entity_mut(chaser).remove::<Paused>();
        assert_eq!(timer(&world), due);
        // A longer pause ends in a step at once.
        world.world().entity_mut(chaser).insert(Paused::default());
        world.seconds(2);
        let at = world.cell(chaser);
        world.world().entity_mut(chaser).remove::<Paused>();
        world.tick(1);
        assert_ne!(world.cell(chaser), at, "{body:?}");
    }
}

/// Inserts the value of a component that an agent has.
fn again<C: Component + Clone>(world: &mut TestWorld, agent: Entity) {
    let mut agent = world.world().entity_mut(agent);
    if let Some(value) = agent.get::<C>().cloned() {
        agent.insert(value);
    }
}

fn there_and_back(world: &mut TestWorld, chaser: Entity) {
    let mut chaser = world.world().entity_mut(chaser);
    if let Some(&Chasing(target)) = chaser.get() {
        let other = chaser.world_scope(|world| {
            let map = *world.get::<OnMap>(target).unwrap();
            world.spawn((map, CellPosition::new(1, 1))).id()
        });
        chaser.insert(Chasing(other)).insert(Chasing(target));
        chaser.world_scope(|world| world.despawn(other));
    }
}

fn none_and_back(world: &mut TestWorld, chaser: Entity) {
    let mut chaser = world.world().entity_mut(chaser);
    if let Some(chasing) = chaser.take::<Chasing>() {
        chaser.insert(chasing);
    }
}

const REPETITIONS: [fn(&mut TestWorld, Entity); 11] = [
    again::<Chasing>,
    again::<Chaser>,
    again::<OnMap>,
    again::<CellPosition>,
    again::<Body>,
    again::<MoveTimer>,
    again::<NavTimer>,
    again::<PathCursor>,
    again::<Crowding>,
    there_and_back,
    none_and_back,
];

/// The cell of each agent in each tick, and the messages about it.
type Outcome = (Vec<Vec<Cell>>, Vec<(Vec<u64>, Vec<u64>, usize)>);

/// Runs packs around a moving and a standing target, and chasers of a target in a cage.
fn hunt(body: Option<Body>, repeat: Option<fn(&mut TestWorld, Entity)>) -> Outcome {
    let mut rows = vec![".".repeat(60); 30];
    for (row, wall) in [(0, "####"), (1, "#..#"), (2, "#..#"), (3, "####")] {
        rows[row].replace_range(50..54, wall);
    }
    let mut world = TestWorld::new(&rows);
    let targets = [(30, 20), (10, 25), (51, 1)].map(|at: (u16, u16)| world.target(at));
    let mut agents = Vec::new();
    for number in 0..36_u16 {
        let at = (20 + number % 12, 3 + number / 12 * 3);
        let target = targets[usize::from(number % 3)];
        let chaser = world.chaser(at, target);
        if let Some(body) = body {
            world.world().entity_mut(chaser).insert(body);
        }
        agents.push(chaser);
    }
    agents.extend(targets);
    let mut places = Vec::new();
    for tick in 0..300_u16 {
        if tick % 7 == 0 && tick < 200 {
            world.put(targets[0], (30 + tick / 10, 20));
        }
        if let Some(repeat) = repeat {
            for &agent in &agents {
                repeat(&mut world, agent);
            }
        }
        world.tick(1);
        places.push(agents.iter().map(|&agent| world.cell(agent)).collect());
    }
    let reports = agents.iter().take(36).map(|&agent| {
        let failures = world.failures(agent).len();
        (world.searches(agent), world.arrivals(agent), failures)
    });
    (places, reports.collect())
}

#[test]
fn equal_values_change_nothing() {
    for body in BODIES {
        let expected = hunt(body, None);
        for (number, repeat) in REPETITIONS.into_iter().enumerate() {
            let found = hunt(body, Some(repeat));
            let case = format!("repetition {number}, {body:?}");
            for (tick, (found, expected)) in found.0.iter().zip(&expected.0).enumerate() {
                assert_eq!(found, expected, "{case}: tick {tick}");
            }
            assert_eq!(found.1, expected.1, "{case}");
        }
    }
}

/// A period of 0 is a step in every tick, for the judge of steps as for the plugin.
#[test]
fn period_of_zero() {
    let zero = Period::from_millis(0);
    let timers = [
        MoveTimer::default().with_chasing(zero),
        MoveTimer::default().with_idle(zero),
        MoveTimer::default().with_chasing(zero).with_idle(zero),
    ];
    for (timer, body) in pairs(timers, BODIES) {
        for pace in [Pace::Even, Pace::ByCost] {
            let mut world = TestWorld::open(40, 9);
            let target = world.target((30, 4));
            let chaser = Chaser {
                pace,
                ..Chaser::default()
            };
            let chaser = world.chaser_with(chaser, (2, 4), target);
            world.insert(chaser, timer);
            if let Some(body) = body {
                world.insert(chaser, body);
            }
            let ticks = world.tick_until(|world| world.is_beside(chaser, target));
            let is_each_tick = timer.chasing == zero;
            assert_eq!(ticks < 30, is_each_tick, "{timer:?}: {ticks} ticks");
            world.put(target, (10, 4));
            world.tick_until(|world| world.is_beside(chaser, target));
            world.stop(chaser);
            world.seconds(1);
        }
    }
}

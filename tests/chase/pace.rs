//! Movement in time. With a pace by cost, a step onto ground of cost c takes c periods. The time of
//! a way equals the cost that searches and fields state.

use bevy_ecs::prelude::*;
use nav::{
    Body, CellPosition, Chaser, Guidance, MoveTimer, NavMap, NavTime, Pace, PathCursor, Period,
};
use nav_grid::{
    Cell, CornerRule, Footprint, Grid, IndexedMap, Limits, Link, Metric, Path, PathQuery, Rules,
    Search, methods::Dijkstra,
};
use nav_tests::TestWorld;

const PERIOD: Period = Period::from_millis(200);

/// Ground of costs 1 to 5 in patches, some of it closed.
fn swamp() -> Grid {
    let mut grid = Grid::from_fn(40, 24, |cell| (cell.x * 7 + cell.y * 5) % 11 != 0).unwrap();
    for cell in grid.clone().walkable_cells() {
        let cost = 1 + (cell.x / 3 * 5 + cell.y / 2 * 3) % 5;
        grid.set_cost(cell, cost as u8).unwrap();
    }
    grid
}

fn tuning(metric: Metric, pace: Pace) -> Chaser {
    Chaser {
        rules: Rules::new(metric, CornerRule::Strict),
        limits: Limits::window(28),
        pace,
        ..Chaser::default()
    }
}

/// A chaser that steps every [`PERIOD`].
fn spawn(world: &mut TestWorld, tuning: Chaser, at: Cell, target: Entity) -> Entity {
    let chaser = world.chaser_with(tuning, at, target);
    let timer = MoveTimer {
        chasing: PERIOD,
        ..MoveTimer::default()
    };
    world.world().entity_mut(chaser).insert(timer);
    chaser
}

/// A step of a chaser, and the time from which it may take the next.
struct Taken {
    from: Cell,
    to: Cell,
    next: NavTime,
}

/// Runs until all chasers have reached their targets. Returns their steps.
fn walk(world: &mut TestWorld, chasers: &[Entity]) -> Vec<Vec<Taken>> {
    let mut walks: Vec<Vec<Taken>> = chasers.iter().map(|_| Vec::new()).collect();
    for _ in 0..2400 {
        let before: Vec<Cell> = chasers.iter().map(|&chaser| world.cell(chaser)).collect();
        world.tick(1);
        for ((&chaser, from), taken) in chasers.iter().zip(before).zip(&mut walks) {
            let (to, next) = (world.cell(chaser), world.get::<MoveTimer>(chaser).next_step);
            if to != from {
                taken.push(Taken { from, to, next });
            }
        }
        let is_there = |&chaser: &Entity| world.cursor(chaser).state() == nav::ChaseState::Reached;
        if chasers.iter().all(is_there) {
            return walks;
        }
    }
    panic!("they do not arrive");
}

fn cost(world: &TestWorld, taken: &Taken, rules: Rules) -> u64 {
    let grid = world.get::<NavMap>(world.map).grid();
    grid.move_cost(taken.from, taken.to, rules).unwrap().into()
}

/// Returns the cost of the cheapest way to a target, up to the cell beside it.
fn cheapest(world: &TestWorld, from: Cell, last: Cell, target: Cell, rules: Rules) -> u64 {
    let map = IndexedMap::new(world.get::<NavMap>(world.map).grid().clone());
    let query = PathQuery::new(from, target)
        .with_rules(rules)
        .with_limits(Limits::UNBOUNDED);
    let outcome = Dijkstra::new().search(&map, &query, &mut Path::new());
    let end = map.grid().move_cost(last, target, rules).unwrap();
    (outcome.cost - end).into()
}

/// Checks a walk against its cost: the time between the ends of two steps equals the cost of the
/// later one, in periods.
fn check(world: &TestWorld, taken: &[Taken], tuning: Chaser) {
    let straight = u64::from(tuning.rules.metric.straight());
    let nanos = u64::from(PERIOD.micros) * 1000;
    for pair in taken.windows(2) {
        let expected = match tuning.pace {
            Pace::ByCost => nanos * cost(world, &pair[1], tuning.rules) / straight,
            _ => nanos,
        };
        assert_eq!(pair[1].next.0 - pair[0].next.0, expected);
    }
}

#[test]
fn path_takes_its_cost() {
    for metric in Metric::ALL {
        for body in [
            None,
            Some(Body::solid(Footprint::ONE)),
            Some(Body::soft(Footprint::ONE)),
        ] {
            let mut world = TestWorld::on(swamp());
            let (from, to) = (Cell::new(2, 2), Cell::new(28, 20));
            let target = world.target(to);
            let tuning = tuning(metric, Pace::ByCost);
            let chaser = spawn(&mut world, tuning, from, target);
            if let Some(body) = body {
                world.world().entity_mut(chaser).insert(body);
            }
            let walks = walk(&mut world, &[chaser]);
            let taken = &walks[0];
            assert!(taken.len() > 20);
            check(&world, taken, tuning);
            // The search stated the same cost.
            let total: u64 = taken
                .iter()
                .map(|step| cost(&world, step, tuning.rules))
                .sum();
            let last = world.cell(chaser);
            assert_eq!(
                total,
                cheapest(&world, from, last, to, tuning.rules),
                "{metric:?}"
            );
            assert_eq!(world.searches(chaser).len(), 1, "one path led there");
        }
    }
}

#[test]
fn field_takes_its_cost() {
    for metric in [Metric::Unit, Metric::Grid, Metric::Octile] {
        let mut world = TestWorld::on(swamp());
        let to = Cell::new(20, 11);
        let target = world.target(to);
        let tuning = tuning(metric, Pace::ByCost);
        let ground: Vec<Cell> = swamp().walkable_cells().collect();
        let starts: Vec<Cell> = (0..60)
            .map(|n| ground[n * 97 % ground.len()])
            .filter(|from| from.chebyshev(to) > 3)
            .collect();
        let pack: Vec<Entity> = starts
            .iter()
            .map(|&from| spawn(&mut world, tuning, from, target))
            .collect();
        world.tick(1);
        let on_field =
            |&chaser: &Entity| world.cursor(chaser).guidance() == Some(Guidance::SharedField);
        assert!(pack.len() >= 48 && pack.iter().all(on_field));
        let walks = walk(&mut world, &pack);
        for ((taken, &from), &chaser) in walks.iter().zip(&starts).zip(&pack) {
            check(&world, taken, tuning);
            let total: u64 = taken
                .iter()
                .map(|step| cost(&world, step, tuning.rules))
                .sum();
            // The first tick was taken before.
            let from = taken.first().map_or(from, |first| first.from);
            let last = world.cell(chaser);
            assert_eq!(
                total,
                cheapest(&world, from, last, to, tuning.rules),
                "{metric:?}"
            );
        }
    }
}

#[test]
fn waiting_bodies_are_never_early() {
    let mut world = TestWorld::on(swamp());
    let target = world.target((20, 11));
    let tuning = tuning(Metric::Unit, Pace::ByCost);
    let ground: Vec<Cell> = swamp().walkable_cells().collect();
    let pack: Vec<Entity> = (0..60)
        .map(|n| {
            let chaser = spawn(&mut world, tuning, ground[n * 9], target);
            let body = Body::solid(Footprint::ONE);
            world.world().entity_mut(chaser).insert(body);
            chaser
        })
        .collect();
    let mut ready = vec![0; pack.len()];
    let mut steps = 0;
    for _ in 0..600 {
        let before: Vec<Cell> = pack.iter().map(|&chaser| world.cell(chaser)).collect();
        world.tick(1);
        let now = world.clock().now().0;
        for ((&chaser, from), ready) in pack.iter().zip(before).zip(&mut ready) {
            let to = world.cell(chaser);
            if to == from {
                continue;
            }
            steps += 1;
            assert!(now >= *ready, "{chaser} steps {} early", *ready - now);
            let periods = u64::from(world.get::<NavMap>(world.map).grid().cost(to));
            // The times of a phase lie up to a tick before the tick that sees them.
            *ready = now + (periods * u64::from(PERIOD.micros) - 50_000) * 1000;
        }
    }
    assert!(steps > 250, "{steps} steps show little");
}

#[test]
fn large_bodies_and_links() {
    // A swamp of cost 3 in columns 8 and 9; a link of cost 4 from column 14 to column 16.
    let mut grid = Grid::from_fn(24, 4, |cell| cell.x != 15).unwrap();
    for y in 0..4 {
        for x in [8, 9] {
            grid.set_cost(Cell::new(x, y), 3).unwrap();
        }
        let link = Link::new(Cell::new(14, y), Cell::new(16, y)).with_cost(4);
        grid.set_link(link).unwrap();
    }
    for (side, pace, expected) in [
        // Columns 3 to 14, the link, and 17 to 21: the last one is beside the target.
        (1, Pace::ByCost, 12 + 2 * 2 + 4 + 5),
        (1, Pace::Even, 12 + 1 + 5),
        // Its right column enters the swamp a step earlier.
        (2, Pace::ByCost, 9 + 3 * 2),
    ] {
        let mut world = TestWorld::on(grid.clone());
        let end = if side == 1 { 22 } else { 13 };
        let target = world.target((end, 1));
        let tuning = tuning(Metric::Unit, pace);
        let chaser = spawn(&mut world, tuning, Cell::new(2, 1), target);
        let footprint = Footprint::new(side).unwrap();
        world
            .world()
            .entity_mut(chaser)
            .insert(Body::solid(footprint));
        let walks = walk(&mut world, &[chaser]);
        let (first, last) = (&walks[0][0], walks[0].last().unwrap());
        let periods = (last.next.0 - first.next.0) / (u64::from(PERIOD.micros) * 1000) + 1;
        assert_eq!(periods, expected, "{side}, {pace:?}");
    }
}

#[test]
fn even_pace_by_default() {
    let mut world = TestWorld::on(swamp());
    let target = world.target((28, 20));
    let even = Chaser {
        limits: Limits::window(28),
        ..Chaser::default()
    };
    assert_eq!(even.pace, Pace::Even);
    let chaser = spawn(&mut world, even, Cell::new(2, 2), target);
    let walks = walk(&mut world, &[chaser]);
    check(&world, &walks[0], even);
    // The new pace counts from the next step on.
    let target = world.target((2, 2));
    world.chase(chaser, target);
    world.get_mut::<Chaser>(chaser).pace = Pace::ByCost;
    world.tick(20);
    let (at, cursor) = (world.cell(chaser), world.get::<PathCursor>(chaser));
    assert!(!cursor.path().is_empty() && at != CellPosition::new(28, 20).cell);
    let walks = walk(&mut world, &[chaser]);
    let by_cost = *world.get::<Chaser>(chaser);
    check(&world, &walks[0], by_cost);
}

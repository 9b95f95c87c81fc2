//! Requests for the cells within a cost that wait: answers, order, budget, and changes meanwhile.

use super::{
    answer, ask, assert_goes_on,
    drawn_ground::{drawn, ground},
    long_way, naive_costs, wall_with_gap,
};
use bevy_ecs::prelude::*;
use nav::{
    NavBudget, NavMap, OnMap,
    requests::{FindPathError, PathRequest, ReachAnswer, ReachRequest},
    saving,
};
use nav_drawn::Draw;
use nav_grid::{
    Cell, Grid, Path,
    fields::{FieldLimits, ReachedCells},
    query::{Fault, QueryEnd},
};
use nav_tests::{TestWorld, by_tier};
use std::collections::BTreeMap;

type Reached = Result<ReachedCells, FindPathError>;

fn ask_reach(world: &mut TestWorld, request: &ReachRequest) -> Entity {
    let map = world.map;
    world.world().spawn((OnMap(map), request.clone())).id()
}

fn reached(world: &TestWorld, asker: Entity) -> Option<&Reached> {
    let answer = world.app.world().get::<ReachAnswer>(asker)?;
    let waits = world.app.world().entity(asker).contains::<ReachRequest>();
    assert!(!waits, "an answer replaces its request");
    Some(&answer.result)
}

fn reached_by(world: &mut TestWorld, request: &ReachRequest) -> Reached {
    let asker = ask_reach(world, request);
    world.tick_until(|world| reached(world, asker).is_some());
    reached(world, asker).expect("an answer").clone()
}

fn costs(reached: &ReachedCells) -> BTreeMap<Cell, u32> {
    let cells = reached.cells().iter();
    cells.map(|at| (at.cell, at.cost)).collect()
}

#[test]
fn cells_equal_naive_costs() {
    for seed in 0..by_tier(16, 300) {
        let draw = &mut Draw::new(seed);
        let layers = [0; 3].map(|_| draw.percent(40));
        let grid = ground(draw, layers);
        let mut world = TestWorld::on(Grid::open(1, 1).expect("a map of this size"));
        *world.nav_map() = NavMap::plain(grid.clone());
        world.world().insert_resource(NavBudget::Units(100));
        for _ in 0..4 {
            let like = drawn(draw, &grid);
            let cost = draw.below(40) as u32 * like.rules.metric.straight();
            let request = ReachRequest::new(like.from, cost).with_rules(like.rules);
            let expected = naive_costs(&grid, &like, cost);
            let reached = reached_by(&mut world, &request).expect("a place of the map");
            let about = format!("seed {seed}, layers {layers:?}, {request:?}");
            assert_eq!(costs(&reached), expected, "{about}");
            let mut path = Path::new();
            for (&cell, &cost) in &expected {
                assert_eq!(reached.path_to(cell, &mut path), Some(cost));
                let walked = path.walk(&grid, like.from, like.rules);
                assert_eq!(walked, Ok(cost), "{about}: to {cell}");
            }
        }
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let mut world = TestWorld::new(&["...#", "...#"]);
    let invalid = |fault| Err(FindPathError::Invalid(QueryEnd::Start, fault));
    for (from, expected) in [((3, 0), Fault::Blocked), ((9, 0), Fault::OutsideMap)] {
        let request = ReachRequest::new(from.into(), 5);
        assert_eq!(reached_by(&mut world, &request), invalid(expected));
    }
    let request = ReachRequest::new(Cell::new(0, 0), 5);
    let nowhere = world.world().spawn(request.clone()).id();
    world.tick(1);
    assert_eq!(reached(&world, nowhere), Some(&Err(FindPathError::NoMap)));
    let few = FieldLimits {
        cells: 4,
        ..FieldLimits::UNBOUNDED
    };
    let request = request.with_limits(few);
    let cells = reached_by(&mut world, &request).map(|reached| reached.cells().len());
    assert_eq!(cells, Ok(4));
}

/// A map on which a request for reach takes many ticks of a budget of 100, and such a request.
fn long_reach() -> (TestWorld, ReachRequest) {
    let (world, like) = long_way();
    (world, ReachRequest::new(like.from, 1_000))
}

#[test]
fn budget_is_kept() {
    let (mut world, request) = long_reach();
    let asker = ask_reach(&mut world, &request);
    let mut ticks = 0;
    let mut most = 0;
    world.tick_until(|world| {
        ticks += 1;
        most = most.max(world.diagnostics().last_tick.expanded);
        reached(world, asker).is_some()
    });
    let count = reached(&world, asker).and_then(|reached| reached.as_ref().ok());
    let count = count.map_or(0, |reached| reached.cells().len() as u64);
    assert!(
        count > 2_000 && ticks > 20,
        "{count} cells in {ticks} ticks"
    );
    // The order into which cells are put at the end is not cut, and later ticks pay for it.
    assert!(most <= 100 + count / 3, "{most} in a tick");
}

#[test]
fn one_queue_with_paths() {
    let (mut world, request) = long_reach();
    let [from, to] = [request.from, Cell::new(request.from.x + 1, request.from.y)];
    let first = ask_reach(&mut world, &request);
    world.tick(1);
    let far = PathRequest::new(from, to).or_to([from]);
    let second = ask(&mut world, &far);
    let map = world.map;
    let third = (OnMap(map), far.clone(), ReachRequest::new(from, 2));
    let third = world.world().spawn(third).id();
    let [mut when_first, mut when_second] = [None; 2];
    for tick in 0..2_000 {
        world.tick(1);
        when_first = when_first.or(reached(&world, first).map(|_| tick));
        when_second = when_second.or(answer(&world, second).map(|_| tick));
        if reached(&world, third).is_some() && answer(&world, third).is_some() {
            break;
        }
    }
    assert!(
        when_first.is_some() && when_first <= when_second,
        "{when_first:?}, {when_second:?}"
    );
    assert!(reached(&world, third).is_some() && answer(&world, third).is_some());
}

#[test]
fn removal_cancels() {
    let (mut world, request) = long_reach();
    let [first, second] = [0; 2].map(|_| ask_reach(&mut world, &request));
    world.tick(2);
    world.world().entity_mut(first).remove::<ReachRequest>();
    world.world().despawn(second);
    world.tick(2);
    assert_eq!(reached(&world, first), None);
    let expanded = world.diagnostics().last_tick.expanded;
    assert_eq!(expanded, 0, "nothing is searched for what nobody asks");
}

#[test]
fn changes_begin_again() {
    let (mut world, request) = long_reach();
    let asker = ask_reach(&mut world, &request);
    world.tick(3);
    let before = world.digest();
    world.get_mut::<ReachRequest>(asker).limits.cost = 1;
    assert_ne!(world.digest(), before, "it counts for the digest");
    world.tick(2);
    let cells = reached(&world, asker).and_then(|reached| reached.as_ref().ok());
    assert!(cells.is_some_and(|reached| reached.cells().len() <= 9));
}

#[test]
fn edits_begin_again() {
    let (mut world, request) = long_reach();
    let asker = ask_reach(&mut world, &request);
    world.tick(3);
    assert_eq!(reached(&world, asker), None);
    wall_with_gap(&mut world);
    let grid = world.grid().clone();
    world.tick_until(|world| reached(world, asker).is_some());
    let like = PathRequest::new(request.from, request.from);
    let found = reached(&world, asker).and_then(|reached| reached.as_ref().ok());
    assert_eq!(found.map(costs), Some(naive_costs(&grid, &like, 1_000)));
}

#[test]
fn saved_in_the_middle() {
    let (mut original, request) = long_reach();
    let asker = ask_reach(&mut original, &request);
    original.tick(4);
    assert_goes_on(&mut original, asker, reached);
    // The answer is saved, too.
    let save = saving::save(original.world()).unwrap();
    let text = serde_json::to_string(&save).expect("a save");
    assert!(text.contains("ReachAnswer"));
}

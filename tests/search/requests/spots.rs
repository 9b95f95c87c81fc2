//! Paths to where a target is near enough, compared with a look at every cell.

use super::{
    Answer, answer, answer_to, ask, at_once,
    drawn_ground::{drawn, ground},
    long_way, naive_costs,
};
use bevy_ecs::system::SystemState;
use nav::{
    NavBudget, NavMap, Spot,
    requests::{FindPathError, NavQuery, PathRequest, Want},
};
use nav_drawn::Draw;
use nav_grid::{
    Cell, Grid, Limits, Rules,
    query::{Fault, QueryEnd},
    rules::COST_MAX,
};
use nav_tests::{TestWorld, by_tier};
use std::collections::BTreeSet;

/// Returns whether a body sees a cell from the nearest cell that it covers.
fn sees(grid: &Grid, place: Cell, request: &PathRequest, distance: u16) -> bool {
    let (rules, target) = (request.rules, request.to);
    let cells = rules.footprint.area(place).cells();
    let eye = cells.min_by_key(|cell| (cell.chebyshev(target), cell.manhattan(target)));
    eye.is_some_and(|eye| eye.chebyshev(target) <= distance && grid.sees(eye, target, rules))
}

/// Returns the places from which a body gets onto a cell in at most some steps, found from the cell
/// outward by a look at all neighbours.
fn places_by_steps(grid: &Grid, request: &PathRequest, steps: u16) -> BTreeSet<Cell> {
    let (rules, target) = (request.rules, request.to);
    let covers = |cell: &Cell| rules.footprint.area(*cell).contains(target);
    let fitting = |cell: &Cell| grid.fits(*cell, rules.footprint);
    let mut places: BTreeSet<Cell> = grid.walkable_cells().filter(fitting).collect();
    let mut near: BTreeSet<Cell> = places.iter().copied().filter(covers).collect();
    for _ in 0..steps {
        let leads = |cell: &Cell| {
            let ways = grid.steps(*cell, rules).into_iter();
            ways.filter_map(|way| cell.step(way))
                .any(|next| near.contains(&next))
        };
        let more: BTreeSet<Cell> = places.iter().copied().filter(leads).collect();
        near.extend(more);
    }
    places.retain(|cell| near.contains(cell));
    places
}

/// Returns the least cost of a place from which the goal of a request is near enough, by a look at
/// every cell.
fn naive(grid: &Grid, request: &PathRequest, spot: Spot) -> Option<u32> {
    let costs = naive_costs(grid, request, COST_MAX).into_iter();
    let by_steps =
        (spot.reach == nav::Reach::Steps).then(|| places_by_steps(grid, request, spot.distance));
    let holds = |place: Cell| match &by_steps {
        Some(places) => places.contains(&place),
        None => sees(grid, place, request, spot.distance),
    };
    let near = costs.filter(|&(place, _)| holds(place));
    near.map(|(_, cost)| cost).min()
}

/// Draws maps and requests near a goal, by sight and by steps in turn.
fn equal_naive(map: impl Fn(Grid) -> NavMap) {
    let mut found = [0; 2];
    for seed in 0..by_tier(16, 300) {
        let draw = &mut Draw::new(seed);
        let layers = [0; 3].map(|_| draw.percent(40));
        let grid = ground(draw, layers);
        let mut world = TestWorld::on(Grid::open(1, 1).expect("a map of this size"));
        *world.nav_map() = map(grid.clone());
        world.world().insert_resource(NavBudget::Units(500));
        for turn in 0..4 {
            let distance = draw.below(9) as u16;
            let spot = if turn % 2 == 0 {
                Spot::within_sight(distance)
            } else {
                Spot::within_steps(distance)
            };
            let request = drawn(draw, &grid).with_spot(Some(spot));
            let expected = naive(&grid, &request, spot);
            let about = format!("seed {seed}, layers {layers:?}, {request:?}");
            let waited = answer_to(&mut world, &request);
            for answer in [waited, at_once(&mut world, &request)] {
                let cost = answer.as_ref().ok().map(|route| route.outcome.cost);
                assert_eq!(cost, expected, "{about}: {answer:?}");
                let Ok(route) = answer else { continue };
                let walked = route.path.walk(&grid, request.from, request.rules);
                assert_eq!(walked.ok(), cost, "{about}: walked");
                assert_eq!((route.goal, route.reaches()), (0, true), "{about}");
                assert_eq!(route.path.len(), route.steps as usize, "{about}");
                found[turn % 2] += usize::from(route.steps > 0);
            }
        }
    }
    assert!(found.into_iter().all(|count| count > 10), "{found:?}");
}

#[test]
fn plain_maps_equal_naive() {
    equal_naive(NavMap::plain);
}

#[test]
fn prepared_maps_equal_naive() {
    equal_naive(NavMap::new);
}

fn end(answer: &Answer) -> Result<Option<Cell>, FindPathError> {
    answer
        .as_ref()
        .map(|route| route.path.end())
        .map_err(|error| *error)
}

#[test]
fn errors_say_what_is_wrong() {
    let mut world = TestWorld::new(&["....#..", "....#..", "....#.."]);
    let [here, wall, beyond, off] = [(0, 0), (4, 1), (6, 1), (50, 1)].map(Cell::from);
    let invalid = |fault| Err(FindPathError::Invalid(QueryEnd::Goal, fault));
    let radius = Limits::window(2);
    let cases = [
        (
            off,
            Spot::within_sight(3),
            Limits::UNBOUNDED,
            invalid(Fault::OutsideMap),
        ),
        (
            off,
            Spot::within_steps(3),
            Limits::UNBOUNDED,
            invalid(Fault::OutsideMap),
        ),
        (
            wall,
            Spot::within_steps(3),
            Limits::UNBOUNDED,
            invalid(Fault::Blocked),
        ),
        (
            wall,
            Spot::within_sight(3),
            Limits::UNBOUNDED,
            Err(FindPathError::Unreachable),
        ),
        (
            beyond,
            Spot::within_sight(3),
            Limits::UNBOUNDED,
            Err(FindPathError::Unreachable),
        ),
        (
            beyond,
            Spot::within_steps(3),
            Limits::UNBOUNDED,
            Err(FindPathError::Unreachable),
        ),
        (
            beyond,
            Spot::within_sight(3),
            radius,
            Err(FindPathError::TooFar),
        ),
        (
            Cell::new(3, 0),
            Spot::within_steps(1),
            radius.with_cost(1),
            Err(FindPathError::TooDear),
        ),
    ];
    for (to, spot, limits, expected) in cases {
        let request = PathRequest::new(here, to)
            .with_limits(limits)
            .with_spot(Some(spot));
        for want in [Want::Path, Want::Cost, Want::Reachability] {
            let request = request.clone().wanting(want);
            assert_eq!(
                end(&answer_to(&mut world, &request)),
                expected,
                "{request:?}"
            );
            assert_eq!(end(&at_once(&mut world, &request)), expected, "{request:?}");
        }
    }
}

#[test]
fn asked_at_once() {
    let mut world = TestWorld::open(30, 9);
    let map = world.map;
    let mut state = SystemState::<NavQuery>::new(world.world());
    let mut ways = state.get_mut(world.world()).expect("a valid parameter");
    let (from, target) = (Cell::new(2, 4), Cell::new(22, 4));
    let spot = ways.spot(map, from, target, Spot::within_sight(7), Rules::default());
    assert_eq!(spot.map(|route| route.steps), Ok(13));
    let beside = ways.spot(map, from, target, Spot::within_steps(1), Rules::default());
    assert_eq!(beside.map(|route| route.steps), Ok(19));
}

/// A far shot on a map with a budget for which it takes many ticks.
fn long_shot() -> (TestWorld, PathRequest) {
    let (world, request) = long_way();
    (world, request.within_sight(4))
}

#[test]
fn slices_answer_alike() {
    let (mut world, request) = long_shot();
    let expected = at_once(&mut world, &request);
    for budget in [10, 100, 1_000_000] {
        world.world().insert_resource(NavBudget::Units(budget));
        assert_eq!(answer_to(&mut world, &request), expected, "{budget}");
    }
}

#[test]
fn changes_begin_again() {
    let (mut world, request) = long_shot();
    let asker = ask(&mut world, &request);
    world.tick(3);
    let before = world.digest();
    world.get_mut::<PathRequest>(asker).spot = Some(Spot::within_sight(900));
    assert_ne!(world.digest(), before, "it counts for the digest");
    world.get_mut::<PathRequest>(asker).spot = request.spot;
    assert_eq!(world.digest(), before);
    world.get_mut::<PathRequest>(asker).to = request.from;
    world.tick(2);
    let steps = answer(&world, asker).map(|answer| answer.as_ref().map(|route| route.steps));
    assert_eq!(steps, Some(Ok(0)));
}

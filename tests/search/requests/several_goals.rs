//! Requests with several goals, compared with a separate request for each.

use super::{
    Answer, answer, answer_to, ask, at_once, dijkstra,
    drawn_ground::{drawn, ground},
    long_way, to,
};
use bevy_ecs::prelude::*;
use nav::{
    NavBudget, NavMap,
    requests::{FindPathError, PathRequest, Want},
};
use nav_drawn::Draw;
use nav_grid::{
    Cell, Grid, Limits,
    query::{Fault, QueryEnd},
};
use nav_tests::{TestWorld, by_tier};

/// Returns the nearest goal by a separate search for each: its cost and number.
fn naive(grid: &Grid, request: &PathRequest) -> Option<(u32, u32)> {
    let costs = request.goals().zip(0..).filter_map(|(goal, number)| {
        let cost = dijkstra(grid, &to(request, goal))?;
        Some((cost, number))
    });
    costs.min()
}

fn winner(answer: &Answer) -> Option<(u32, u32)> {
    let route = answer.as_ref().ok()?;
    Some((route.outcome.cost, route.goal))
}

fn nearest_wins(map: impl Fn(Grid) -> NavMap) {
    let mut winners = [0; 2];
    for seed in 0..by_tier(24, 300) {
        let draw = &mut Draw::new(seed);
        let layers = [0; 3].map(|_| draw.percent(40));
        let grid = ground(draw, layers);
        let mut world = TestWorld::on(Grid::open(1, 1).expect("a map of this size"));
        *world.nav_map() = map(grid.clone());
        world.world().insert_resource(NavBudget::Units(500));
        for _ in 0..4 {
            let size = grid.size();
            let others = (0..draw.below(20)).map(|_| {
                // Some are in walls.
                let (x, y) = (
                    draw.below(size.width.into()),
                    draw.below(size.height.into()),
                );
                Cell::new(x as u16, y as u16)
            });
            let others: Vec<Cell> = others.collect();
            let request = drawn(draw, &grid).or_to(others);
            let nearest = naive(&grid, &request);
            let about = format!("seed {seed}, layers {layers:?}, {request:?}");
            let waited = answer_to(&mut world, &request);
            for answer in [waited, at_once(&mut world, &request)] {
                assert_eq!(winner(&answer), nearest, "{about}");
                if let Ok(route) = answer {
                    let walked = route.path.walk(&grid, request.from, request.rules);
                    assert_eq!(walked, Ok(route.outcome.cost), "{about}: walked");
                    let end = route.path.end().unwrap_or(request.from);
                    let goal = request.goals().nth(route.goal as usize);
                    assert_eq!(Some(end), goal, "{about}: the end");
                    assert_eq!(route.path.len(), route.steps as usize, "{about}");
                    winners[usize::from(route.goal > 0)] += 1;
                }
            }
        }
    }
    assert!(winners.into_iter().all(|count| count > 20), "{winners:?}");
}

#[test]
fn nearest_wins_on_plain_maps() {
    nearest_wins(NavMap::plain);
}

#[test]
fn nearest_wins_on_prepared_maps() {
    nearest_wins(NavMap::new);
}

#[test]
fn goals_that_do_not_count() {
    let mut world = TestWorld::new(&["....#..", "....#..", "....#.."]);
    let [from, wall, beyond, near] = [(0, 0), (4, 1), (6, 1), (2, 2)].map(Cell::from);
    let off = Cell::new(50, 50);
    let invalid = |fault| Err(FindPathError::Invalid(QueryEnd::Goal, fault));
    let cases: [(Cell, &[Cell], Result<u32, FindPathError>); 5] = [
        (wall, &[beyond, off, near], Ok(3)),
        (wall, &[beyond, off], Err(FindPathError::Unreachable)),
        (wall, &[off], invalid(Fault::Blocked)),
        (off, &[wall], invalid(Fault::OutsideMap)),
        (near, &[from], Ok(1)),
    ];
    for (first, others, expected) in cases {
        let request = PathRequest::new(from, first).or_to(others.iter().copied());
        for want in [Want::Path, Want::Cost, Want::Reachability] {
            let request = request.clone().wanting(want);
            let waited = answer_to(&mut world, &request);
            for answer in [waited, at_once(&mut world, &request)] {
                let goal = answer.map(|route| route.goal);
                assert_eq!(goal, expected, "{request:?}");
            }
        }
    }
    let dear = PathRequest::new(from, near).or_to([Cell::new(3, 0)]);
    for (cost, expected) in [(1, Err(FindPathError::TooDear)), (2, Ok(0)), (9, Ok(0))] {
        let request = dear.clone().with_limits(Limits::UNBOUNDED.with_cost(cost));
        let answer = answer_to(&mut world, &request);
        assert_eq!(answer.map(|route| route.goal), expected, "{cost}");
    }
}

/// Rooms, a far request in them with many goals near its own, and a budget of 100.
fn long_search() -> (TestWorld, PathRequest) {
    let (world, request) = long_way();
    let to = request.to;
    let beside = (1..6).map(|n| Cell::new(to.x.saturating_sub(n), to.y));
    (world, request.or_to(beside))
}

#[test]
fn slices_answer_alike() {
    let (mut world, request) = long_search();
    let expected = at_once(&mut world, &request);
    for budget in [10, 100, 1_000, 1_000_000] {
        world.world().insert_resource(NavBudget::Units(budget));
        assert_eq!(answer_to(&mut world, &request), expected, "{budget}");
    }
}

#[test]
fn changed_goals_begin_again() {
    let (mut world, request) = long_search();
    let asker = ask(&mut world, &request);
    world.tick(3);
    assert_eq!(answer(&world, asker), None);
    let before = world.digest();
    world.get_mut::<PathRequest>(asker).others = vec![request.from];
    assert_ne!(world.digest(), before);
    world.tick(2);
    let goal = answer(&world, asker).map(|answer| answer.as_ref().map(|route| route.goal));
    assert_eq!(goal, Some(Ok(1)));
}

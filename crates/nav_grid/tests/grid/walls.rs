//! Ways out of a wall that was built on a walker, judged by a look at every cell.

use crate::worlds::{any_case, tries};
use nav_grid::{
    Cell, Directions, Grid, Limits, Method, Path, PathQuery, Planner, Rules, Search, Status,
    methods::BoundedAStar,
    query::{Fallback, Fault, QueryEnd, Stopped},
};
use nav_judge::{cells, resume_to_end};
use proptest::{prelude::*, sample::select};

const FALLBACKS: [Fallback; 3] = [
    Fallback::None,
    Fallback::ClosestReached,
    Fallback::NearestReachable,
];

/// Returns the ground nearest to a cell.
fn nearest(grid: &Grid, cell: Cell, rules: Rules) -> Option<Cell> {
    let places = cells(grid.size()).filter(|place| place.floor == cell.floor);
    let places = places.filter(|&place| grid.fits(place, rules.footprint));
    places.min_by_key(|&place| {
        let (dx, dy) = (place.x.abs_diff(cell.x), place.y.abs_diff(cell.y));
        let square = |apart: u16| u64::from(apart).pow(2);
        (dx.max(dy), square(dx) + square(dy), place)
    })
}

proptest! {
    #![proptest_config(tries(60, 600))]

    /// From deep inside a wall one step is legal, and each step leads closer to the nearest ground.
    #[test]
    fn steps_lead_out((world, queries) in any_case()) {
        let grid = world.grid();
        for query in queries {
            let rules = query.rules;
            let mut at = query.start;
            for _ in 0..200 {
                if grid.fits(at, rules.footprint) {
                    break;
                }
                let Some(place) = nearest(&grid, at, rules) else {
                    prop_assert_eq!(grid.steps(at, rules), Directions::NONE);
                    break;
                };
                let steps: Vec<Cell> = grid.steps(at, rules)
                    .into_iter()
                    .filter_map(|way| at.step(way))
                    .collect();
                prop_assert!(!steps.is_empty(), "from {}", at);
                let onto_ground = |&cell: &Cell| grid.fits(cell, rules.footprint);
                for &to in &steps {
                    prop_assert!(grid.allows_step(at, to, rules));
                    prop_assert!(onto_ground(&to) || steps.len() == 1);
                }
                let next = steps[0];
                if !onto_ground(&next) {
                    let far = |cell: Cell| (cell.chebyshev(place), cell.manhattan(place));
                    prop_assert!(far(next) < far(at), "from {} to {}", at, next);
                }
                at = next;
            }
            prop_assert!(
                grid.fits(at, rules.footprint) || nearest(&grid, at, rules).is_none()
            );
        }
    }

    /// By every method and fallback the path leads out, and to the goal if a way exists.
    #[test]
    fn random_worlds(
        (world, queries) in any_case(),
        method in select(&Method::ALL[..]),
        fallback in select(&FALLBACKS[..]),
    ) {
        let grid = world.grid();
        let (mut planner, mut path, mut sliced) = (Planner::new(), Path::new(), Path::new());
        for query in queries {
            let rules = query.rules;
            let query = query.with_fallback(fallback).with_limits(Limits::UNBOUNDED);
            if grid.fits(query.start, rules.footprint) {
                continue;
            }
            let outcome = planner.ask(method, &grid, &query, &mut path);
            if matches!(outcome.status, Status::Unsupported(_)) {
                continue;
            }
            if nearest(&grid, query.start, rules).is_none() {
                let in_wall = Status::Invalid(QueryEnd::Start, Fault::Blocked);
                prop_assert_eq!(outcome.status, in_wall);
                continue;
            }
            prop_assert_eq!(path.walk(&grid, query.start, rules), Ok(outcome.cost));
            let end = path.end().expect("a way out");
            prop_assert!(grid.fits(end, rules.footprint));
            let is_ground = |cell: &Cell| grid.fits(*cell, rules.footprint);
            let in_wall = path.iter().take_while(|cell| !is_ground(cell)).count();
            prop_assert!(path.iter().skip(in_wall).all(|cell| is_ground(&cell)));
            if outcome.status == Status::Found {
                prop_assert_eq!(end, query.goal);
            } else {
                // No cell beside the wall has a way to the goal.
                prop_assert_eq!(outcome.status, Status::Partial(Stopped::Unreachable));
                let last = path.iter().take(in_wall).next_back().unwrap_or(query.start);
                let exits = grid.steps(last, rules).into_iter().filter_map(|way| last.step(way));
                for exit in exits.filter(is_ground) {
                    let on = PathQuery { start: exit, ..query }.with_fallback(Fallback::None);
                    let on = BoundedAStar::new().search(&grid, &on, &mut sliced);
                    let leads_on = matches!(on.status, Status::Found | Status::AlreadyThere);
                    prop_assert!(!leads_on, "{:?} from {}", query, exit);
                }
            }
            planner.begin_with(method, &grid, &query);
            let (answer, _) = resume_to_end(&mut planner, (&grid).into(), 2, &mut sliced);
            prop_assert_eq!((answer, &sliced), (outcome, &path));
        }
    }
}

/// All methods give one answer to a query with an end inside a wall, and the query says which end
/// that is.
#[test]
fn all_methods_answer_alike() {
    let grid = Grid::from_fn(12, 5, |cell| {
        let in_block = |columns: std::ops::Range<u16>| columns.contains(&cell.x);
        !(1..4).contains(&cell.y) || !in_block(1..5) && !in_block(7..9)
    })
    .expect("a size");
    let (ground, inside, other) = (Cell::new(11, 0), Cell::new(2, 2), Cell::new(8, 2));
    let [found, partial] = [Status::Found, Status::Partial(Stopped::Unreachable)];
    let blocked = Some(Fault::Blocked);
    let mut planner = Planner::new();
    for (start, goal, faults, status) in [
        (inside, ground, [blocked, None], [found; 3]),
        (
            ground,
            inside,
            [None, blocked],
            [
                Status::Invalid(QueryEnd::Goal, Fault::Blocked),
                partial,
                partial,
            ],
        ),
        (inside, other, [blocked; 2], [partial; 3]),
        (inside, inside, [blocked; 2], [partial; 3]),
    ] {
        for (fallback, status) in FALLBACKS.into_iter().zip(status) {
            let query = PathQuery::new(start, goal)
                .with_limits(Limits::window(28))
                .with_fallback(fallback);
            let ends = [QueryEnd::Start, QueryEnd::Goal];
            assert_eq!(ends.map(|end| query.fault(&grid, end)), faults, "{query:?}");
            for method in Method::ALL {
                let answer = planner.ask(method, &grid, &query, &mut Path::new());
                // Of these methods the line does not approach, and four need an index.
                let is_other = matches!(answer.status, Status::Unsupported(_))
                    || method == Method::Line && status == partial && faults[0].is_none();
                if !is_other {
                    assert_eq!(answer.status, status, "{method} {query:?}");
                }
            }
        }
    }
}

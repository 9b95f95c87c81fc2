//! The nearest of several goals, compared with a separate path to each.

use crate::worlds::{any_case, any_cell, tries};
use mapgen::Kind;
use nav_grid::{
    Cell, Grid, IndexedMap, Limits, Metric, Outcome, Path, PathQuery, Rules, Search, Status,
    methods::{BoundedAStar, NearestGoal},
    query::{Fault, Progress, QueryEnd},
    rules::{BodyPolicy, CornerRule},
};
use nav_judge::{by_tier, settled};
use proptest::{collection::vec, prelude::*};

/// Returns the nearest goal by a separate search for each: its number and the cost of its path.
fn naive(grid: &Grid, query: &PathQuery, goals: &[Cell]) -> Option<(usize, u32)> {
    let mut search = BoundedAStar::new();
    let costs = goals.iter().enumerate().filter_map(|(number, &goal)| {
        let outcome = search.search(grid, &PathQuery { goal, ..*query }, &mut Path::new());
        let leads = matches!(outcome.status, Status::Found | Status::AlreadyThere);
        leads.then_some((number, outcome.cost))
    });
    costs.min_by_key(|&(number, cost)| (cost, number))
}

/// Answers in slices of `work`.
fn in_slices(
    search: &mut NearestGoal,
    grid: &Grid,
    query: &PathQuery,
    goals: &[Cell],
    work: u32,
    path: &mut Path,
) -> Outcome {
    search.begin(grid, query, goals);
    loop {
        let before = search.work();
        match search.resume(grid, work, path) {
            Progress::Done(outcome) => return outcome,
            Progress::Suspended => {
                let done = search.work() - before;
                // An expansion may look at eight blocks beside.
                let most = work + 8 * (1 + goals.len() as u32 / 16);
                assert!((work..=most).contains(&done), "{done} of {work}");
            }
            Progress::Stale | Progress::Idle => panic!("the map is not edited"),
        }
    }
}

proptest! {
    #![proptest_config(tries(60, 4000))]

    #[test]
    fn random_worlds(
        ((world, queries), goals) in any_case().prop_flat_map(|case| {
            let goals = vec(any_cell(case.0.size()), 0..40);
            (Just(case), goals)
        }),
        is_limited in any::<bool>(),
    ) {
        let grid = world.grid();
        let (mut search, mut path) = (NearestGoal::new(), Path::new());
        for query in queries {
            let rules = query.rules.with_bodies(BodyPolicy::Ignore);
            let mut query = settled(query, &grid).with_rules(rules).with_last_step(false);
            let nearest = naive(&grid, &query, &goals);
            if let Some((_, cost)) = nearest.filter(|_| is_limited) {
                // A path along the limit counts.
                query.limits.cost = cost;
            }
            let mut prepared = IndexedMap::new(grid.clone());
            prepared.build_regions(rules);
            let by_regions = search.search(&prepared, &query, &goals, &mut path);
            let leads = matches!(by_regions.status, Status::Found | Status::AlreadyThere);
            let found = search.winner().map(|number| (number, by_regions.cost));
            prop_assert_eq!(found.filter(|_| leads), nearest);

            let outcome = search.search(&grid, &query, &goals, &mut path);
            let leads = matches!(outcome.status, Status::Found | Status::AlreadyThere);
            let found = search.winner().map(|number| (number, outcome.cost));
            prop_assert_eq!(found.filter(|_| leads), nearest, "{:?}", outcome);
            if let Some((number, cost)) = nearest {
                prop_assert_eq!(path.end().unwrap_or(query.start), goals[number]);
                prop_assert_eq!(path.walk(&grid, query.start, rules), Ok(cost));
                if cost > 0 {
                    query.limits.cost = cost - 1;
                    let short = search.search(&grid, &query, &goals, &mut path);
                    let is_none = matches!(short.status, Status::BudgetSpent | Status::Unreachable);
                    prop_assert!(is_none && path.is_empty(), "{:?}", short);
                    query.limits.cost = cost;
                }
            }
            let whole = search.search(&grid, &query, &goals, &mut path);
            for work in [1, 7, 50] {
                let mut way = Path::new();
                let sliced = in_slices(&mut search, &grid, &query, &goals, work, &mut way);
                prop_assert_eq!(sliced, whole);
                prop_assert_eq!(&way, &path);
            }
        }
    }
}

#[test]
fn statuses_without_path() {
    let grid = Grid::from_fn(9, 3, |cell| cell.x != 4).unwrap();
    let [start, wall, beyond, off] = [(1, 1), (4, 1), (7, 1), (30, 1)].map(Cell::from);
    let invalid = |end, fault| Status::Invalid(end, fault);
    let cases: [(Cell, &[Cell], u16, Status); 8] = [
        (start, &[], 20, Status::Unreachable),
        (
            start,
            &[wall, off],
            20,
            invalid(QueryEnd::Goal, Fault::Blocked),
        ),
        (
            start,
            &[off, wall],
            20,
            invalid(QueryEnd::Goal, Fault::OutsideMap),
        ),
        (start, &[wall, beyond], 20, Status::Unreachable),
        (start, &[wall, beyond], 3, Status::TooFar),
        (
            off,
            &[start],
            20,
            invalid(QueryEnd::Start, Fault::OutsideMap),
        ),
        (start, &[beyond, start], 20, Status::AlreadyThere),
        (wall, &[start, beyond], 20, Status::Found),
    ];
    let (mut search, mut path) = (NearestGoal::new(), Path::new());
    for (from, goals, radius, expected) in cases {
        let query = PathQuery::new(from, from).with_limits(Limits::window(radius));
        let outcome = search.search(&grid, &query, goals, &mut path);
        assert_eq!(outcome.status, expected, "{from} to {goals:?}");
        assert_eq!(path.is_empty(), expected != Status::Found);
    }
    assert_eq!(search.winner(), Some(0));
    let query = PathQuery::new(start, start).with_limits(Limits {
        expansions: 2,
        ..Limits::UNBOUNDED
    });
    let outcome = search.search(&grid, &query, &[beyond], &mut path);
    assert_eq!(outcome.status, Status::BudgetSpent);
}

#[test]
fn out_of_walls() {
    let grid = Grid::from_fn(30, 20, |cell| !(4..14).contains(&cell.x)).unwrap();
    let (mut search, mut path) = (NearestGoal::new(), Path::new());
    for x in 4..14 {
        let start = Cell::new(x, 9);
        let goals = [Cell::new(0, 2), Cell::new(20, 12), Cell::new(2, 9)];
        let query = PathQuery::new(start, start).with_limits(Limits::UNBOUNDED);
        let outcome = search.search(&grid, &query, &goals, &mut path);
        let winner = search.winner().map(|number| goals[number]);
        assert_eq!((outcome.status, winner), (Status::Found, path.end()), "{x}");
        let walked = path.walk(&grid, start, query.rules);
        assert_eq!(walked, Ok(outcome.cost), "{x}");
        let alone = BoundedAStar::new().search(
            &grid,
            &PathQuery {
                goal: winner.unwrap(),
                ..query
            },
            &mut path,
        );
        assert_eq!(alone.cost, outcome.cost, "{x}");
    }
}

#[test]
fn edits_end_the_search() {
    let mut grid = Grid::from_fn(60, 60, |cell| cell.x != 30 || cell.y == 40).unwrap();
    let start = Cell::new(3, 3);
    let query = PathQuery::new(start, start).with_limits(Limits::UNBOUNDED);
    let (mut search, mut path) = (NearestGoal::new(), Path::new());
    search.begin(&grid, &query, &[Cell::new(50, 55)]);
    assert_eq!(search.resume(&grid, 3, &mut path), Progress::Suspended);
    grid.set_walkable(Cell::new(9, 9), false).unwrap();
    assert_eq!(search.resume(&grid, 3, &mut path), Progress::Stale);
    assert_eq!(search.resume(&grid, 3, &mut path), Progress::Idle);
}

/// Work of fifty goals for each hundred of work to the nearest one, by A*.
#[test]
fn work_of_fifty_goals() {
    let kinds = [
        Kind::Open,
        Kind::Clutter { percent: 20 },
        Kind::Rooms,
        Kind::Caves,
        Kind::Maze,
        Kind::Mixed,
    ];
    let (mut all, mut one) = (0, 0);
    for kind in kinds {
        for (side, seed) in [(100, 1), (100, 2), (300, 3)] {
            let grid = mapgen::generate(kind, side, side, seed).unwrap();
            let cells: Vec<Cell> = grid.walkable_cells().collect();
            let pick = |number: usize| cells[number * 7919 % cells.len()];
            let rules = Rules::new(Metric::Grid, CornerRule::Strict);
            for turn in 0..by_tier(4, 40) {
                let start = pick(turn * 977 + 5);
                let goals: Vec<Cell> = (0..50).map(|n| pick(turn * 101 + n * 31 + 1)).collect();
                let query = PathQuery::new(start, start)
                    .with_rules(rules)
                    .with_limits(Limits::UNBOUNDED);
                let mut search = NearestGoal::new();
                let outcome = search.search(&grid, &query, &goals, &mut Path::new());
                let goal = goals[search.winner().expect("a goal within reach")];
                let query = PathQuery { goal, ..query };
                let alone = BoundedAStar::new().search(&grid, &query, &mut Path::new());
                assert_eq!(alone.cost, outcome.cost);
                all += u64::from(outcome.counters.work());
                one += u64::from(alone.counters.work());
            }
        }
    }
    assert!(all * 2 <= one * 3, "{all} for fifty goals, {one} for one");
}

//! Bounded A*, scenario by scenario.

use crate::scenes::{self, ask};
use nav_grid::{
    Cell, CornerRule, Grid, Limits, Metric, Path, PathQuery, Rules, Search, Status,
    methods::BoundedAStar,
    query::{Fallback, Fault, QueryEnd, Stopped},
    rules::Heuristic,
};

fn sketch(rows: &[&str]) -> (Grid, PathQuery) {
    let (grid, _, query) = scenes::sketch(&[rows]);
    (grid, query)
}

#[test]
fn goal_without_start() {
    let (grid, query) = sketch(&["S..", "...", "..G"]);
    let (outcome, path) = ask(&grid, &query);
    assert_eq!(outcome.status, Status::Found);
    assert_eq!(path, [Cell::new(1, 1), Cell::new(2, 2)]);
}

#[test]
fn outside_window_costs_nothing() {
    let grid = Grid::open(64, 64).unwrap();
    let start = Cell::new(30, 30);
    for goal in [
        Cell::new(51, 30),
        Cell::new(9, 30),
        Cell::new(30, 51),
        Cell::new(51, 9),
    ] {
        let (outcome, _) = ask(&grid, &PathQuery::new(start, goal));
        assert_eq!(outcome.status, Status::TooFar, "{goal}");
        assert_eq!(outcome.counters.pushed, 0);
    }
    let (outcome, _) = ask(&grid, &PathQuery::new(start, Cell::new(50, 10)));
    assert_eq!(
        outcome.status,
        Status::Found,
        "the window's corner is inside"
    );
}

#[test]
fn already_there() {
    let grid = Grid::open(4, 4).unwrap();
    let (outcome, _) = ask(&grid, &PathQuery::new(Cell::new(2, 2), Cell::new(2, 2)));
    assert_eq!(outcome.status, Status::AlreadyThere);
}

#[test]
fn budget_spent_or_unreachable() {
    let (grid, query) = sketch(&["S.......#G", "........##", "..........", ".........."]);
    let tight = Limits {
        expansions: 12,
        ..Limits::default()
    };
    let (outcome, _) = ask(&grid, &query.with_limits(tight));
    assert_eq!(outcome.status, Status::BudgetSpent);
    assert_eq!(outcome.counters.expanded, 12);
    let (outcome, _) = ask(&grid, &query);
    assert_eq!(outcome.status, Status::Unreachable);
    assert!(outcome.counters.expanded < 150);
}

#[test]
fn last_expansion_finds() {
    let (grid, query) = sketch(&["S...G"]);
    let limits = |expansions| Limits {
        expansions,
        ..Limits::default()
    };
    let (outcome, _) = ask(&grid, &query.with_limits(limits(4)));
    assert_eq!(
        (outcome.status, outcome.counters.expanded),
        (Status::Found, 4)
    );
    let (outcome, _) = ask(&grid, &query.with_limits(limits(3)));
    assert_eq!(outcome.status, Status::BudgetSpent);
}

#[test]
fn no_budget() {
    let (grid, query) = sketch(&["SG"]);
    let none = Limits {
        expansions: 0,
        ..Limits::default()
    };
    let (outcome, _) = ask(&grid, &query.with_limits(none));
    assert_eq!(
        (outcome.status, outcome.counters.expanded),
        (Status::BudgetSpent, 0)
    );
}

#[test]
fn detour_outside_window() {
    let (grid, query) = sketch(&["S#G", ".#.", ".#.", "..."]);
    let (outcome, _) = ask(&grid, &query.with_limits(Limits::window(2)));
    assert_eq!(outcome.status, Status::Unreachable);
    let (outcome, _) = ask(&grid, &query.with_limits(Limits::window(3)));
    assert_eq!(outcome.status, Status::Found);
}

#[test]
fn invalid_ends() {
    let (grid, query) = sketch(&["S#", "G."]);
    let wall = Cell::new(1, 0);
    let outside = Cell::new(7, 0);
    let status = |start, goal| ask(&grid, &PathQuery::new(start, goal)).0.status;
    assert_eq!(status(wall, query.goal), Status::Found, "out of the wall");
    assert_eq!(
        status(query.start, wall),
        Status::Invalid(QueryEnd::Goal, Fault::Blocked)
    );
    assert_eq!(
        status(outside, query.goal),
        Status::Invalid(QueryEnd::Start, Fault::OutsideMap)
    );
    let upstairs = query.goal.on_floor(1);
    assert_eq!(
        status(query.start, upstairs),
        Status::Invalid(QueryEnd::Goal, Fault::OutsideMap)
    );
}

#[test]
fn corner_rules() {
    let (grid, query) = sketch(&["S#.", "..G"]);
    let cost = |corners| {
        ask(
            &grid,
            &query.with_rules(Rules {
                corners,
                ..query.rules
            }),
        )
        .0
        .cost
    };
    assert_eq!(cost(CornerRule::Strict), 3);
    assert_eq!(cost(CornerRule::Cut), 2);
}

#[test]
fn metrics() {
    let (grid, query) = sketch(&["S...", "...G"]);
    let cost = |metric| {
        ask(
            &grid,
            &query.with_rules(Rules {
                metric,
                ..query.rules
            }),
        )
        .0
        .cost
    };
    assert_eq!(cost(Metric::Unit), 3);
    assert_eq!(cost(Metric::FourWay), 4);
    assert_eq!(cost(Metric::Grid), 34);
    assert_eq!(cost(Metric::Octile), 2 * 2378 + 3363);
}

#[test]
fn partial_path_ends_nearest() {
    let (grid, query) = sketch(&["S...#.", "....#G", "....#."]);
    let (outcome, path) = ask(&grid, &query.with_fallback(Fallback::ClosestReached));
    assert_eq!(outcome.status, Status::Partial(Stopped::Unreachable));
    // All cells of the column are as near and cost as much; the middle one is nearest in a straight
    // line.
    assert_eq!(path.last(), Some(&Cell::new(3, 1)));
    let tight = Limits {
        expansions: 3,
        ..Limits::default()
    };
    let query = query
        .with_fallback(Fallback::ClosestReached)
        .with_limits(tight);
    let (outcome, path) = ask(&grid, &query);
    assert_eq!(outcome.status, Status::Partial(Stopped::BudgetSpent));
    assert_eq!(path.len(), 2);
}

#[test]
fn partial_path_from_nearest() {
    let (grid, query) = sketch(&["..S#G", "...##"]);
    let (outcome, _) = ask(&grid, &query.with_fallback(Fallback::ClosestReached));
    assert_eq!(outcome.status, Status::Unreachable);
}

#[test]
fn open_ground_expands_path() {
    let grid = Grid::open(64, 64).unwrap();
    let start = Cell::new(30, 30);
    for goal in grid
        .walkable_cells()
        .filter(|goal| (1..=20).contains(&goal.chebyshev(start)))
    {
        let (outcome, path) = ask(&grid, &PathQuery::new(start, goal));
        assert_eq!(outcome.counters.expanded as usize, path.len(), "to {goal}");
    }
}

#[test]
fn open_ground_straight_line() {
    let grid = Grid::open(64, 64).unwrap();
    let start = Cell::new(30, 30);
    for goal in [
        Cell::new(46, 34),
        Cell::new(14, 38),
        Cell::new(33, 11),
        Cell::new(50, 31),
    ] {
        let (_, path) = ask(&grid, &PathQuery::new(start, goal));
        let (dx, dy) = (f64::from(goal.x) - 30.0, f64::from(goal.y) - 30.0);
        for cell in &path {
            let (x, y) = (f64::from(cell.x) - 30.0, f64::from(cell.y) - 30.0);
            let off = (x * dy - y * dx).abs() / dx.hypot(dy);
            assert!(
                off < 0.75,
                "{cell} on the way to {goal} is {off} cells off the line"
            );
        }
    }
}

#[test]
fn classic_guess() {
    let (grid, query) = sketch(&[
        "..........",
        ".########.",
        ".#......#.",
        ".#......#.",
        "S#......#G",
        ".########.",
        "..........",
    ]);
    let classic = PathQuery::classic(query.start, query.goal);
    assert_eq!(classic.heuristic, Heuristic::Manhattan);
    let (exact, _) = ask(&grid, &query.with_rules(classic.rules));
    let (quick, _) = ask(&grid, &classic);
    assert!(quick.cost >= exact.cost && quick.cost <= 2 * exact.cost);
    assert!(quick.counters.expanded <= exact.counters.expanded);
}

#[test]
fn used_scratch() {
    let small = Grid::open(9, 9).unwrap();
    let large = Grid::from_fn(300, 200, |cell| cell.x % 5 != 0 || cell.y % 3 == 0).unwrap();
    let mut warm = BoundedAStar::new();
    let mut path = Path::new();
    for (grid, to) in [
        (&large, (121, 40)),
        (&small, (7, 3)),
        (&large, (8, 9)),
        (&small, (0, 8)),
    ] {
        let query = PathQuery::new(Cell::new(1, 1), Cell::from(to)).with_limits(Limits::UNBOUNDED);
        let outcome = warm.search(grid, &query, &mut path);
        assert_eq!((outcome, path.iter().collect()), ask(grid, &query));
        assert_eq!(outcome.status, Status::Found);
    }
}

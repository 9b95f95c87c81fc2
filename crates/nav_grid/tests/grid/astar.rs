//! Bounded A*, scenario by scenario.

use crate::scenes::{self, ask};
use nav_grid::{Cell, Grid, Limits, Path, PathQuery, Search, Status, methods::BoundedAStar};

fn sketch(rows: &[&str]) -> (Grid, PathQuery) {
    let (grid, _, query) = scenes::sketch(&[rows]);
    (grid, query)
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
fn detour_outside_window() {
    let (grid, query) = sketch(&["S#G", ".#.", ".#.", "..."]);
    let (outcome, _) = ask(&grid, &query.with_limits(Limits::window(2)));
    assert_eq!(outcome.status, Status::Unreachable);
    let (outcome, _) = ask(&grid, &query.with_limits(Limits::window(3)));
    assert_eq!(outcome.status, Status::Found);
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

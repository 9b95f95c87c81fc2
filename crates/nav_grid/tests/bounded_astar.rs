//! Bounded A*, scenario by scenario.

use nav_grid::{
    Cell, CornerRule, Grid, Limits, Metric, Outcome, Path, PathQuery, Rules, Search, Status,
    methods::BoundedAStar,
    query::{Fallback, Fault, QueryEnd, Stopped},
    rules::Heuristic,
};

/// `.` walkable, `#` blocked, `S` and `G` the ends of the query.
fn sketch(rows: &[&str]) -> (Grid, PathQuery) {
    let at = |letter: char| {
        rows.iter().enumerate().find_map(|(y, row)| {
            row.chars()
                .position(|c| c == letter)
                .map(|x| Cell::new(x as u16, y as u16))
        })
    };
    let width = rows[0].len() as u16;
    let grid = Grid::from_fn(width, rows.len() as u16, |cell| {
        rows[usize::from(cell.y)].as_bytes()[usize::from(cell.x)] != b'#'
    });
    (
        grid.unwrap(),
        PathQuery::new(at('S').unwrap(), at('G').unwrap()),
    )
}

fn answer(grid: &Grid, query: &PathQuery) -> (Outcome, Path) {
    let mut path = Path::new();
    let outcome = BoundedAStar::new().search(grid, query, &mut path);
    if outcome.status.has_path() {
        assert_eq!(path.walk(grid, query.start, query.rules), Ok(outcome.cost));
    } else {
        assert!(path.is_empty());
    }
    (outcome, path)
}

#[test]
fn a_path_ends_at_the_goal_and_leaves_out_the_start() {
    let (grid, query) = sketch(&["S..", "...", "..G"]);
    let (outcome, path) = answer(&grid, &query);
    assert_eq!(outcome.status, Status::Found);
    assert_eq!(
        path.iter().collect::<Vec<_>>(),
        [Cell::new(1, 1), Cell::new(2, 2)]
    );
}

#[test]
fn a_goal_outside_the_window_is_too_far_without_any_work() {
    let grid = Grid::open(64, 64).unwrap();
    let start = Cell::new(30, 30);
    for goal in [
        Cell::new(51, 30),
        Cell::new(9, 30),
        Cell::new(30, 51),
        Cell::new(51, 9),
    ] {
        let (outcome, _) = answer(&grid, &PathQuery::new(start, goal));
        assert_eq!(outcome.status, Status::TooFar, "{goal}");
        assert_eq!(outcome.counters.pushed, 0);
    }
    let (outcome, _) = answer(&grid, &PathQuery::new(start, Cell::new(50, 10)));
    assert_eq!(
        outcome.status,
        Status::Found,
        "the window's corner is inside"
    );
}

#[test]
fn start_and_goal_in_one_cell() {
    let grid = Grid::open(4, 4).unwrap();
    let (outcome, _) = answer(&grid, &PathQuery::new(Cell::new(2, 2), Cell::new(2, 2)));
    assert_eq!(outcome.status, Status::AlreadyThere);
}

#[test]
fn a_spent_budget_is_not_the_same_as_no_path() {
    let (grid, query) = sketch(&["S.......#G", "........##", "..........", ".........."]);
    let tight = Limits {
        expansions: 12,
        ..Limits::default()
    };
    let (outcome, _) = answer(&grid, &query.with_limits(tight));
    assert_eq!(outcome.status, Status::BudgetSpent);
    assert_eq!(outcome.counters.expanded, 12);
    let (outcome, _) = answer(&grid, &query);
    assert_eq!(outcome.status, Status::Unreachable);
    assert!(outcome.counters.expanded < 150);
}

#[test]
fn the_last_allowed_expansion_may_find_the_goal() {
    let (grid, query) = sketch(&["S...G"]);
    let limits = |expansions| Limits {
        expansions,
        ..Limits::default()
    };
    let (outcome, _) = answer(&grid, &query.with_limits(limits(4)));
    assert_eq!(
        (outcome.status, outcome.counters.expanded),
        (Status::Found, 4)
    );
    let (outcome, _) = answer(&grid, &query.with_limits(limits(3)));
    assert_eq!(outcome.status, Status::BudgetSpent);
}

#[test]
fn no_budget_means_no_expansion() {
    let (grid, query) = sketch(&["SG"]);
    let none = Limits {
        expansions: 0,
        ..Limits::default()
    };
    let (outcome, _) = answer(&grid, &query.with_limits(none));
    assert_eq!(
        (outcome.status, outcome.counters.expanded),
        (Status::BudgetSpent, 0)
    );
}

#[test]
fn a_detour_outside_the_window_is_not_taken() {
    let (grid, query) = sketch(&["S#G", ".#.", ".#.", "..."]);
    let (outcome, _) = answer(&grid, &query.with_limits(Limits::window(2)));
    assert_eq!(outcome.status, Status::Unreachable);
    let (outcome, _) = answer(&grid, &query.with_limits(Limits::window(3)));
    assert_eq!(outcome.status, Status::Found);
}

#[test]
fn ends_that_cannot_be_stood_on_are_named() {
    let (grid, query) = sketch(&["S#", "G."]);
    let wall = Cell::new(1, 0);
    let outside = Cell::new(7, 0);
    let status = |start, goal| answer(&grid, &PathQuery::new(start, goal)).0.status;
    assert_eq!(
        status(wall, query.goal),
        Status::Invalid(QueryEnd::Start, Fault::Blocked)
    );
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
fn strict_corners_walk_around_what_cutting_slips_past() {
    let (grid, query) = sketch(&["S#.", "..G"]);
    let cost = |corners| {
        answer(
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
fn metrics_weigh_the_same_ground_differently() {
    let (grid, query) = sketch(&["S...", "...G"]);
    let cost = |metric| {
        answer(
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
fn a_partial_path_leads_as_near_as_the_search_came() {
    let (grid, query) = sketch(&["S...#.", "....#G", "....#."]);
    let (outcome, path) = answer(&grid, &query.with_fallback(Fallback::ClosestReached));
    assert_eq!(outcome.status, Status::Partial(Stopped::Unreachable));
    // All of the column are as near and as cheap; in the middle it is nearest as the crow flies.
    assert_eq!(path.end(), Some(Cell::new(3, 1)));
    let tight = Limits {
        expansions: 3,
        ..Limits::default()
    };
    let query = query
        .with_fallback(Fallback::ClosestReached)
        .with_limits(tight);
    let (outcome, path) = answer(&grid, &query);
    assert_eq!(outcome.status, Status::Partial(Stopped::BudgetSpent));
    assert_eq!(path.len(), 2);
}

#[test]
fn no_partial_path_where_the_start_is_nearest() {
    let (grid, query) = sketch(&["..S#G", "...##"]);
    let (outcome, _) = answer(&grid, &query.with_fallback(Fallback::ClosestReached));
    assert_eq!(outcome.status, Status::Unreachable);
}

#[test]
fn open_ground_expands_the_path_and_nothing_else() {
    let grid = Grid::open(64, 64).unwrap();
    let start = Cell::new(30, 30);
    for goal in grid
        .walkable_cells()
        .filter(|goal| (1..=20).contains(&goal.chebyshev(start)))
    {
        let (outcome, path) = answer(&grid, &PathQuery::new(start, goal));
        assert_eq!(outcome.counters.expanded as usize, path.len(), "to {goal}");
    }
}

#[test]
fn open_ground_paths_keep_to_the_straight_line() {
    let grid = Grid::open(64, 64).unwrap();
    let start = Cell::new(30, 30);
    for goal in [
        Cell::new(46, 34),
        Cell::new(14, 38),
        Cell::new(33, 11),
        Cell::new(50, 31),
    ] {
        let (_, path) = answer(&grid, &PathQuery::new(start, goal));
        let (dx, dy) = (f64::from(goal.x) - 30.0, f64::from(goal.y) - 30.0);
        for cell in path.iter() {
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
fn the_classic_pair_saves_work_and_may_walk_further() {
    let (grid, query) = sketch(&[
        "..........",
        ".########.",
        ".#......#.",
        ".#......#.",
        "S#......#G",
        ".########.",
        "..........",
    ]);
    let (exact, _) = answer(&grid, &query);
    let classic = PathQuery::classic(query.start, query.goal);
    assert_eq!(classic.heuristic, Heuristic::Manhattan);
    let (quick, _) = answer(&grid, &classic);
    assert!(quick.cost >= exact.cost && quick.cost <= 2 * exact.cost);
    assert!(quick.counters.expanded <= exact.counters.expanded);
}

#[test]
fn the_same_scratch_answers_as_fresh_scratch_does() {
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
        assert_eq!((outcome, path.clone()), answer(grid, &query));
        assert_eq!(outcome.status, Status::Found);
    }
}

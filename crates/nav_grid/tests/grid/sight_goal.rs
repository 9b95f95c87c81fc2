//! The nearest place from which a target is seen, compared with a look at every cell.

use crate::{
    reach::naive,
    worlds::{any_case, any_cell, tries},
};
use nav_grid::{
    Area, Cell, Grid, IndexedMap, Limits, Path, PathQuery, Rules, Status,
    fields::FieldLimits,
    map::Sight,
    methods::{NearestGoal, SightGoal},
    query::{Fault, Progress, QueryEnd},
    rules::{BodyPolicy, Class, ClassCosts},
};
use nav_judge::settled;
use proptest::prelude::*;

/// Whether a body at a place has a clear line to the target from the cell of it that is nearest.
fn sees(grid: &Grid, place: Cell, goal: SightGoal, rules: Rules) -> bool {
    let cells = rules.footprint.area(place).cells();
    let nearest =
        cells.min_by_key(|cell| (cell.chebyshev(goal.target), cell.manhattan(goal.target)));
    nearest.is_some_and(|eye| {
        eye.floor == goal.target.floor
            && eye.chebyshev(goal.target) <= goal.distance
            && grid.sees(eye, goal.target, rules)
    })
}

/// Returns the least cost of a place from which the target is seen, by a look at all cells.
fn least(grid: &Grid, query: &PathQuery, goal: SightGoal) -> Option<u32> {
    let limits = FieldLimits {
        radius: query.limits.radius,
        ..FieldLimits::UNBOUNDED
    };
    let costs = naive(grid, query.start, query.rules, limits).into_iter();
    let seen = costs.filter(|&(place, _)| sees(grid, place, goal, query.rules));
    seen.map(|(_, cost)| cost).min()
}

proptest! {
    #![proptest_config(tries(60, 4000))]

    #[test]
    fn random_worlds(
        ((world, queries), target) in any_case().prop_flat_map(|case| {
            let target = any_cell(case.0.size());
            (Just(case), target)
        }),
        distance in 0..12_u16,
    ) {
        let grid = world.grid();
        let goal = SightGoal { target, distance };
        let (mut search, mut path) = (NearestGoal::new(), Path::new());
        for query in queries {
            let rules = query.rules.with_bodies(BodyPolicy::Ignore);
            let query = settled(query, &grid).with_rules(rules).with_last_step(false);
            if !grid.fits(query.start, rules.footprint) || !query.heuristic.is_admissible(rules.metric) {
                continue;
            }
            let mut query = query;
            query.limits = Limits { expansions: u32::MAX, ..query.limits };
            query.limits.cost = Limits::UNBOUNDED.cost;
            let expected = least(&grid, &query, goal);
            let mut prepared = IndexedMap::new(grid.clone());
            prepared.build_regions(rules);
            let by_regions = search.search_sight(&prepared, &query, goal, &mut path);
            let whole = search.search_sight(&grid, &query, goal, &mut path);
            for outcome in [by_regions, whole] {
                let leads = matches!(outcome.status, Status::Found | Status::AlreadyThere);
                prop_assert_eq!(leads.then_some(outcome.cost), expected, "{:?}", outcome);
            }
            if let Some(cost) = expected {
                let end = path.end().unwrap_or(query.start);
                prop_assert!(sees(&grid, end, goal, rules));
                prop_assert_eq!(path.walk(&grid, query.start, rules), Ok(cost));
                query.limits.cost = cost;
                let along = search.search_sight(&grid, &query, goal, &mut Path::new());
                prop_assert_eq!(along.cost, cost);
                if cost > 0 {
                    query.limits.cost = cost - 1;
                    let short = search.search_sight(&grid, &query, goal, &mut Path::new());
                    let is_none = matches!(short.status, Status::BudgetSpent | Status::Unreachable);
                    prop_assert!(is_none, "{:?}", short);
                }
                query.limits.cost = Limits::UNBOUNDED.cost;
            }
            for work in [1, 7, 50] {
                let mut way = Path::new();
                search.begin_sight(&grid, &query, goal);
                let sliced = loop {
                    match search.resume(&grid, work, &mut way) {
                        Progress::Done(outcome) => break outcome,
                        Progress::Suspended => {}
                        Progress::Stale | Progress::Idle => panic!("the map is not edited"),
                    }
                };
                prop_assert_eq!(sliced, whole);
                prop_assert_eq!(&way, &path);
            }
        }
    }
}

#[test]
fn over_water_and_through_windows() {
    // A wall with a window, which is a cell to be seen through, and a moat before it.
    let mut grid = Grid::open(20, 9).unwrap();
    let wall = Area::new(Cell::new(12, 0), Cell::new(12, 8));
    grid.set_walkable(wall, false).unwrap();
    let moat = Area::new(Cell::new(8, 0), Cell::new(10, 8));
    let water = Class::new(3).unwrap();
    grid.set_class(moat, water).unwrap();
    let land = Rules::default().with_classes(ClassCosts::ALL.without(water));
    let query = PathQuery::new(Cell::new(1, 4), Cell::new(1, 4))
        .with_rules(land)
        .with_limits(Limits::UNBOUNDED);
    let goal = SightGoal {
        target: Cell::new(15, 4),
        distance: 8,
    };
    let (mut search, mut path) = (NearestGoal::new(), Path::new());
    let blocked = search.search_sight(&grid, &query, goal, &mut path);
    assert_eq!(blocked.status, Status::Unreachable);
    grid.set_sight(Cell::new(12, 4), Sight::Clear).unwrap();
    let outcome = search.search_sight(&grid, &query, goal, &mut path);
    // From the shore, the place whose line passes the window.
    assert_eq!((outcome.status, outcome.cost), (Status::Found, 6));
    assert_eq!(path.end().map(|cell| cell.x), Some(7));
}

#[test]
fn statuses_without_path() {
    let grid = Grid::from_fn(30, 3, |cell| cell.x != 14).unwrap();
    let [start, near, beyond, off] = [(1, 1), (6, 1), (20, 1), (40, 1)].map(Cell::from);
    let invalid = |end| Status::Invalid(end, Fault::OutsideMap);
    let cases = [
        (start, near, 20, Status::Found),
        (start, start, 20, Status::AlreadyThere),
        (start, beyond, 20, Status::Unreachable),
        (start, beyond, 10, Status::TooFar),
        (start, off, 20, invalid(QueryEnd::Goal)),
        (off, near, 20, invalid(QueryEnd::Start)),
        (Cell::new(14, 1), near, 20, Status::Found),
    ];
    let (mut search, mut path) = (NearestGoal::new(), Path::new());
    for (from, target, radius, expected) in cases {
        let query = PathQuery::new(from, from).with_limits(Limits::window(radius));
        let goal = SightGoal {
            target,
            distance: 3,
        };
        let outcome = search.search_sight(&grid, &query, goal, &mut path);
        assert_eq!(outcome.status, expected, "{from} to {target}");
        assert_eq!(path.is_empty(), expected != Status::Found);
        let found = matches!(expected, Status::Found | Status::AlreadyThere);
        assert_eq!(search.winner(), found.then_some(0));
    }
}

/// A shot over open ground takes little more than the way there.
#[test]
fn work_on_open_ground() {
    let grid = Grid::open(200, 200).unwrap();
    let start = Cell::new(20, 100);
    let query = PathQuery::new(start, start).with_limits(Limits::UNBOUNDED);
    let goal = SightGoal {
        target: Cell::new(120, 100),
        distance: 10,
    };
    let (mut search, mut path) = (NearestGoal::new(), Path::new());
    let outcome = search.search_sight(&grid, &query, goal, &mut path);
    assert_eq!((outcome.status, outcome.cost), (Status::Found, 90));
    assert!(outcome.counters.work() <= 200, "{:?}", outcome.counters);
}

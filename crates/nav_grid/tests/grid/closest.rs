//! The nearest cells that searches reach for goals outside the window or in a wall, judged by a
//! look at every cell.

use crate::worlds::{any_case, tries};
use nav_grid::{
    Cell, CornerRule, IndexedMap, Limits, Method, Metric, Outcome, Path, PathQuery, Planner, Rules,
    Search, Status, Terrain,
    methods::{BoundedAStar, JumpPointSearch, Sweep},
    query::{Fallback, Sliced, Stopped},
    rules::{Cost, Heuristic},
};
use nav_judge::{settled, stands, step, walk};
use proptest::{prelude::*, sample::select};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the least cost of each reachable cell of the window, by relaxing from the cheapest on.
pub fn reached(terrain: Terrain<'_>, query: &PathQuery) -> BTreeMap<Cell, Cost> {
    let (grid, straight) = (terrain.grid(), query.rules.metric.straight());
    let inside = |cell: Cell| cell.chebyshev(query.start) <= query.limits.radius;
    let mut costs = BTreeMap::from([(query.start, 0)]);
    let mut open = BTreeSet::from([(0, query.start)]);
    while let Some((cost, from)) = open.pop_first() {
        let steps = nav_grid::Direction::ALL.into_iter().filter_map(|way| {
            let to = from.step(way).filter(|&to| grid.contains(to))?;
            Some((to, step(terrain, query, from, to)?))
        });
        let links = grid.links().iter().filter(|link| link.from == from);
        let links = links
            .filter(|link| query.rules.links.allows(link.kind))
            .filter(|link| !query.ends_with_step || link.to != query.goal)
            .filter(|link| stands(terrain, query, link.to))
            .map(|link| (link.to, Cost::from(link.cost) * straight));
        for (to, more) in steps.chain(links).filter(|&(to, _)| inside(to)) {
            let cost = cost + more;
            if costs.get(&to).is_none_or(|&known| cost < known) {
                costs.insert(to, cost);
                open.insert((cost, to));
            }
        }
    }
    costs
}

/// Without a guess of the cost that remains, a path still leads nearer.
const GUESSES: [Heuristic; 2] = [Heuristic::OpenGround, Heuristic::Zero];

/// The methods that end on the nearest cell: a line has none, roads and portals end at others.
const METHODS: [Method; 6] = [
    Method::Auto,
    Method::AStar,
    Method::Jps,
    Method::Sweep,
    Method::Dijkstra,
    Method::Mosaic,
];

/// Returns the rank of a cell: its distance, its cost, and its distance in a straight line.
fn rank(query: &PathQuery, cell: Cell, cost: Cost) -> (Cost, Cost, u64) {
    let (dx, dy) = (cell.x.abs_diff(query.goal.x), cell.y.abs_diff(query.goal.y));
    let metric = match query.heuristic {
        Heuristic::Zero => Metric::Unit,
        _ => query.rules.metric,
    };
    let nearness = metric.open_ground(dx, dy);
    let square = |apart: u16| u64::from(apart).pow(2);
    (nearness, cost, square(dx) + square(dy))
}

/// Returns the end of a search, judged by the documented rules.
fn led(
    terrain: Terrain<'_>,
    query: &PathQuery,
    outcome: Outcome,
    path: &Path,
) -> Option<(Cost, Cost, u64)> {
    if path.is_empty() {
        assert_eq!(outcome.status, Status::Unreachable);
        return None;
    }
    assert_eq!(outcome.status, Status::Partial(Stopped::Unreachable));
    assert_eq!(walk(terrain, query, path), Ok(outcome.cost));
    path.end().map(|end| rank(query, end, outcome.cost))
}

proptest! {
    #![proptest_config(tries(60, 300))]

    #[test]
    fn random_worlds(
        (world, queries) in any_case(),
        radius in 1..9_u16,
        guess in select(&GUESSES[..]),
    ) {
        let (grid, bodies) = (world.grid(), world.bodies());
        let (mut planner, mut astar, mut sweep) =
            (Planner::new(), BoundedAStar::new(), Sweep::new());
        let mut path = Path::new();
        for &query in queries.iter().take(3) {
            let query = PathQuery { start: settled(query, &grid).start, ..query }
                .with_heuristic(guess)
                .with_limits(Limits::window(radius))
                .with_fallback(Fallback::ClosestReached);
            let is_beyond = query.start.chebyshev(query.goal) > radius;
            let in_wall = !grid.fits(query.goal, query.rules.footprint);
            if !grid.fits(query.start, query.rules.footprint)
                || !grid.contains(query.goal)
                || !(is_beyond || in_wall)
            {
                continue;
            }
            for terrain in [Terrain::from(&grid), Terrain::from(&grid).with_bodies(&bodies)] {
                let costs = reached(terrain, &query);
                let nearest = costs.iter().map(|(&cell, &cost)| rank(&query, cell, cost)).min();
                let start = rank(&query, query.start, 0);
                let nearest = nearest.filter(|nearest| nearest.0 < start.0);

                let outcome = sweep.search(terrain, &query, &mut path);
                let is_served = !matches!(outcome.status, Status::Unsupported(_));
                if is_served {
                    prop_assert_eq!(led(terrain, &query, outcome, &path), nearest, "{:?}", query);
                    let swept: Vec<Cell> = path.iter().collect();
                    let planned = planner.search(terrain, &query, &mut path);
                    prop_assert_eq!(planned, outcome);
                    prop_assert_eq!(path.iter().collect::<Vec<_>>(), swept);
                }

                // It stops at the first cell when no other can be nearer.
                let few = |(nearness, cost, _)| (nearness, cost);
                let outcome = astar.search(terrain, &query, &mut path);
                let found = led(terrain, &query, outcome, &path);
                prop_assert_eq!(found.map(few), nearest.map(few), "{:?}", query);
                let whole: Vec<Cell> = path.iter().collect();
                astar.begin(terrain, &query);
                let sliced = loop {
                    if let nav_grid::query::Progress::Done(done) =
                        astar.resume(terrain, 3, &mut path)
                    {
                        break done;
                    }
                };
                prop_assert_eq!(sliced, outcome);
                prop_assert_eq!(path.iter().collect::<Vec<_>>(), whole);

                let planned = planner.search(terrain, &query, &mut path);
                let found = led(terrain, &query, planned, &path);
                prop_assert_eq!(found.map(few), nearest.map(few), "{:?}", query);
            }
        }
    }
}

#[test]
fn open_ground() {
    let grid = nav_grid::Grid::open(400, 400).unwrap();
    let (start, goal) = (Cell::new(200, 200), Cell::new(390, 210));
    for radius in [20, 100] {
        let query = PathQuery::new(start, goal)
            .with_limits(Limits::window(radius))
            .with_fallback(Fallback::ClosestReached);
        let mut path = Path::new();
        let outcome = Planner::new().search(&grid, &query, &mut path);
        let end = path.end().unwrap();
        assert_eq!(end.x, 200 + radius, "{end}");
        assert!((200..=211).contains(&end.y), "{end}");
        let expanded = outcome.counters.expanded;
        assert!(expanded <= u32::from(radius) * 2, "{expanded} expansions");
    }
}

/// Of cells that are equally near but for rounding, the cheapest is the end.
#[test]
fn near_by_rounded_estimate() {
    let goal = Cell::new(120, 50);
    let grid = nav_grid::Grid::from_fn(240, 60, |cell| cell.y < 20 || cell == goal).unwrap();
    let rules = Rules::new(Metric::Grid, CornerRule::Strict);
    let query = PathQuery::new(Cell::new(5, 10), goal)
        .with_rules(rules)
        .with_heuristic(Heuristic::Euclidean)
        .with_limits(Limits::UNBOUNDED)
        .with_fallback(Fallback::ClosestReached);
    let nearness = |cell: Cell| {
        let (dx, dy) = (cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y));
        (100 * (u64::from(dx).pow(2) + u64::from(dy).pow(2))).isqrt()
    };
    let costs = reached((&grid).into(), &query);
    let nearest = costs
        .iter()
        .map(|(&cell, &cost)| (nearness(cell), cost))
        .min();
    let mut path = Path::new();
    let outcome = JumpPointSearch::new().search(&grid, &query, &mut path);
    assert_eq!(path.end().map(|end| (nearness(end), outcome.cost)), nearest);
}

#[test]
fn approached_by_others() {
    let grid = nav_grid::Grid::open(100, 100).unwrap();
    let query = PathQuery::new(Cell::new(50, 50), Cell::new(90, 50));
    let ask = |query: &PathQuery, method| {
        let outcome = Planner::new().ask(method, &grid, query, &mut Path::new());
        outcome.status
    };
    for method in [Method::Auto, Method::AStar, Method::Sweep, Method::Jps] {
        assert_eq!(ask(&query, method), Status::TooFar, "{method}");
    }
    // Without a straight line, other ways approach the goal by A*, within the same limits.
    let query = query.with_fallback(Fallback::ClosestReached);
    assert_eq!(ask(&query, Method::Line), Status::TooFar);
    for method in [Method::Jps, Method::Dijkstra] {
        let nearer = Status::Partial(Stopped::Unreachable);
        assert_eq!(ask(&query, method), nearer, "{method}");
        let few = query.with_limits(Limits {
            expansions: 5,
            ..query.limits
        });
        let nearer = Status::Partial(Stopped::BudgetSpent);
        assert_eq!(ask(&few, method), nearer, "{method}");
    }
    let alone = JumpPointSearch::new().search(&grid, &query, &mut Path::new());
    assert_eq!(alone.status, Status::TooFar);
}

proptest! {
    #![proptest_config(tries(60, 600))]

    /// The path ends on the nearest of the cells within the limit on cost, whatever lies between.
    #[test]
    fn limited_cost(
        (world, queries) in any_case(),
        share in 1..12_u32,
        guess in select(&GUESSES[..]),
    ) {
        let (grid, bodies) = (world.grid(), world.bodies());
        let (mut planner, mut path) = (Planner::new(), Path::new());
        for &query in queries.iter().take(3) {
            let query = settled(query, &grid);
            let apart = query.rules.metric.open_ground(
                query.start.x.abs_diff(query.goal.x),
                query.start.y.abs_diff(query.goal.y),
            );
            let query = query
                .with_heuristic(guess)
                .with_limits(query.limits.with_cost(apart * share / 8))
                .with_fallback(Fallback::ClosestReached);
            if Planner::answer_at_once(&grid, &query).is_some()
                || !grid.fits(query.start, query.rules.footprint)
            {
                continue;
            }
            let mut map = IndexedMap::new(grid.clone());
            map.build_mosaic(query.rules);
            for terrain in [Terrain::from(&map), Terrain::from(&map).with_bodies(&bodies)] {
                let costs = reached(terrain, &query);
                let within = costs.iter().filter(|&(_, &cost)| cost <= query.limits.cost);
                let few = |(nearness, cost, _)| (nearness, cost);
                let rank = |cell, cost| few(rank(&query, cell, cost));
                let start = rank(query.start, 0);
                let nearest = within.map(|(&cell, &cost)| rank(cell, cost)).min().filter(|nearest| nearest.0 < start.0);
                for method in METHODS {
                    let outcome = planner.ask(method, terrain, &query, &mut path);
                    if matches!(outcome.status, Status::Unsupported(_)) {
                        continue;
                    }
                    let is_found = costs.get(&query.goal).is_some_and(|&cost| cost <= query.limits.cost);
                    prop_assert_eq!(outcome.status == Status::Found, is_found);
                    if is_found {
                        continue;
                    }
                    if !path.is_empty() {
                        prop_assert_eq!(walk(terrain, &query, &path), Ok(outcome.cost));
                    }
                    let end = path.end().map(|end| rank(end, outcome.cost));
                    prop_assert_eq!(end, nearest, "{} {:?} {:?}", method, query, outcome);
                }
            }
        }
    }
}

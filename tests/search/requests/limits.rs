//! Limits and methods of path requests, compared with naive searches on drawn maps.

use super::{
    answer_to, at_once, dijkstra,
    drawn_ground::{drawn, ground},
    naive_costs, to,
};
use nav::{
    NavMap,
    requests::{FindPathError, PathRequest, Want},
};
use nav_drawn::Draw;
use nav_grid::{
    Cell, Grid, Limits, Method, Metric, Rules,
    query::{Fallback, Feature},
    rules::CornerRule,
};
use nav_tests::{TestWorld, by_tier};

/// Draws maps and requests, and gives each request the cost of its cheapest path as the limit, and
/// one less.
fn exact_within_cost(map: impl Fn(Grid) -> NavMap) {
    let mut ends = [0; 2];
    for seed in 0..by_tier(24, 400) {
        let draw = &mut Draw::new(seed);
        let layers = [0; 3].map(|_| draw.percent(30));
        let grid = ground(draw, layers);
        let mut world = TestWorld::on(Grid::open(1, 1).expect("a map of this size"));
        *world.nav_map() = map(grid.clone());
        world.seconds(1);
        for _ in 0..6 {
            let request = drawn(draw, &grid);
            let Some(least) = dijkstra(&grid, &request).filter(|&least| least > 0) else {
                continue;
            };
            for (limit, is_enough) in [(least, true), (least - 1, false)] {
                let limits = Limits::UNBOUNDED.with_cost(limit);
                let request = request.clone().with_limits(limits);
                let waited = answer_to(&mut world, &request);
                for answer in [waited, at_once(&mut world, &request)] {
                    let about = format!("seed {seed}, layers {layers:?}, {request:?}: {answer:?}");
                    match answer {
                        Ok(route) => assert!(is_enough && route.outcome.cost == least, "{about}"),
                        Err(error) => {
                            let says = matches!(
                                error,
                                FindPathError::TooDear | FindPathError::Unreachable
                            );
                            assert!(!is_enough && says, "{about}");
                        }
                    }
                    ends[usize::from(is_enough)] += 1;
                }
                let reach = answer_to(&mut world, &request.clone().wanting(Want::Reachability));
                assert_eq!(reach.is_ok(), is_enough, "seed {seed}, {request:?}");
            }
        }
    }
    assert!(ends.into_iter().all(|count| count > 100), "{ends:?}");
}

#[test]
fn cost_on_plain_maps() {
    exact_within_cost(NavMap::plain);
}

#[test]
fn cost_on_prepared_maps() {
    exact_within_cost(NavMap::new);
}

#[test]
fn far_portal_path_beyond_cost() {
    // Over portals the path is dearer than the cheapest, whose cost is the limit.
    let mut found_by = Vec::new();
    for seed in 0..by_tier(6, 60) {
        let grid = mapgen::generate(mapgen::Kind::Clutter { percent: 30 }, 300, 200, seed);
        let grid = grid.expect("a map of this size");
        let cells: Vec<Cell> = grid.walkable_cells().collect();
        let request = PathRequest::new(cells[0], cells[cells.len() - 1]);
        let rules = Rules::new(Metric::Grid, CornerRule::Strict);
        let request = request.clone().with_rules(rules);
        let Some(least) = dijkstra(&grid, &request) else {
            continue;
        };
        let mut world = TestWorld::on(Grid::open(1, 1).expect("a map of this size"));
        let mut map = NavMap::new(grid);
        map.prepare(rules);
        *world.nav_map() = map;
        let request = request
            .clone()
            .with_limits(Limits::UNBOUNDED.with_cost(least));
        let waited = answer_to(&mut world, &request);
        for answer in [waited, at_once(&mut world, &request)] {
            let route = answer.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            assert_eq!(route.outcome.cost, least, "seed {seed}");
            found_by.push(route.outcome.method);
        }
    }
    assert!(found_by.contains(&Method::AStar), "{found_by:?}");
}

#[test]
fn fallback_leads_as_near_as_cost_allows() {
    let mut short = 0;
    for seed in 0..by_tier(24, 400) {
        let draw = &mut Draw::new(seed);
        let layers = [draw.percent(40), draw.percent(40), false];
        let grid = ground(draw, layers);
        let mut world = TestWorld::on(Grid::open(1, 1).expect("a map of this size"));
        *world.nav_map() = NavMap::plain(grid.clone());
        for _ in 0..6 {
            let request = drawn(draw, &grid).with_fallback(Fallback::NearestReachable);
            let cost = draw.below(40) as u32 * request.rules.metric.straight();
            let request = request
                .clone()
                .with_limits(Limits::UNBOUNDED.with_cost(cost));
            let reached = naive_costs(&grid, &request, cost);
            let far = |cell: Cell| {
                let to = request.to;
                let [dx, dy] = [cell.x.abs_diff(to.x), cell.y.abs_diff(to.y)].map(u32::from);
                (cell.chebyshev(to), dx * dx + dy * dy)
            };
            let nearest = reached.keys().map(|&cell| far(cell)).min();
            let about = format!("seed {seed}, layers {layers:?}, {request:?}");
            let waited = answer_to(&mut world, &request);
            for answer in [waited, at_once(&mut world, &request)] {
                let Ok(route) = answer else {
                    // Nothing is nearer than the start.
                    assert_eq!(
                        Some(far(request.from).0),
                        nearest.map(|far| far.0),
                        "{about}"
                    );
                    continue;
                };
                let end = route.path.end().unwrap_or(request.from);
                assert_eq!(Some(far(end)), nearest, "{about}");
                assert_eq!(reached.get(&end), Some(&route.outcome.cost), "{about}");
                short += u32::from(!route.reaches());
            }
        }
    }
    assert!(short > 50, "{short} paths end short of their goals");
}

#[test]
fn methods_by_name() {
    let grid = mapgen::generate(mapgen::Kind::Rooms, 60, 60, 3).expect("a map of this size");
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    let request = PathRequest::new(cells[0], cells[cells.len() - 1]);
    let least = dijkstra(&grid, &request).expect("rooms are connected");
    let mut world = TestWorld::on(Grid::open(1, 1).expect("a map of this size"));
    *world.nav_map() = NavMap::plain(grid);
    let lacks = |feature| Err(FindPathError::Unsupported(feature));
    for (method, expected) in [
        (Method::Auto, Ok(least)),
        (Method::AStar, Ok(least)),
        (Method::Jps, Ok(least)),
        (Method::Dijkstra, Ok(least)),
        (Method::Line, Err(FindPathError::Unreachable)),
        (Method::Sweep, lacks(Feature::Window)),
        (Method::Portal, lacks(Feature::Preparation)),
    ] {
        let request = request.clone().with_method(method);
        let waited = answer_to(&mut world, &request);
        for answer in [waited, at_once(&mut world, &request)] {
            let cost = answer.map(|route| (route.outcome.cost, route.outcome.method));
            match cost {
                Ok((_, by)) => assert!(by == method || method == Method::Auto, "{by}"),
                Err(error) => assert_eq!(Err(error), expected, "{method}"),
            }
            assert_eq!(cost.map(|(cost, _)| cost), expected, "{method}");
        }
    }
    let few = Limits {
        expansions: 20,
        ..Limits::UNBOUNDED
    };
    let request = request.clone().with_limits(few);
    let spent = Err(FindPathError::TooManyExpansions);
    assert_eq!(
        answer_to(&mut world, &request.clone().with_method(Method::AStar)),
        spent
    );
    assert!(
        answer_to(&mut world, &request).is_ok(),
        "it counts for methods by name"
    );
}

#[test]
fn changed_limits_begin_again() {
    let (mut world, request) = super::long_way();
    let asker = super::ask(&mut world, &request);
    world.tick(3);
    let changed = request.clone().with_limits(Limits::UNBOUNDED.with_cost(3));
    // Not the answer to the request before.
    let mut asked = world.get_mut::<PathRequest>(asker);
    asked.limits = changed.limits;
    world.tick_until(|world| super::answer(world, asker).is_some());
    assert_eq!(
        super::answer(&world, asker),
        Some(&Err(FindPathError::TooDear))
    );
    let unlike = to(&request, request.from);
    assert!(answer_to(&mut world, &unlike).is_ok());
}

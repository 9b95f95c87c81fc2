//! The answers to requests, compared with Dijkstra's search on drawn maps.

use super::{
    answer, answer_to, ask_on, at_once, dijkstra,
    drawn_ground::{drawn, ground},
    to,
};
use bevy_ecs::system::SystemState;
use nav::{
    NavMap,
    requests::{FindPathError, NavQuery, PathRequest, Want},
};
use nav_drawn::Draw;
use nav_grid::{
    Area, Cell, Grid, Method,
    query::{Fallback, Fault, QueryEnd},
};
use nav_tests::{TestWorld, by_tier};

/// Draws maps, sends requests on each, and compares the answers with Dijkstra's search. Paths by
/// portals may cost `spare` percent more, and short ones even more.
fn equal_dijkstra(spare: u32, map: impl Fn(Grid) -> NavMap) {
    for seed in 0..by_tier(24, 400) {
        let draw = &mut Draw::new(seed);
        let layers = [0; 3].map(|_| draw.percent(40));
        let grid = ground(draw, layers);
        let mut world = TestWorld::on(Grid::open(1, 1).expect("a map of this size"));
        *world.nav_map() = map(grid.clone());
        for _ in 0..6 {
            let request = drawn(draw, &grid);
            let about = format!("seed {seed}, layers {layers:?}, {request:?}");
            let least = dijkstra(&grid, &request);
            let waited = answer_to(&mut world, &request);
            for answer in [waited, at_once(&mut world, &request)] {
                let cost = answer.as_ref().ok().map(|route| route.outcome.cost);
                let most = |cost: u32| cost + cost * spare / 100 + spare.min(8) * cost.min(8);
                let is_right = cost.is_some() == least.is_some()
                    && cost
                        .zip(least)
                        .is_none_or(|(cost, least)| (least..=most(least)).contains(&cost));
                assert!(is_right, "{about}: {cost:?}, not {least:?}");
                if let Ok(route) = answer {
                    let walked = route.path.walk(&grid, request.from, request.rules);
                    assert_eq!(walked.ok(), cost, "{about}: walked");
                    assert_eq!(route.path.len(), route.steps as usize, "{about}");
                    let end = route.path.end().unwrap_or(request.from);
                    assert_eq!(end, request.to, "{about}: the end");
                }
            }
            let reach = request.clone().wanting(Want::Reachability);
            for answer in [answer_to(&mut world, &reach), at_once(&mut world, &reach)] {
                assert_eq!(answer.is_ok(), least.is_some(), "{about}: reachable");
            }
        }
    }
}

#[test]
fn plain_maps_equal_dijkstra() {
    equal_dijkstra(0, NavMap::plain);
}

#[test]
fn prepared_maps_near_dijkstra() {
    // Bodies of several sizes and metrics need an index each.
    equal_dijkstra(25, NavMap::new);
}

#[test]
fn windows_hide_shorter_way() {
    // The window around the start shows a costly gap; a cheap one lies beyond it.
    let mut grid = Grid::open(60, 60).expect("a map of this size");
    let wall = Area::new(Cell::new(22, 0), Cell::new(22, 59));
    grid.set_walkable(wall, false).expect("a part of the map");
    for gap in [18, 50] {
        grid.set_walkable(Cell::new(22, gap), true).expect("a cell");
    }
    grid.set_cost(Cell::new(22, 18), 64).expect("a cell");
    let mut world = TestWorld::on(grid.clone());
    let request = PathRequest::new(Cell::new(20, 20), Cell::new(24, 20));
    let route = answer_to(&mut world, &request).expect("a way around");
    assert_eq!(Some(route.outcome.cost), dijkstra(&grid, &request));
    assert_eq!(route.steps, 62);
}

#[test]
fn errors_say_what_is_wrong() {
    let mut world = TestWorld::new(&["..#.", "..#."]);
    let [here, there] = [(0, 0), (3, 1)].map(Cell::from);
    let off = Cell::new(9, 9);
    let invalid = |end, fault| Err(FindPathError::Invalid(end, fault));
    let cases = [
        (here, off, invalid(QueryEnd::Goal, Fault::OutsideMap)),
        (off, here, invalid(QueryEnd::Start, Fault::OutsideMap)),
        (
            here,
            Cell::new(2, 0),
            invalid(QueryEnd::Goal, Fault::Blocked),
        ),
        (here, there, Err(FindPathError::Unreachable)),
    ];
    for want in [Want::Path, Want::Cost, Want::Reachability] {
        for (from, to, expected) in &cases {
            let request = PathRequest::new(*from, *to).wanting(want);
            assert_eq!(&answer_to(&mut world, &request), expected);
            assert_eq!(&at_once(&mut world, &request), expected);
        }
    }
    let text = FindPathError::Invalid(QueryEnd::Goal, Fault::OutsideMap).to_string();
    assert_eq!(text, "the goal is outside the map");
}

#[test]
fn no_map() {
    let mut world = TestWorld::open(4, 4);
    let request = PathRequest::new(Cell::new(0, 0), Cell::new(3, 3));
    let nowhere = world.world().spawn(request.clone()).id();
    let gone = world.world().spawn_empty().id();
    let elsewhere = ask_on(&mut world, gone, &request);
    world.tick(1);
    for asker in [nowhere, elsewhere] {
        assert_eq!(answer(&world, asker), Some(&Err(FindPathError::NoMap)));
    }
    let mut state = SystemState::<NavQuery>::new(world.world());
    let mut ways = state.get_mut(world.world()).expect("a valid parameter");
    let asked = ways.path(gone, request.from, request.to, request.rules);
    assert_eq!(asked, Err(FindPathError::NoMap));
}

#[test]
fn wants_decide_what_is_kept() {
    let mut world = TestWorld::open(30, 30);
    let request = PathRequest::new(Cell::new(2, 3), Cell::new(14, 5));
    let of = |world: &mut TestWorld, want| {
        answer_to(world, &request.clone().wanting(want)).expect("open")
    };
    let path = of(&mut world, Want::Path);
    assert_eq!(
        (path.path.len(), path.steps, path.outcome.cost),
        (12, 12, 12)
    );
    let cost = of(&mut world, Want::Cost);
    assert_eq!(
        (cost.path.len(), cost.steps, cost.outcome.cost),
        (0, 12, 12)
    );
    let reach = of(&mut world, Want::Reachability);
    assert_eq!(
        (reach.path.len(), reach.steps, reach.outcome.cost),
        (0, 0, 0)
    );
    let there = answer_to(&mut world, &PathRequest::new(request.to, request.to)).expect("there");
    assert_eq!((there.steps, there.outcome.cost), (0, 0));
}

#[test]
fn fallbacks_lead_nearer() {
    let mut world = TestWorld::new(&["..........#..", "..........#..", "..........#.."]);
    let request = PathRequest::new(Cell::new(1, 1), Cell::new(12, 1));
    assert_eq!(
        answer_to(&mut world, &request),
        Err(FindPathError::Unreachable)
    );
    for fallback in [Fallback::NearestReachable, Fallback::ClosestReached] {
        let request = request.clone().with_fallback(fallback);
        let route = answer_to(&mut world, &request);
        let route = route.unwrap_or_else(|error| panic!("{fallback:?}: {error}"));
        assert_eq!(
            (route.reaches(), route.path.end()),
            (false, Some(Cell::new(9, 1)))
        );
        assert_eq!(
            at_once(&mut world, &request).map(|route| route.steps),
            Ok(8)
        );
        let wall = to(&request, Cell::new(10, 1));
        assert!(answer_to(&mut world, &wall).is_ok_and(|route| !route.reaches()));
    }
}

#[test]
fn far_requests_prepare_the_map() {
    let grid = mapgen::generate(mapgen::Kind::Rooms, 200, 120, 3).expect("a map of this size");
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    let request = PathRequest::new(cells[0], cells[cells.len() - 1]);
    let mut world = TestWorld::on(grid);
    answer_to(&mut world, &request).expect("a way");
    world.seconds(5);
    let map = world.nav_map();
    assert!(map.indexes().ready_portals(request.rules).is_some());
    let route = answer_to(&mut world, &request).expect("a way");
    assert_eq!(route.outcome.method, Method::Portal);
}

//! Bounded A* on maps with more than walls, scenario by scenario: costs, ledges, stairs, doors,
//! bodies and large walkers.

use crate::scenes::{ask, sketch};
use nav_grid::{
    Area, Cell, Direction, Directions, Footprint, Grid, Limits, Link, Metric, PathQuery, Rules,
    Size, Status, Terrain,
    map::Bodies,
    query::{Counters, Fallback, Fault, QueryEnd, Stopped},
    rules::BodyPolicy,
};

fn side(side: u8) -> Footprint {
    Footprint::new(side).unwrap()
}

#[test]
fn around_mud() {
    let (mut grid, _, query) = sketch(&[&[".....", "S.5.G", "....."]]);
    let (outcome, path) = ask(&grid, &query);
    assert_eq!((outcome.status, outcome.cost), (Status::Found, 4));
    assert!(!path.contains(&Cell::new(2, 1)));
    // With walls on both sides there is no way round.
    for y in [0, 2] {
        let row = Area::new(Cell::new(0, y), Cell::new(4, y));
        grid.set_walkable(row, false).unwrap();
    }
    assert_eq!(ask(&grid, &query).0.cost, 1 + 5 + 1 + 1);
}

#[test]
fn ground_under_ends() {
    let (mut grid, _, query) = sketch(&[&["S.G"]]);
    grid.set_cost(query.start, 9).unwrap();
    assert_eq!(ask(&grid, &query).0.cost, 2);
    grid.set_cost(query.goal, 9).unwrap();
    assert_eq!(ask(&grid, &query).0.cost, 10);
}

#[test]
fn large_body_pays_worst() {
    let (grid, _, query) = sketch(&[&["S.G.", "..3."]]);
    let rules = Rules::default().with_footprint(side(2));
    assert_eq!(ask(&grid, &query).0.cost, 2);
    assert_eq!(ask(&grid, &query.with_rules(rules)).0.cost, 6);
}

#[test]
fn ledge() {
    let (grid, _, down) = sketch(&[&["..S....", "vvvvv#.", "..G...."]]);
    let up = PathQuery::new(down.goal, down.start);
    assert_eq!(ask(&grid, &down).0.cost, 2);
    let (outcome, path) = ask(&grid, &up);
    assert_eq!(outcome.status, Status::Found);
    assert!(path.contains(&Cell::new(6, 1)), "by the gap: {path:?}");
}

#[test]
fn large_body_on_ledge() {
    let (mut grid, _, query) = sketch(&[&["S....G", "......"]]);
    let rules = Rules::default().with_footprint(side(2));
    let query = query.with_rules(rules);
    // The goal's anchor would stick out of the map.
    let query = PathQuery {
        goal: Cell::new(4, 0),
        ..query
    };
    assert_eq!(ask(&grid, &query).0.cost, 4);
    let no_east: Directions = Direction::ALL
        .into_iter()
        .filter(|&way| way != Direction::East)
        .collect();
    grid.set_exits(Cell::new(2, 1), no_east).unwrap();
    assert_eq!(ask(&grid, &query).0.status, Status::Unreachable);
}

#[test]
fn stairs_one_way() {
    let (mut grid, _, query) = sketch(&[&["S...", "...."], &["...G", "...."]]);
    assert_eq!(ask(&grid, &query).0.status, Status::Unreachable);
    let stairs = Link::new(Cell::new(2, 1), Cell::new(2, 1).on_floor(1)).with_cost(3);
    grid.set_link(stairs).unwrap();
    let (outcome, path) = ask(&grid, &query);
    assert_eq!((outcome.status, outcome.cost), (Status::Found, 2 + 3 + 1));
    assert!(path.windows(2).any(|pair| pair == [stairs.from, stairs.to]));
    let back = PathQuery::new(query.goal, query.start);
    assert_eq!(ask(&grid, &back).0.status, Status::Unreachable);
    grid.set_link(stairs.reversed()).unwrap();
    assert_eq!(ask(&grid, &back).0.cost, 1 + 3 + 2);
}

#[test]
fn over_another_floor() {
    let (mut grid, _, query) = sketch(&[&["S.#.G"], &["....."]]);
    let up = Link::new(Cell::new(1, 0), Cell::new(1, 0).on_floor(1));
    let down = Link::new(Cell::new(3, 0).on_floor(1), Cell::new(3, 0));
    grid.set_link(up).unwrap();
    grid.set_link(down).unwrap();
    assert_eq!(ask(&grid, &query).0.cost, 1 + 1 + 2 + 1 + 1);
}

#[test]
fn teleport_behind() {
    let mut grid = Grid::open(60, 9).unwrap();
    let (start, goal) = (Cell::new(20, 4), Cell::new(40, 4));
    grid.set_link(Link::new(Cell::new(17, 4), goal)).unwrap();
    for metric in Metric::ALL {
        let rules = Rules {
            metric,
            ..Rules::default()
        };
        let query = PathQuery::new(start, goal)
            .with_rules(rules)
            .with_limits(Limits::UNBOUNDED);
        assert_eq!(ask(&grid, &query).0.cost, 4 * metric.straight());
    }
}

#[test]
fn link_cost() {
    let (mut grid, _, query) = sketch(&[&["S#G"]]);
    grid.set_cost(query.goal, 50).unwrap();
    grid.set_link(Link::new(query.start, query.goal).with_cost(7))
        .unwrap();
    for metric in Metric::ALL {
        let rules = Rules {
            metric,
            ..Rules::default()
        };
        let (outcome, path) = ask(&grid, &query.with_rules(rules));
        assert_eq!(outcome.cost, 7 * metric.straight());
        assert_eq!(path, [query.goal]);
    }
}

#[test]
fn link_not_taken() {
    let (mut grid, mut bodies, query) = sketch(&[&["S........#G.", ".........#.."]]);
    let (entry, landing) = (Cell::new(1, 0), Cell::new(10, 0));
    grid.set_link(Link::new(entry, landing)).unwrap();
    let tight = query.with_limits(Limits::window(9));
    assert_eq!(ask(&grid, &tight).0.status, Status::TooFar);
    assert_eq!(ask(&grid, &query).0.cost, 2);
    // The goal moves one cell on, and a body stands at the end of the link.
    let query = PathQuery {
        goal: Cell::new(11, 1),
        ..query
    };
    let avoiding = query.with_rules(query.rules.with_bodies(BodyPolicy::AvoidAll));
    bodies.occupy(landing, Footprint::ONE);
    assert_eq!(ask(&grid, &query).0.cost, 3);
    let (outcome, _) = ask(Terrain::from(&grid).with_bodies(&bodies), &avoiding);
    assert_eq!(outcome.status, Status::Unreachable);
    grid.set_walkable(landing, false).unwrap();
    assert_eq!(ask(&grid, &query).0.status, Status::Unreachable);
}

#[test]
fn door_of_every_size() {
    let (mut grid, _, query) = sketch(&[&["S..#...", "......G", "...#..."]]);
    grid.prepare_footprint(side(2));
    let door = Area::new(Cell::new(3, 0), Cell::new(3, 1));
    let large = PathQuery {
        goal: Cell::new(5, 0),
        ..query
    }
    .with_rules(query.rules.with_footprint(side(2)));
    let statuses = |grid: &Grid| (ask(grid, &query).0.status, ask(grid, &large).0.status);
    assert_eq!(statuses(&grid), (Status::Found, Status::Unreachable));
    grid.set_walkable(door, true).unwrap();
    assert_eq!(statuses(&grid), (Status::Found, Status::Found));
    grid.set_walkable(door, false).unwrap();
    assert_eq!(statuses(&grid), (Status::Unreachable, Status::Unreachable));
}

#[test]
fn body_fits_at_ends() {
    let (grid, _, query) = sketch(&[&["S.#", "..G", "..."]]);
    let large = query.with_rules(query.rules.with_footprint(side(2)));
    let status = |query: &PathQuery| ask(&grid, query).0.status;
    assert_eq!(status(&query), Status::Found);
    assert_eq!(
        status(&large),
        Status::Invalid(QueryEnd::Goal, Fault::Blocked),
        "it would stick out of the map"
    );
    let wedged = PathQuery::new(Cell::new(1, 0), query.start).with_rules(large.rules);
    assert_eq!(status(&wedged), Status::Found, "out of the wall");
}

#[test]
fn bodies_in_the_way() {
    let (grid, bodies, query) = sketch(&[&["...b...", "S..b..G", "......."]]);
    let cost = |policy| {
        let rules = Rules::default().with_bodies(policy);
        let four_way = Rules {
            metric: Metric::FourWay,
            ..rules
        };
        ask(
            Terrain::from(&grid).with_bodies(&bodies),
            &query.with_rules(four_way),
        )
        .0
        .cost
    };
    assert_eq!(cost(BodyPolicy::Ignore), 6);
    assert_eq!(cost(BodyPolicy::AvoidAll), 8, "around, by the row below");
    assert_eq!(cost(BodyPolicy::AvoidNear(2)), 6, "they are 3 columns away");
    assert_eq!(cost(BodyPolicy::AvoidNear(3)), 8);
}

#[test]
fn own_and_target_body() {
    let (grid, _, _) = sketch(&[&["S.....G", "......."]]);
    let mut bodies = Bodies::new(grid.size());
    let (start, goal) = (Cell::new(0, 0), Cell::new(4, 0));
    bodies.occupy(start, side(2));
    bodies.occupy(goal, side(2));
    let rules = Rules::default()
        .with_footprint(side(2))
        .with_bodies(BodyPolicy::AvoidAll);
    let query = PathQuery::new(start, goal).with_rules(rules);
    let status = |query: &PathQuery| {
        ask(Terrain::from(&grid).with_bodies(&bodies), query)
            .0
            .status
    };
    assert_eq!(status(&query.with_goal_body(side(2))), Status::Found);
    assert_eq!(
        status(&query),
        Status::Unreachable,
        "the target has three cells more than the query says"
    );
}

#[test]
fn goal_under_another() {
    let (grid, mut bodies, query) = sketch(&[&["S...G."]]);
    // It is larger than the one cell that the query assumes for the target.
    bodies.occupy(Cell::new(3, 0), side(2));
    let rules = query.rules.with_bodies(BodyPolicy::AvoidAll);
    let query = query.with_rules(rules);
    let (outcome, _) = ask(Terrain::from(&grid).with_bodies(&bodies), &query);
    assert_eq!(outcome.status, Status::Unreachable);
    let query = query.with_fallback(Fallback::ClosestReached);
    let (outcome, path) = ask(Terrain::from(&grid).with_bodies(&bodies), &query);
    assert_eq!(outcome.status, Status::Partial(Stopped::Unreachable));
    assert_eq!(path.last(), Some(&Cell::new(2, 0)));
}

#[test]
fn bodies_of_another_floor() {
    let (mut grid, bodies, query) = sketch(&[&["S..", "..."], &["b.G", "b.."]]);
    grid.set_link(Link::new(Cell::new(0, 1), Cell::new(0, 1).on_floor(1)))
        .unwrap();
    let status = |policy| {
        let avoiding = query.with_rules(query.rules.with_bodies(policy));
        ask(Terrain::from(&grid).with_bodies(&bodies), &avoiding)
            .0
            .status
    };
    assert_eq!(status(BodyPolicy::AvoidNear(u8::MAX)), Status::Found);
    assert_eq!(status(BodyPolicy::AvoidAll), Status::Unreachable);
}

#[test]
fn bodies_of_smaller_map() {
    let size = Size::new(200, 40).with_floors(3);
    let mut grid = Grid::build(size, |_| true).unwrap();
    for floor in 0..2 {
        let foot = Cell::new(150, 30).on_floor(floor);
        grid.set_link(Link::new(foot, foot.on_floor(floor + 1)))
            .unwrap();
    }
    let mut bodies = Bodies::new(Size::new(5, 3));
    bodies.occupy(Cell::new(3, 1), Footprint::ONE);
    for footprint in Footprint::all() {
        let rules = Rules::default()
            .with_footprint(footprint)
            .with_bodies(BodyPolicy::AvoidAll);
        let query = PathQuery::new(Cell::new(0, 20), Cell::new(180, 9).on_floor(2))
            .with_rules(rules)
            .with_limits(Limits::UNBOUNDED);
        let (outcome, path) = ask(Terrain::from(&grid).with_bodies(&bodies), &query);
        assert_eq!(outcome.status, Status::Found);
        let aside = path
            .iter()
            .all(|&anchor| !footprint.area(anchor).contains(Cell::new(3, 1)));
        assert!(aside, "{footprint}");
    }
}

#[test]
fn no_bodies() {
    let (grid, _, query) = sketch(&[&["S...#...", "..#.#.#.", "..#...#.", "..#####G"]]);
    let nobody = Bodies::new(grid.size());
    let avoiding = query.with_rules(query.rules.with_bodies(BodyPolicy::AvoidAll));
    let plain = ask(&grid, &query);
    assert_eq!(plain.0.status, Status::Found);
    assert_ne!(plain.0.counters, Counters::default());
    assert_eq!(
        ask(Terrain::from(&grid).with_bodies(&nobody), &avoiding),
        plain
    );
}

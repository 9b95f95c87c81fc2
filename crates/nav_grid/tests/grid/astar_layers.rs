//! Bounded A* on maps with more than walls, scenario by scenario: costs, ledges, stairs, doors,
//! bodies and large walkers.

use crate::scenes::{ask, sketch};
use nav_grid::{
    Cell, Footprint, Grid, Limits, Link, Metric, PathQuery, Rules, Size, Status, Terrain,
    map::Bodies, query::Counters, rules::BodyPolicy,
};

fn side(side: u8) -> Footprint {
    Footprint::new(side).unwrap()
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

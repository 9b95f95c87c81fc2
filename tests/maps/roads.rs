//! Chases along main roads.

use bevy_ecs::prelude::*;
use nav::{Chaser, NavMap};
use nav_grid::{Cell, Limits, Method, Rules};
use nav_tests::TestWorld;

/// The row of the main road.
const ROAD: u16 = 10;

/// Makes a field of 40×21 cells with a main road across it and a loop around its middle.
fn crossed_by_a_road() -> TestWorld {
    let mut world = TestWorld::open(40, 21);
    let map = world.map;
    let road = (2..38).map(|x| Cell::new(x, ROAD));
    let around = (15..26).map(|x| Cell::new(x, ROAD + 4));
    let sides = (ROAD..ROAD + 5).flat_map(|y| [15, 25].map(|x| Cell::new(x, y)));
    let cells: Vec<Cell> = road.chain(around).chain(sides).collect();
    let mut map = world.get_mut::<NavMap>(map);
    map.insert_roads(Rules::default(), cells).unwrap();
    world
}

fn by_road() -> Chaser {
    Chaser {
        limits: Limits {
            expansions: 2000,
            ..Limits::window(40)
        },
        method: Method::Trunk,
        ..Chaser::default()
    }
}

fn on_row(world: &TestWorld, chaser: Entity, row: u16) -> usize {
    let path = world.cursor(chaser).path();
    path.iter().filter(|cell| cell.y == row).count()
}

#[test]
fn main_road_is_taken() {
    let mut world = crossed_by_a_road();
    let target = world.target((37, 5));
    let starts = [(2, 5), (4, 15), (1, 9)];
    let chasers = starts.map(|start| world.chaser_with(by_road(), start, target));
    world.tick(1);
    assert_eq!(world.found.len(), chasers.len());
    for (_, found) in &world.found {
        assert_eq!(found.outcome.method, Method::Trunk);
    }
    for chaser in chasers {
        assert!(on_row(&world, chaser, ROAD) > 20);
    }
    world.seconds(20);
    for chaser in chasers {
        assert!(world.is_beside(chaser, target));
    }
}

#[test]
fn closed_main_road() {
    let mut world = crossed_by_a_road();
    let target = world.target((37, 5));
    let chaser = world.chaser_with(by_road(), (2, 5), target);
    world.tick(1);
    assert_eq!(on_row(&world, chaser, ROAD + 4), 0);
    world.edit((20, ROAD), false);
    world.seconds(2);
    // Roads follow the edit before the next search.
    let last = world.found.last().unwrap();
    assert_eq!(last.1.outcome.method, Method::Trunk);
    assert!(on_row(&world, chaser, ROAD + 4) > 8);
    world.seconds(20);
    assert!(world.is_beside(chaser, target));
}

//! Chases over ground with costs, ledges and roads.

use bevy_ecs::prelude::*;
use nav::{Chaser, NavMap};
use nav_grid::{Area, Cell, Direction, Directions, Grid, Limits, Method, Rules};
use nav_tests::TestWorld;

#[test]
fn keeps_to_the_road() {
    let mut grid = Grid::open(20, 9).unwrap();
    grid.set_cost(Area::new(Cell::new(0, 0), Cell::new(19, 8)), 5)
        .unwrap();
    grid.set_cost(Area::new(Cell::new(0, 1), Cell::new(19, 1)), 1)
        .unwrap();
    let mut world = TestWorld::on(grid);
    let target = world.target((18, 4));
    let mut chaser = Chaser::default();
    chaser.limits.expansions = 2000;
    let chaser = world.chaser_with(chaser, (1, 4), target);
    world.tick(1);
    let on_road = world
        .cursor(chaser)
        .path()
        .iter()
        .filter(|cell| cell.y == 1);
    assert!(on_road.count() > 8);
    world.seconds(6);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn ledge_down_only() {
    // Row 4 cannot be left upward except at column 15.
    let mut grid = Grid::open(16, 9).unwrap();
    let up: Directions = [Direction::NorthWest, Direction::North, Direction::NorthEast]
        .into_iter()
        .collect();
    let ledge = Area::new(Cell::new(0, 4), Cell::new(14, 4));
    grid.set_exits(ledge, Directions(!up.0)).unwrap();
    let mut world = TestWorld::on(grid);
    let target = world.target((3, 7));
    let mut tuned = Chaser::default();
    tuned.limits.expansions = 1000;
    let chaser = world.chaser_with(tuned, (3, 1), target);
    world.tick(1);
    assert_eq!(world.found[0].1.outcome.cost, 6);
    world.seconds(4);
    assert!(world.is_beside(chaser, target));
    world.put(target, (3, 1));
    world.tick_until(|world| world.is_beside(chaser, target));
    assert!(world.found.iter().any(|(_, found)| found.outcome.cost > 20));
}

#[test]
fn shaded_walls_are_avoided() {
    let mut grid = Grid::open(30, 11).unwrap();
    grid.shade_from_walls(3, 8);
    let mut world = TestWorld::on(grid);
    let target = world.target((18, 0));
    let mut chaser = Chaser::default();
    chaser.limits.expansions = 2000;
    let chaser = world.chaser_with(chaser, (2, 0), target);
    world.tick(1);
    let path = world.cursor(chaser).path();
    assert!(path.iter().filter(|cell| cell.y >= 2).count() > 8);
    assert!(world.get::<NavMap>(world.map).grid().has_costs());
}

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

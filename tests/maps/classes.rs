//! Ground by kind of agent: water, and doors of a faction.

use nav::{ChaseState, Chaser, NavMap, Reach};
use nav_grid::{
    Area, Cell, Grid, Rules,
    map::Sight,
    rules::{Class, ClassCosts},
};
use nav_tests::TestWorld;

const WATER: Class = Class::new(1).unwrap();
const DOOR: Class = Class::new(2).unwrap();

fn with(classes: ClassCosts) -> Chaser {
    Chaser {
        rules: Rules::default().with_classes(classes),
        ..Chaser::default()
    }
}

/// A chaser that cannot swim.
fn walker() -> Chaser {
    with(ClassCosts::ALL.without(WATER))
}

/// A river from north to south, with a ford in the last row.
fn river() -> TestWorld {
    let mut grid = Grid::open(30, 20).unwrap();
    let river = Area::new(Cell::new(14, 0), Cell::new(15, 18));
    grid.set_class(river, WATER).unwrap();
    TestWorld::on(grid)
}

#[test]
fn walker_takes_the_ford() {
    let mut world = river();
    let target = world.target((20, 2));
    let swimmer = world.chaser((10, 2), target);
    let walker = world.chaser_with(walker(), (10, 3), target);
    world.seconds(4);
    assert!(world.is_beside(swimmer, target));
    for _ in 0..40 {
        world.seconds(1);
        let at = world.cell(walker);
        assert_ne!(world.grid().class(at), WATER, "{at}");
    }
    assert!(world.is_beside(walker, target));
}

#[test]
fn walker_waits_on_the_bank() {
    let mut world = river();
    // Targets in the river a step from the bank, and in the middle of a lake.
    let near = world.target((14, 5));
    let lake = Area::new(Cell::new(20, 3), Cell::new(28, 11));
    world.nav_map().set_class(lake, WATER).unwrap();
    let far = world.target((24, 7));
    let by_the_river = world.chaser_with(walker(), (5, 5), near);
    let by_the_lake = world.chaser_with(walker(), (18, 18), far);
    world.seconds(12);
    assert_eq!(world.cursor(by_the_river).state(), ChaseState::Reached);
    assert_eq!(world.cell(by_the_river), Cell::new(13, 5));
    // It stops on the ground nearest to the target and stays.
    let at = world.cell(by_the_lake);
    assert_eq!(at.chebyshev(Cell::new(24, 7)), 5, "{at}");
    world.seconds(5);
    assert_eq!(world.cell(by_the_lake), at);
}

/// Two rooms, with a door that only a faction may enter, and a way around.
fn faction_door() -> TestWorld {
    let mut grid =
        Grid::from_fn(21, 30, |cell| cell.x != 10 || cell.y == 5 || cell.y == 28).unwrap();
    grid.set_class(Cell::new(10, 5), DOOR).unwrap();
    TestWorld::on(grid)
}

#[test]
fn door_changes_hands() {
    let mut world = faction_door();
    let target = world.target((15, 5));
    let stranger = world.chaser_with(with(ClassCosts::ALL.without(DOOR)), (3, 5), target);
    world.seconds(1);
    // The stranger is on its long way when the door opens to all.
    world
        .nav_map()
        .set_class(Cell::new(10, 5), Class::DEFAULT)
        .unwrap();
    world.seconds(5);
    assert!(world.is_beside(stranger, target));
    // A path through a door that closes is broken.
    world.put(target, (5, 5));
    world.tick(4);
    world.broken.clear();
    world.nav_map().set_class(Cell::new(10, 5), DOOR).unwrap();
    world.seconds(1);
    assert!(!world.broken.is_empty());
    world.seconds(16);
    assert!(world.is_beside(stranger, target));
}

/// Two kinds of agents with targets far beyond their windows: each takes the way of its kind.
#[test]
fn kinds_beyond_their_windows() {
    let mut grid = Grid::open(200, 80).unwrap();
    grid.set_class(Area::new(Cell::new(100, 0), Cell::new(101, 70)), WATER)
        .unwrap();
    let mut world = TestWorld::on(grid);
    let target = world.target((150, 5));
    let walkers: Vec<_> = (0..20)
        .map(|y| world.chaser_with(walker(), (50, y), target))
        .collect();
    let swimmers: Vec<_> = (0..20).map(|y| world.chaser((52, y), target)).collect();
    world.seconds(26);
    for &swimmer in &swimmers {
        assert!(world.cell(swimmer).x > 120);
    }
    world.seconds(40);
    for &walker in &walkers {
        let at = world.cell(walker);
        assert!(at.x > 101 && world.grid().class(at) != WATER, "{at}");
    }
}

/// A walker in rising water leaves it, as a chaser leaves a wall.
#[test]
fn flood_around_a_walker() {
    let mut world = TestWorld::open(20, 20);
    let target = world.target((15, 10));
    let chaser = world.chaser_with(walker(), (5, 10), target);
    world.seconds(1);
    let at = world.cell(chaser);
    let flood = Area::from(at).grown(1, 1);
    world.nav_map().set_class(flood, WATER).unwrap();
    world.seconds(8);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn prepared_for_its_kind() {
    let mut world = river();
    let target = world.target((20, 2));
    let prepared =
        |world: &TestWorld, rules| world.get::<NavMap>(world.map).grid().is_prepared(rules);
    assert!(!prepared(&world, walker().rules));
    world.chaser_with(walker(), (10, 2), target);
    world.tick(1);
    assert!(prepared(&world, walker().rules));
}

/// An archer shoots over a fence that it cannot cross, and not through tall grass that it can.
#[test]
fn sight_apart_from_walking() {
    let archer = Chaser {
        stop_distance: 6,
        reach: Reach::Sight,
        ..Chaser::default()
    };
    for (sight, is_wall) in [(Sight::Clear, true), (Sight::Blocked, false)] {
        let mut world = TestWorld::open(30, 9);
        let hedge = Area::new(Cell::new(14, 0), Cell::new(14, 7));
        world.nav_map().set_walkable(hedge, !is_wall).unwrap();
        world.nav_map().set_sight(hedge, sight).unwrap();
        let target = world.target((17, 4));
        let chaser = world.chaser_with(archer, (5, 4), target);
        world.seconds(12);
        let at = world.cell(chaser);
        assert_eq!(world.cursor(chaser).state(), ChaseState::Reached);
        if is_wall {
            // Six legal steps around the end of the fence.
            assert!(at.x < 14, "{at}");
        } else {
            assert!(at.x >= 14, "{at}");
        }
        // Without the layer a wall blocks sight, and grass does not.
        world.nav_map().set_sight(hedge, Sight::AsGround).unwrap();
        world.put(chaser, (5, 4));
        world.seconds(12);
        let at = world.cell(chaser);
        assert_eq!(at.x < 14, !is_wall, "{at}");
    }
}

//! A world in which no field has its default value.

use bevy_ecs::prelude::*;
use nav::{
    Body, CellPosition, Chaser, NavMap, NavTime, Period, WorldPosition, extend::FieldAnchor,
};
use nav_grid::{
    Cell, Direction, Footprint, Frame, Grid, Limits, Link, Size,
    map::{Axes, FloorHeights},
    rules::BodyPolicy,
};
use nav_tests::{TestWorld, scenes::app_with_components};

/// Makes a world in which no field of any component has its default value.
pub fn busy() -> (TestWorld, Entity, Entity) {
    let mut grid = Grid::build(Size::new(12, 4).with_floors(2), |_| true).unwrap();
    grid.set_cost(Cell::new(3, 3), 5).unwrap();
    let exits = nav_grid::Directions::from(Direction::North);
    grid.set_exits(Cell::new(9, 3), exits).unwrap();
    grid.set_link(Link::new(Cell::new(1, 1), Cell::new(10, 1)).with_cost(7))
        .unwrap();
    let frame = Frame::new([-30.0, 4.0, 30.0], 0.25, Axes::Y_UP).unwrap();
    let heights = FloorHeights::Storeys(3.0);
    let frame = frame.with_heights(heights).unwrap();
    let mut world = TestWorld::with_app(app_with_components(), &["."]);
    world.map = world.world().spawn(NavMap::with_frame(grid, frame)).id();
    let target = world.target((10, 2));
    let mut tuning = Chaser {
        limits: Limits {
            radius: 30,
            ..Limits::default()
        },
        ..Chaser::default()
    };
    tuning.rules.bodies = BodyPolicy::AvoidNear(3);
    let chaser = world.chaser_with(tuning, (2, 2), target);
    let place = (
        WorldPosition([-29.5, 4.0, 29.5]),
        Body::soft(Footprint::ONE),
    );
    world.world().entity_mut(chaser).insert(place);
    world.tick(17);
    let anchor = FieldAnchor {
        aimed: Some((CellPosition::new(3, 4), NavTime(5))),
        far: Some((CellPosition::new(6, 7), NavTime(8))),
        interval: Period::from_millis(9),
        repath_distance: 1.5,
        still: Some((Cell::new(10, 2), NavTime(6))),
        before: (Cell::new(9, 2), true),
        reached: NavTime(7),
        arrivals: 3,
        wanted: true,
    };
    world.world().entity_mut(target).insert(anchor);
    assert!(!world.cursor(chaser).path().is_empty());
    (world, chaser, target)
}

//! Points on stairs.

use super::{
    scene::{ahead, ask},
    watch::watch,
};
use nav::NavMap;
use nav_grid::{
    Cell, Frame, Grid, Link, Size,
    map::{Axes, FloorHeights},
};
use nav_tests::TestWorld;

/// Makes two floors, 4 units a storey, with stairs at the right.
fn house() -> (TestWorld, Link) {
    let mut grid = Grid::build(Size::new(14, 8).with_floors(2), |_| true).unwrap();
    let stairs = Link::new(Cell::new(10, 4), Cell::new(12, 3).on_floor(1));
    grid.set_link(stairs).unwrap();
    grid.set_link(stairs.reversed()).unwrap();
    let frame = Frame::new([-5.0, 1.0, 5.0], 0.5, Axes::Y_UP).unwrap();
    let frame = frame.with_heights(FloorHeights::Storeys(4.0)).unwrap();
    let mut world = TestWorld::open(1, 1);
    world.map = world.world().spawn(NavMap::with_frame(grid, frame)).id();
    (world, stairs)
}

#[test]
fn points_on_stairs() {
    let (mut world, stairs) = house();
    let target = world.target(Cell::new(12, 7).on_floor(1));
    let chaser = world.chaser((3, 4), target);
    world.tick(1);
    let points = ahead(&mut world, chaser, 100);
    let foot = points.iter().position(|point| point.cell == stairs.from);
    let steps = foot.expect("the foot of the stairs is a point") + 1;
    let (foot, top) = (points[steps - 1], points[steps]);
    assert_eq!((top.cell, top.by_link), (stairs.to, true));
    assert!(!foot.by_link);
    assert_eq!((foot.world, top.world), ([0.0, 1.0, 3.0], [1.0, 5.0, 3.5]));
    let links = points.iter().filter(|point| point.by_link).count();
    assert_eq!(links, 1);
    // Each in a straight line to the next, except on the stairs.
    let turns = ask(&mut world, |of| of.corners(chaser, 100).collect::<Vec<_>>());
    assert!(turns.contains(&foot) && turns.contains(&top));
    assert_eq!(turns.last(), points.last());
    // Up to the foot of the stairs the whole way is straight, and never beyond it.
    for distance in [1, 3, 6, 100] {
        let far = ask(&mut world, |of| of.farthest_visible(chaser, distance)).unwrap();
        assert_eq!(far, points[steps.min(distance.into()) - 1], "{distance}");
    }
    world.tick_until(|world| world.cell(chaser) == stairs.from);
    assert_eq!(ask(&mut world, |of| of.farthest_visible(chaser, 9)), None);
    watch(&mut world, &[chaser], 20);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn smoothed_paths_keep_stairs() {
    let (mut world, stairs) = house();
    let target = world.target(Cell::new(1, 1).on_floor(1));
    let chaser = world.chaser((1, 1), target);
    world.tick(2);
    let points: Vec<_> = ask(&mut world, |of| of.smoothed(chaser, 20).collect());
    let head = points.iter().position(|point| point.by_link).unwrap();
    assert_eq!(points[head].cell, stairs.to);
    assert_eq!(points[head - 1].cell, stairs.from);
    assert!(head <= 2 && points.len() <= head + 3, "{points:?}");
}

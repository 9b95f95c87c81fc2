//! The content of maps and of their indexes.

use nav::NavMap;
use nav_grid::{Cell, Footprint, Grid, Link, Metric, Rules, Size, map::FloorHeights};
use nav_tests::TestWorld;

/// Gives the floors of a map heights.
fn lift(map: &mut NavMap, heights: FloorHeights) {
    let frame = map.frame().clone().with_heights(heights).unwrap();
    *map = NavMap::with_frame(map.grid().clone(), frame);
}

#[test]
fn edits_and_indexes() {
    let (cell, other) = (Cell::new(4, 4), Cell::new(9, 9));
    // A map without chasers prepares for the default ones by itself.
    let four_way = Rules {
        metric: Metric::FourWay,
        ..Rules::default()
    };
    let edits: [&dyn Fn(&mut NavMap); 15] = [
        &|_| {},
        &|map| *map = NavMap::new(Grid::open(16, 17).unwrap()),
        &|map| *map = NavMap::new(Grid::open(17, 16).unwrap()),
        &|map| {
            let two = Size::new(16, 16).with_floors(2);
            *map = NavMap::new(Grid::build(two, |_| true).unwrap());
        },
        &|map| lift(map, FloorHeights::Storeys(3.0)),
        &|map| lift(map, FloorHeights::Each(vec![3.0])),
        &|map| lift(map, FloorHeights::Each(vec![3.0, 6.0])),
        &|map| assert!(map.set_walkable(cell, false).is_ok()),
        &|map| assert!(map.set_cost(cell, 2).is_ok()),
        &|map| assert!(map.set_exits(cell, nav_grid::Directions::NONE).is_ok()),
        &|map| assert!(map.set_link(Link::new(cell, other)).is_ok()),
        &|map| map.build_regions(four_way),
        &|map| map.build_portals(four_way),
        &|map| map.build_mosaic(Footprint::ONE),
        &|map| assert!(map.insert_roads(Rules::default(), [cell, other]).is_ok()),
    ];
    let mut digests: Vec<u64> = edits
        .iter()
        .map(|edit| {
            let mut world = TestWorld::open(16, 16);
            world.target((1, 1));
            world.tick(1);
            let map = world.map;
            edit(&mut world.get_mut(map));
            world.digest()
        })
        .collect();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), edits.len());
}

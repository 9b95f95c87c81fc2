//! The memory of a large map and its indexes.

use heap_meter::peak_during;
use nav_grid::{
    Cell, Footprint, Grid, IndexedMap, Rules,
    rules::{Class, ClassCosts},
};

/// The bar of the crate for the indexes of all methods on a uniform map of 5000×5000 cells.
#[test]
fn large_map_below_64_mebibytes() {
    const MEBIBYTE: f64 = 1024.0 * 1024.0;
    let mut map = IndexedMap::new(Grid::open(5000, 5000).unwrap());
    let rules = Rules::default();
    let mut kept = 0;
    let mut part = |map: &IndexedMap| {
        // A copy takes what the map takes, without spare room.
        let (_, bytes) = peak_during(|| map.clone());
        bytes - std::mem::replace(&mut kept, bytes)
    };
    let bare = part(&map);
    map.build_jumps(rules);
    let jumps = part(&map);
    map.build_portals(rules);
    let portals = part(&map);
    map.build_mosaic(Footprint::ONE);
    let mosaic = part(&map);
    map.build_regions(rules);
    let regions = part(&map);
    let parts = [bare, jumps, portals, mosaic, regions];
    assert!(parts.iter().all(|&bytes| bytes > 0), "{parts:?}");
    let mebibytes = parts.map(|bytes| bytes as f64 / MEBIBYTE);
    println!("grid, jumps, portals, mosaic, regions: {mebibytes:.1?} MiB");
    assert!(mebibytes.iter().sum::<f64>() <= 64.0, "{mebibytes:?}");
}

/// Four kinds of agents take a board each beside the map's own. The classes are a layer of a byte a
/// cell, like step costs.
#[test]
fn four_kinds_take_five_boards() {
    let mut grid = Grid::open(512, 512).unwrap();
    let board = grid.heap_bytes();
    grid.set_class(Cell::new(5, 5), Class::new(1).unwrap())
        .unwrap();
    let layer = grid.class_bytes().len();
    for forbidden in Class::all().take(4) {
        let rules = Rules::default().with_classes(ClassCosts::ALL.without(forbidden));
        assert!(!grid.for_rules(rules).has_costs());
    }
    let boards = (grid.heap_bytes() - layer) as f64 / board as f64;
    println!("{boards:.2} boards");
    assert!(boards <= 5.1);
}

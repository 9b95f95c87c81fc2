//! What is kept of a large map.

use nav_grid::{
    Footprint, Grid, Rules,
    index::{Mosaic, PortalGraph, Regions},
};

/// Bars of the crate: what all methods keep of a uniform map of 5000×5000 cells.
#[test]
fn all_methods_together_keep_64_mebibytes_of_a_large_map() {
    const MEBIBYTE: f64 = 1024.0 * 1024.0;
    let mut grid = Grid::open(5000, 5000).unwrap();
    let rules = Rules::default();
    let bare = grid.heap_bytes();
    let regions = Regions::of(&grid, rules).heap_bytes();
    let portals = PortalGraph::new(&grid, rules).heap_bytes();
    let mosaic = Mosaic::new(&grid, Footprint::ONE).heap_bytes();
    grid.prepare_jumps(rules.footprint, rules.corners);
    let jumps = grid.heap_bytes() - bare;
    let parts = [bare, jumps, portals, mosaic, regions];
    let mebibytes = parts.map(|bytes| bytes as f64 / MEBIBYTE);
    println!("grid, jumps, portals, mosaic, regions: {mebibytes:.1?} MiB");
    assert!(mebibytes.iter().sum::<f64>() <= 64.0, "{mebibytes:?}");
}

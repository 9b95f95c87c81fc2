//! What is kept of a large map.

use nav_grid::{Footprint, Grid, IndexedMap, Rules};

/// Bars of the crate: what all methods keep of a uniform map of 5000×5000 cells.
#[test]
fn large_map_below_64_mebibytes() {
    const MEBIBYTE: f64 = 1024.0 * 1024.0;
    let mut map = IndexedMap::new(Grid::open(5000, 5000).unwrap());
    let rules = Rules::default();
    let mut kept = 0;
    let mut part = |map: &IndexedMap| {
        let bytes = map.heap_bytes();
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

use nav_grid::{Grid, IndexedMap, Rules};
use std::time::Instant;
fn main() {
    let side: u16 = std::env::args()
        .nth(1)
        .and_then(|a| a.parse().ok())
        .unwrap_or(2048);
    let kind = std::env::args().nth(2).unwrap_or_default();
    let mut state = 12345u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let grid = if kind == "rooms" {
        mapgen::generate(mapgen::Kind::Rooms, side, side, 5).unwrap()
    } else {
        Grid::from_fn(side, side, |_| random() % 100 >= 20).unwrap()
    };
    let mut map = IndexedMap::new(grid);
    let begun = Instant::now();
    map.build_regions(Rules::default());
    println!("regions {:?}", begun.elapsed());
    let begun = Instant::now();
    map.build_portals(Rules::default());
    let portals = &map.portals()[0];
    println!(
        "portals {:?} {} portals, {} clusters",
        begun.elapsed(),
        portals.count(),
        portals.clusters()
    );
}

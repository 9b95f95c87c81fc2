//! The cost of an edit of a large live map, and the memory of the map.
//!
//! ```sh
//! cargo bench -p nav_grid --bench edits
//! ```

use criterion::{Criterion, criterion_group, criterion_main};
use nav_grid::{Area, Cell, Footprint, Grid, map::Tile};
use std::hint::black_box;

const SIDE: u16 = 5000;

/// Makes the map of every measurement: open ground with a pillar in each 16×16 cells.
fn map(footprints: u8) -> Grid {
    let mut grid = Grid::from_fn(SIDE, SIDE, |cell| cell.x % 16 != 8 || cell.y % 16 != 8)
        .expect("sides in range");
    for side in 2..=footprints {
        grid.prepare_footprint(Footprint::new(side).expect("a side in range"));
    }
    grid
}

fn one_cell(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("edit one cell of 5000x5000");
    for footprints in [1, 4, 8] {
        let mut grid = map(footprints);
        println!(
            "uniform 5000x5000 with footprints 1 to {footprints}: {:.2} MiB",
            grid.heap_bytes() as f64 / f64::from(1 << 20)
        );
        // An 8x8 body fits here while the door is open.
        let door = Cell::new(2505, 2505);
        let mut open = true;
        group.bench_function(format!("door, footprints 1 to {footprints}"), |bencher| {
            bencher.iter(|| {
                open = !open;
                let changed = grid.set_walkable(black_box(door), open);
                assert_eq!(changed, Ok(1));
                assert_eq!(grid.tile_version(Tile::of(door)), grid.version());
            });
            let footprint = Footprint::new(footprints).expect("a side in range");
            assert_eq!(grid.fits(door, footprint), grid.is_walkable(door));
        });
    }
    group.finish();
}

fn areas(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("edit an area of 5000x5000");
    group.sample_size(20);
    let mut grid = map(4);
    for side in [16, 256] {
        let area = Area::new(Cell::new(1000, 1000), Cell::new(999 + side, 999 + side));
        group.bench_function(format!("{side}x{side}, footprints 1 to 4"), |bencher| {
            let mut open = true;
            grid.set_walkable(area, true).expect("on the map");
            bencher.iter(|| {
                open = !open;
                let changed = grid.set_walkable(black_box(area), open);
                assert_eq!(changed, Ok(u32::from(side) * u32::from(side)));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, one_cell, areas);
criterion_main!(benches);

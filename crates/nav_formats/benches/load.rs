//! The time and memory of loading a map of 5000×5000 cells, by format.
//!
//! ```sh
//! cargo bench -p nav_formats --features binary,png --bench load
//! ```

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nav_formats::{Format, MapFile};
use nav_grid::Grid;
use std::hint::black_box;

const SIDE: u16 = 5000;

fn load(criterion: &mut Criterion) {
    let uniform = Grid::from_fn(SIDE, SIDE, |cell| cell.x % 16 != 8 || cell.y % 16 != 8);
    let uniform = uniform.expect("sides in range");
    let mut shaded = uniform.clone();
    shaded.shade_from_walls(4, 16);
    let mut group = criterion.benchmark_group("load 5000x5000");
    group.sample_size(10);
    for (name, grid) in [("uniform", uniform), ("with costs", shaded)] {
        let map = MapFile::from(grid);
        for &format in Format::ALL {
            let Ok(file) = format.write(&map, "") else {
                continue;
            };
            if format.name().starts_with("Tiled") {
                // Made for editing, not for loading.
                continue;
            }
            println!("{format}, {name}: {} bytes", file.len());
            group.throughput(Throughput::Bytes(file.len() as u64));
            group.bench_function(format!("{format}, {name}"), |bencher| {
                bencher.iter(|| {
                    let read = format.read(black_box(&file)).expect("what was written");
                    assert_eq!(read.grid.size(), map.grid.size());
                    read
                });
            });
            // Some formats bring a frame of their own.
            let read = format.read(&file).expect("what was written");
            assert_eq!(read.grid, map.grid);
        }
    }
    group.finish();
}

criterion_group!(benches, load);
criterion_main!(benches);

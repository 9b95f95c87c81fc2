//! Fields around one target, the regions of a large map, and the time of look-ups in both.
//!
//! ```sh
//! cargo bench -p nav_grid --bench fields
//! ```

use criterion::{Criterion, criterion_group, criterion_main};
use mapgen::Kind;
use nav_grid::{
    Cell, CornerRule, Directions, Grid, Limits, Metric, Path, PathQuery, Rules, Search,
    fields::{CostField, FieldLimits, FieldQuery, FieldStatus, Flow, FlowField, FlowMaker},
    index::{Regions, SlicedIndex},
    methods::Sweep,
    planner::nearest_reachable,
};
use std::hint::black_box;

fn map(kind: Kind, side: u16) -> Grid {
    mapgen::generate(kind, side, side, 1).expect("sides in range")
}

/// The kinds of maps that fields are made on.
fn maps() -> [(&'static str, Grid); 3] {
    [
        ("open", map(Kind::Open, 512)),
        ("clutter", map(Kind::Clutter { percent: 25 }, 512)),
        ("mixed", map(Kind::Mixed, 512)),
    ]
}

/// Returns the first place in reading order from the middle of a map on.
fn middle(grid: &Grid) -> Cell {
    let middle = Cell::new(grid.width() / 2, grid.height() / 2);
    let mut cells = grid.walkable_cells().filter(|&cell| cell >= middle);
    cells.next().expect("a map with room")
}

fn weighted(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("weighted field");
    group.sample_size(20);
    for (name, mut grid) in maps() {
        let target = middle(&grid);
        let mut field = CostField::new();
        for (metric, costs) in [
            (Metric::Unit, false),
            (Metric::Octile, false),
            (Metric::Octile, true),
        ] {
            if costs {
                let bytes = (0..grid.size().cells()).map(|cell| 1 + (cell * 7 % 64) as u8);
                grid.set_cost_bytes(bytes.collect())
                    .expect("costs in range");
            }
            let rules = Rules::new(metric, CornerRule::Strict);
            let query = FieldQuery::new(target).with_rules(rules);
            let region = Regions::of(&grid, rules);
            let reached = region
                .label(target)
                .map_or(0, |label| region.sizes()[label as usize]);
            let kind = if costs { "costs 1 to 64" } else { "uniform" };
            group.bench_function(format!("512x512 {name}, {metric:?}, {kind}"), |bencher| {
                bencher.iter(|| {
                    let outcome = field.compute(&grid, black_box(&query));
                    assert_eq!(outcome.status, FieldStatus::Whole);
                    assert_eq!(outcome.counters.touched, reached);
                });
            });
        }
        let query = FieldQuery::new(target).with_limits(FieldLimits::window(20));
        group.bench_function(format!("radius 20 {name}, Octile, costs"), |bencher| {
            bencher.iter(|| {
                let outcome = field.compute(&grid, black_box(&query));
                assert_eq!(outcome.status, FieldStatus::Whole);
                assert!(outcome.counters.touched > 400);
            });
        });
    }
    group.finish();
}

/// Times look-ups of a whole pass over 41×41 cells.
fn look_ups(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("1681 look-ups");
    let grid = map(Kind::Clutter { percent: 25 }, 512);
    let target = middle(&grid);
    let query = FieldQuery::new(target).with_limits(FieldLimits::window(20));
    let mut weighted = CostField::new();
    weighted.compute(&grid, &query);
    let cells: Vec<Cell> = (0..41 * 41)
        .map(|number| Cell::new(target.x - 20 + number % 41, target.y - 20 + number / 41))
        .collect();
    let known = cells
        .iter()
        .filter(|&&cell| weighted.next(&grid, cell).is_some())
        .count();
    assert!(known > 1000);
    group.bench_function("next, weighted", |bencher| {
        bencher.iter(|| {
            let nexts = cells
                .iter()
                .filter(|&&cell| weighted.next(&grid, black_box(cell)).is_some());
            assert_eq!(nexts.count(), known);
        });
    });
    group.finish();
}

/// Compares a compact field with a sweep to the furthest cell: both cover the whole window.
fn flow(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("flow");
    let maps = [
        ("open", map(Kind::Open, 512)),
        ("clutter 20 %", map(Kind::Clutter { percent: 20 }, 512)),
        ("rooms", map(Kind::Rooms, 512)),
    ];
    for (name, mut grid) in maps {
        let target = middle(&grid);
        for radius in [20, 28] {
            let query = FieldQuery::new(target).with_limits(FieldLimits::window(radius));
            let name = format!("radius {radius} {name}");
            let (mut maker, mut field) = (FlowMaker::new(), FlowField::new());
            let mut judge = CostField::new();
            let reached = judge.compute(&grid, &query).counters.touched;
            group.bench_function(format!("{name}, flow"), |bencher| {
                bencher.iter(|| {
                    let outcome = maker.make(&grid, black_box(&query), &mut field);
                    assert_eq!(outcome.counters.touched, reached);
                });
            });
            let (mut sweep, mut path) = (Sweep::new(), Path::new());
            let furthest = grid.walkable_cells().max_by_key(|&cell| judge.cost(cell));
            let away = PathQuery::new(target, furthest.expect("a map with room"))
                .with_limits(Limits::window(radius));
            group.bench_function(format!("{name}, sweep"), |bencher| {
                bencher.iter(|| {
                    let outcome = sweep.search(&grid, black_box(&away), &mut path);
                    assert!(outcome.status.has_path());
                });
            });
        }
        // A post that cannot be left.
        let query = FieldQuery::new(target).with_limits(FieldLimits::window(20));
        grid.set_exits(Cell::new(target.x + 3, target.y), Directions::NONE)
            .expect("on the map");
        let (mut maker, mut field) = (FlowMaker::new(), FlowField::new());
        let reached = CostField::new().compute(&grid, &query).counters.touched;
        group.bench_function(format!("radius 20 {name} with exits, flow"), |bencher| {
            bencher.iter(|| {
                let outcome = maker.make(&grid, black_box(&query), &mut field);
                assert_eq!(outcome.counters.touched, reached);
            });
        });
    }
    group.finish();
}

/// Looks at flow fields. Times are for a whole pass.
fn flow_looks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("flow look-ups");
    let mut grid = map(Kind::Clutter { percent: 20 }, 512);
    let target = middle(&grid);
    let query = FieldQuery::new(target).with_limits(FieldLimits::window(20));
    let (mut maker, mut field) = (FlowMaker::new(), FlowField::new());
    let mut judge = CostField::new();
    let cells: Vec<Cell> = (0..41 * 41)
        .map(|number| Cell::new(target.x - 20 + number % 41, target.y - 20 + number / 41))
        .collect();
    let judged = |grid: &Grid, field: &FlowField, judge: &CostField| {
        let known = cells.iter().filter(|&&cell| {
            let way = judge
                .next(grid, cell)
                .and_then(|next| next.direction_to(cell));
            let nearer = field.look(cell).map(|flow| flow.nearer);
            let agreed = way
                .is_none_or(|back| nearer.is_some_and(|nearer| nearer.contains(back.opposite())));
            assert!(agreed, "{cell}");
            way.is_some()
        });
        known.count()
    };
    for name in ["1681 of one", "1681 of one with exits"] {
        maker.make(&grid, &query, &mut field);
        judge.compute(&grid, &query);
        let known = judged(&grid, &field, &judge);
        assert!(known > 1000);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let flows = cells.iter().filter(|&&cell| {
                    let flow = field.look(black_box(cell));
                    flow.is_some_and(|flow| flow.nearer != Directions::NONE)
                });
                assert_eq!(flows.count(), known);
            });
        });
        grid.set_exits(Cell::new(target.x + 3, target.y), Directions::NONE)
            .expect("on the map");
    }

    // A crowd around many targets, in which neighbours have different targets.
    let fields: Vec<FlowField> = (0..10_000_u32)
        .map(|number| {
            let target = Cell::new(30 + (number % 450) as u16, 30 + (number / 450) as u16);
            let mut field = FlowField::new();
            let query = FieldQuery { target, ..query };
            maker.make(&grid, &query, &mut field);
            field
        })
        .collect();
    let chasers: Vec<(usize, Cell)> = (0..65_536_u32)
        .map(|number| {
            let mixed = number.wrapping_mul(2_654_435_761) >> 8;
            let which = mixed as usize % fields.len();
            let (x, y) = (mixed % 31, mixed / 31);
            let target = fields[which].query().map_or(target, |query| query.target);
            let x = target.x - 15 + x as u16;
            (which, Cell::new(x, target.y - 15 + (y % 31) as u16))
        })
        .collect();
    let sum = |flow: Option<Flow>| flow.map_or(0, |flow| u64::from(flow.nearer.0 | flow.level.0));
    let expected: u64 = chasers
        .iter()
        .map(|&(which, cell)| sum(fields[which].look(cell)))
        .sum();
    group.bench_function("65536 of 10000", |bencher| {
        bencher.iter(|| {
            let flows = chasers
                .iter()
                .map(|&(which, cell)| sum(fields[which].look(black_box(cell))));
            assert_eq!(flows.sum::<u64>(), expected);
        });
    });
    group.finish();
}

fn regions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("regions of 5000x5000");
    group.sample_size(10);
    let rules = Rules::default();
    for (name, kind) in [
        ("open", Kind::Open),
        ("clutter 20 %", Kind::Clutter { percent: 20 }),
        ("clutter 30 %", Kind::Clutter { percent: 30 }),
        ("mixed", Kind::Mixed),
    ] {
        let mut grid = map(kind, 5000);
        let mut regions = Regions::of(&grid, rules);
        println!("{name}: {} regions", regions.count());
        let count = regions.count();
        group.bench_function(format!("{name}, made"), |bencher| {
            bencher.iter(|| assert_eq!(Regions::of(black_box(&grid), rules).count(), count));
        });
        let door = middle(&grid);
        group.bench_function(format!("{name}, repaired after a door moved"), |bencher| {
            bencher.iter(|| {
                let open = grid.is_walkable(door);
                grid.set_walkable(door, !open).expect("on the map");
                regions.repair(black_box(&grid));
                assert!(regions.is_current(&grid));
                assert_eq!(regions.label(door).is_some(), !open);
            });
        });
        let cells: Vec<Cell> = (0..4096_u32)
            .map(|n| Cell::new((n * 1571 % 5000) as u16, (n * 3571 % 5000) as u16))
            .collect();
        let known = cells.iter().filter(|&&cell| grid.is_walkable(cell)).count();
        group.bench_function(format!("{name}, 4096 look-ups"), |bencher| {
            bencher.iter(|| {
                let labels = cells.iter().filter(|&&cell| regions.label(cell).is_some());
                assert_eq!(labels.count(), known);
            });
        });
    }
    group.finish();
}

fn substitutes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("nearest reachable");
    let grid = Grid::from_fn(500, 500, |cell| cell.x < 250 || cell.x > 320).expect("in range");
    let regions = Regions::of(&grid, Rules::default());
    for (name, x) in [("10", 260), ("70", 321)] {
        let query = PathQuery::new(Cell::new(5, 5), Cell::new(x, 250));
        group.bench_function(format!("{name} rings away"), |bencher| {
            bencher.iter(|| {
                let found = nearest_reachable(&grid, &regions, black_box(&query));
                assert_eq!(found, Some(Cell::new(249, 250)));
            });
        });
    }
    group.finish();
}

criterion_group!(
    benches,
    weighted,
    look_ups,
    flow,
    flow_looks,
    regions,
    substitutes
);
criterion_main!(benches);

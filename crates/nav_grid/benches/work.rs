//! The time of a unit of work: far searches in slices on huge open maps.
//!
//! ```sh
//! cargo bench -p nav_grid --bench work
//! ```
//!
//! Maps have 2048×2048 and 8192×8192 cells. They are open except for a wall in the middle, a few
//! hundred walls of clutter, and a goal behind them. Windows are as large as the map. Each search
//! is cut into slices of 1,000 and of 20,000, as budgets do. Printed are the work of the whole
//! search, nanoseconds for a unit of it, and the longest slice, in microseconds and in nanoseconds
//! for a unit of its size: the worst tick under a budget of that size. The first search of a method
//! also takes its memory from the system.

#![expect(clippy::disallowed_methods, reason = "a benchmark measures time")]

use nav_grid::{
    Area, Cell, CornerRule, Footprint, Grid, IndexedMap, Limits, Method, Metric, Path, PathQuery,
    Planner, Rules, Terrain,
    query::{Progress, Sliced},
};
use std::time::{Duration, Instant};

const RULES: Rules = Rules::new(Metric::Octile, CornerRule::Strict);

/// A map, and a query across it.
fn field(side: u16) -> (Grid, PathQuery) {
    let mut grid = Grid::open(side, side).expect("a side of a map");
    let (half, third) = (side / 2, side / 3);
    let wall = Area::new(Cell::new(half, third), Cell::new(half, side - third));
    grid.set_walkable(wall, false).expect("a part of the map");
    for n in 0..300_u32 {
        let place = |factor: u32| (n * factor % u32::from(side - 40)) as u16;
        let corner = Cell::new(20 + place(7919), 20 + place(104_729));
        let wall = Area::new(corner, Cell::new(corner.x + 9, corner.y + 2));
        grid.set_walkable(wall, false).expect("a part of the map");
    }
    let query = PathQuery::new(Cell::new(9, half), Cell::new(side - 10, half - 3))
        .with_rules(RULES)
        .with_limits(Limits::UNBOUNDED);
    (grid, query)
}

/// Answers in slices. Returns the work, the time of all slices, and the time of the longest.
fn run(
    planner: &mut Planner,
    (method, terrain): (Method, Terrain<'_>),
    query: &PathQuery,
    slice: u32,
) -> (u32, Duration, Duration) {
    let mut path = Path::new();
    let (mut all, mut longest) = (Duration::ZERO, Duration::ZERO);
    planner.begin_with(method, terrain, query);
    loop {
        let begun = Instant::now();
        let progress = planner.resume(terrain, slice, &mut path);
        let taken = begun.elapsed();
        all += taken;
        longest = longest.max(taken);
        if let Progress::Done(outcome) = progress {
            assert!(outcome.status.has_path(), "{method}: {}", outcome.status);
            return (outcome.counters.work(), all, longest);
        }
    }
}

fn table(name: &str, map: &IndexedMap, query: &PathQuery, methods: &[Method]) {
    for &method in methods {
        for slice in [1_000, 20_000] {
            let mut planner = Planner::new();
            let mut row = format!("| {name} | {method} | {slice} |");
            for _ in ["first", "again"] {
                let asked = (method, Terrain::from(map));
                let (work, all, longest) = run(&mut planner, asked, query, slice);
                let each = all.as_nanos() / u128::from(work.max(1));
                let worst = longest.as_nanos() / u128::from(slice.min(work).max(1));
                let longest = longest.as_micros();
                row.push_str(
                    &[u128::from(work), each, longest, worst]
                        .map(|n| format!(" {n} |"))
                        .concat(),
                );
            }
            println!("{row}");
        }
    }
}

fn main() {
    let timed = std::env::args().any(|argument| argument == "--bench");
    let sides: &[u16] = if timed { &[2048, 8192] } else { &[256] };
    println!(
        "| map | method | slice | work | ns a unit | longest slice, µs | ns a unit of it | \
         again: work | ns a unit | longest slice, µs | ns a unit of it |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for &side in sides {
        let (grid, query) = field(side);
        let mut map = IndexedMap::new(grid);
        let name = format!("{side}², not prepared");
        table(&name, &map, &query, &[Method::Auto, Method::Jps]);
        // On the largest map the cells of the window alone take gigabytes.
        if side < 8192 {
            table(&name, &map, &query, &[Method::AStar]);
        }
        map.build_jumps(RULES);
        map.build_portals(RULES);
        map.build_mosaic(Footprint::ONE);
        let prepared = [Method::Jps, Method::Portal, Method::Mosaic];
        table(&format!("{side}², prepared"), &map, &query, &prepared);
    }
}

//! The cost of other shapes of a path, for paths of 20 and of 200 cells between scattered walls.
//!
//! ```sh
//! cargo bench -p nav_grid --bench path_shapes
//! ```

use criterion::{Criterion, criterion_group, criterion_main};
use nav_grid::{
    Area, Cell, CornerRule, Grid, Limits, Metric, Path, PathQuery, Rules, Search,
    methods::Dijkstra,
    path::TurningPoints,
    smoothing::{LineOfSight, Straightener},
};
use std::hint::black_box;

/// Makes a map on which one cell in 16 is a wall, with or without mud.
fn map(mud: bool) -> Grid {
    let wall = |cell: Cell| (cell.x * 7 + cell.y * 13 + cell.x * cell.y % 11) % 16 == 3;
    let mut grid = Grid::from_fn(240, 240, |cell| !wall(cell)).expect("sides in range");
    if mud {
        for corner in (0..240).step_by(24) {
            let area = Area::new(Cell::new(corner, corner), Cell::new(corner + 4, corner + 9));
            grid.set_cost(area, 3).expect("on the map");
        }
    }
    grid
}

/// Returns a cheapest path with `waypoints` waypoints, and the query that it answers.
fn path_of(grid: &Grid, waypoints: u16) -> (PathQuery, Path) {
    let rules = Rules::new(Metric::Octile, CornerRule::Strict);
    let mut path = Path::new();
    for goal in grid.walkable_cells() {
        let query = PathQuery::new(Cell::new(1, 1), goal)
            .with_rules(rules)
            .with_limits(Limits::UNBOUNDED);
        let long = query.start.chebyshev(goal);
        if long > waypoints || long + 9 < waypoints || goal.x / 2 > goal.y {
            continue;
        }
        Dijkstra::new().search(grid, &query, &mut path);
        if path.len() == usize::from(waypoints) {
            return (query, path);
        }
    }
    unreachable!("the map has paths of {waypoints} cells");
}

fn shapes(criterion: &mut Criterion) {
    for (ground, mud) in [("plain", false), ("mud", true)] {
        let grid = map(mud);
        for waypoints in [20, 200] {
            let (query, path) = path_of(&grid, waypoints);
            let walk = |path: &Path| path.walk(&grid, query.start, query.rules).expect("legal");
            let mut group =
                criterion.benchmark_group(format!("path_shapes/{ground}/{waypoints} cells"));

            let (mut turns, mut expanded) = (TurningPoints::new(), Path::new());
            group.bench_function("compact", |bencher| {
                bencher.iter(|| {
                    turns.compact(&grid, query.start, query.rules, black_box(&path));
                });
            });
            group.bench_function("expand", |bencher| {
                bencher.iter(|| turns.expand(query.start, &mut expanded));
            });
            assert_eq!(expanded, path);

            let mut straightener = Straightener::new();
            let mut tight = path.clone();
            group.bench_function("straighten", |bencher| {
                bencher.iter(|| {
                    tight.clone_from(black_box(&path));
                    straightener.straighten(&grid, &query, &mut tight)
                });
            });
            assert!(walk(&tight) <= walk(&path));
            let mut points = Vec::new();
            let pulled = straightener.pull(&grid, &query, &path, &mut points);
            assert_eq!(pulled, Ok(walk(&tight)));
            println!(
                "{ground}, {waypoints} cells: {} turning points, {} once pulled tight",
                turns.len(),
                points.len(),
            );

            let mut ahead = None;
            group.bench_function("look_ahead 20", |bencher| {
                bencher.iter(|| {
                    ahead = path.look_ahead(&grid, black_box(&query), 20);
                });
            });
            let ahead = ahead.expect("the first step is in sight");
            group.bench_function(format!("sight of {}", ahead.index + 1), |bencher| {
                let sight = LineOfSight::new(&grid, &query);
                bencher.iter(|| {
                    let line = sight.line(query.start, black_box(ahead.cell));
                    assert!(line.is_some());
                });
            });
            group.finish();
        }
    }
}

criterion_group!(benches, shapes);
criterion_main!(benches);

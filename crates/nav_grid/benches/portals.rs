//! Far chases: portals made and repaired, paths and fields over them.
//!
//! ```sh
//! cargo bench -p nav_grid --bench portals
//! ```
//!
//! Maps of the `MovingAI` benchmarks are looked for in the folder that `MOVINGAI` names.

use criterion::{Criterion, criterion_group, criterion_main};
use mapgen::Kind;
use nav_formats::{movingai, scen};
use nav_grid::{
    Cell, CornerRule, Grid, IndexedMap, Limits, Metric, Path, PathQuery, Rules, Search, Status,
    Terrain,
    fields::PortalField,
    index::{BuiltIndexes, PortalGraph},
    methods::PortalSearch,
};
use std::{hint::black_box, time::Duration};

/// A map, with the ends of far chases on it that have a way.
struct Course {
    name: String,
    grid: Grid,
    ends: Vec<(Cell, Cell)>,
    /// Lengths of the best ways, where they are known.
    best: Option<f64>,
}

fn made(kind: Kind, side: u16) -> Course {
    let grid = mapgen::generate(kind, side, side, 1).expect("the size is legal");
    let open: Vec<Cell> = grid.walkable_cells().collect();
    let at = |number: usize| open[number * 7919 * 104_729 % open.len()];
    Course {
        name: format!("{} {side}", kind.name()),
        ends: (1..65)
            .map(|number| (at(number), at(number + 64)))
            .collect(),
        grid,
        best: None,
    }
}

/// Reads the maps that benchmarks use most, if the folder is there.
fn found() -> Vec<Course> {
    let Some(folder) = std::env::var_os("MOVINGAI") else {
        println!("portals: MOVINGAI names no folder, its maps are skipped");
        return Vec::new();
    };
    let folder = std::path::Path::new(&folder);
    let names = [
        "dao/arena2",
        "bg512/AR0700SR",
        "wc3maps512/icecrown",
        "rooms/8room_000",
    ];
    let read = |name: &&str| {
        let map = std::fs::read(folder.join(format!("{name}.map"))).ok()?;
        let scenario = std::fs::read(folder.join(format!("{name}.map.scen"))).ok()?;
        let grid = movingai::read(&map).ok()?;
        let lines = scen::read(&scenario).ok()?.lines;
        let fits = lines
            .iter()
            .filter(|line| grid.is_walkable(line.start) && grid.is_walkable(line.goal));
        let some: Vec<_> = fits.step_by(lines.len() / 256 + 1).collect();
        Some(Course {
            name: (*name).to_owned(),
            ends: some.iter().map(|line| (line.start, line.goal)).collect(),
            best: Some(some.iter().map(|line| line.optimal_length).sum()),
            grid,
        })
    };
    let courses: Vec<Course> = names.iter().filter_map(read).collect();
    if courses.is_empty() {
        println!(
            "portals: {} has none of the maps, they are skipped",
            folder.display()
        );
    }
    courses
}

fn rules(metric: Metric) -> Rules {
    Rules::new(metric, CornerRule::Strict)
}

fn portals(criterion: &mut Criterion) {
    let mut courses: Vec<Course> = [Kind::Rooms, Kind::Caves, Kind::Mixed]
        .into_iter()
        .flat_map(|kind| [made(kind, 512), made(kind, 2048)])
        .collect();
    courses.extend(found());
    for course in &courses {
        for metric in [Metric::Unit, Metric::Octile] {
            measure(criterion, course, rules(metric));
        }
    }
}

fn built(grid: &Grid, rules: Rules) -> IndexedMap {
    let mut map = IndexedMap::new(grid.clone());
    map.build_portals(rules);
    map
}

fn measure(criterion: &mut Criterion, course: &Course, rules: Rules) {
    let Course { grid, ends, .. } = course;
    let name = format!("portals/{} {:?}", course.name, rules.metric);
    let mut group = criterion.benchmark_group(&name);
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));

    let map = built(grid, rules);
    let terrain = Terrain::from(&map);
    let mut anew = map.clone();
    group.bench_function("make", |bencher| {
        bencher.iter(|| {
            anew.retain(&BuiltIndexes::default());
            black_box(&mut anew).build_portals(rules);
        });
    });

    let (mut search, mut path) = (PortalSearch::new(), Path::new());
    let mut ask = |(start, goal)| {
        let query = PathQuery::new(start, goal)
            .with_rules(rules)
            .with_limits(Limits::UNBOUNDED);
        search.search(terrain, black_box(&query), &mut path)
    };
    let total = |length: f64, outcome: nav_grid::Outcome| {
        assert!(outcome.status.has_path() || outcome.status != Status::BudgetSpent);
        length + rules.metric.length(outcome.cost)
    };
    let length = ends.iter().map(|&ends| ask(ends)).fold(0.0, total);
    if let (Some(best), Metric::Octile) = (course.best, rules.metric) {
        println!(
            "{name}: paths are {:.4} times as long as the best",
            length / best
        );
        assert!(length / best <= 1.02);
    }
    let mut next = ends.iter().cycle();
    group.bench_function("path", |bencher| {
        bencher.iter(|| next.next().map(|&ends| ask(ends)));
    });

    let mut field = PortalField::new();
    let mut next = ends.iter().cycle();
    group.bench_function("aim a field and take a first step", |bencher| {
        bencher.iter(|| {
            let &(start, target) = next.next()?;
            assert_eq!(field.aim(terrain, rules, black_box(target)), Ok(()));
            field.next_move(terrain, start)
        });
    });
    group.bench_function("ask a field", |bencher| {
        bencher.iter(|| field.next_move(terrain, black_box(ends[0].0)));
    });

    let mut map = map.clone();
    let mut next = ends.iter().cycle();
    group.bench_function("repair after an edit of a cell", |bencher| {
        bencher.iter(|| {
            let cell = next.next().map_or(Cell::new(0, 0), |ends| ends.0);
            let open = !map.grid().is_walkable(cell);
            assert_eq!(map.set_walkable(cell, open), Ok(1));
            map.repair();
            let version = map.indexes().portals_for(rules).map(PortalGraph::version);
            assert_eq!(version, Some(map.grid().version()));
        });
    });
    let fresh = built(map.grid(), rules);
    assert!(map.indexes().portals() == fresh.indexes().portals());
    group.finish();
}

criterion_group!(benches, portals);
criterion_main!(benches);

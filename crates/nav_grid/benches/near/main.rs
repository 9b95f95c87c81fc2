//! Near chases: a target 5 to 20 cells away, a window of 41×41 cells, at most 150 expansions.
//!
//! Every answer is judged by Dijkstra's search before anything is timed, and every timed pass must
//! give the same sums. A time is the mean over the whole set of queries, each from the call to the
//! finished path.

#[path = "../peers/mod.rs"]
mod peers;
mod workload;

use criterion::{
    BenchmarkGroup, Criterion, SamplingMode, criterion_group, criterion_main, measurement::WallTime,
};
use nav_grid::{
    Cell, CornerRule, Grid, Limits, Metric, Outcome, Path, PathQuery, Planner, Rules, Search,
    methods::{BoundedAStar, JumpPointSearch, Sweep},
};
use peers::{GridPathfinding, Pathfinding, Textbook};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};
use workload::{QuerySet, RADIUS, Workload};

fn octile(start: Cell, goal: Cell) -> PathQuery {
    PathQuery::new(start, goal).with_rules(Rules::new(Metric::Octile, CornerRule::Strict))
}

/// A query without a cap on expansions, which peers do not have.
fn window(start: Cell, goal: Cell) -> PathQuery {
    PathQuery::new(start, goal).with_limits(Limits::window(RADIUS))
}

fn window_octile(start: Cell, goal: Cell) -> PathQuery {
    octile(start, goal).with_limits(Limits::window(RADIUS))
}

fn window_cutting(start: Cell, goal: Cell) -> PathQuery {
    window(start, goal).with_rules(Rules::new(Metric::Octile, CornerRule::Cut))
}

fn near(criterion: &mut Criterion) {
    for workload in Workload::all() {
        let mut group = criterion.benchmark_group(format!("near/{}", workload.name));
        group
            .sampling_mode(SamplingMode::Flat)
            .sample_size(30)
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_millis(1200));

        let unit = workload.ask(PathQuery::new);
        let classic = workload.ask(PathQuery::classic);
        let mut astar = BoundedAStar::new();
        let mut textbook = Textbook::new();
        bench(&mut group, "astar", &unit, |grid, query, path| {
            astar.search(grid, query, path)
        });
        bench(&mut group, "textbook", &unit, |grid, query, path| {
            textbook.search(grid, query, path)
        });
        bench(
            &mut group,
            "astar-classic",
            &classic,
            |grid, query, path| astar.search(grid, query, path),
        );
        bench(
            &mut group,
            "textbook-classic",
            &classic,
            |grid, query, path| textbook.search(grid, query, path),
        );
        bench(
            &mut group,
            "astar-octile",
            &workload.ask(octile),
            |grid, query, path| astar.search(grid, query, path),
        );
        bench(&mut group, "astar-cold", &unit, |grid, query, path| {
            *path = Path::new();
            BoundedAStar::new().search(grid, query, path)
        });
        bench_peers(&mut group, &workload);
        group.finish();
    }
}

/// Times the searches of other crates on queries that they and ours can both be asked.
fn bench_peers(group: &mut BenchmarkGroup<WallTime>, workload: &Workload) {
    let mut astar = BoundedAStar::new();
    let unit = workload.ask(window);
    let octile = workload.ask(window_octile);
    // This peer has no windows, so it is asked only for goals whose shortest paths cannot leave
    // one.
    let cutting = workload.ask(window_cutting).inside();
    let other_jumps = GridPathfinding::new(&workload.grid);
    let mut planner = Planner::new();
    for (name, set) in [("auto-window", &unit), ("auto-octile-window", &octile)] {
        bench(group, name, set, |grid, query, path| {
            planner.search(grid, query, path)
        });
    }
    let (mut sweep, mut jumps) = (Sweep::new(), JumpPointSearch::new());
    bench(group, "sweep-window", &unit, |grid, query, path| {
        sweep.search(grid, query, path)
    });
    bench(group, "jps-octile-window", &octile, |grid, query, path| {
        jumps.search(grid, query, path)
    });
    for (ours, theirs, set) in [
        ("astar-window", "pathfinding-window", &unit),
        ("astar-octile-window", "pathfinding-octile-window", &octile),
    ] {
        bench(group, ours, set, |grid, query, path| {
            astar.search(grid, query, path)
        });
        bench(group, theirs, set, Pathfinding::search);
    }
    bench(group, "astar-cutting", &cutting, |grid, query, path| {
        astar.search(grid, query, path)
    });
    bench(
        group,
        "grid_pathfinding-cutting",
        &cutting.for_any_path(),
        |_, query, path| other_jumps.search(query, path),
    );
}

/// Judges and then times one method on a set.
fn bench(
    group: &mut BenchmarkGroup<WallTime>,
    name: &str,
    set: &QuerySet<'_>,
    mut answer: impl FnMut(&Grid, &PathQuery, &mut Path) -> Outcome,
) {
    let expected = set.judge(&mut answer);
    let queries = set.queries.len();
    let share = |sum: u32| f64::from(sum) / queries as f64;
    println!(
        "near/{}/{name}: found {:.1} % of {:.1} % reachable, cost {:.1}, {:.1} expansions and \
         {:.1} pushes a query",
        set.workload.name,
        100.0 * share(expected.found),
        100.0 * set.reachable(),
        share(expected.cost),
        share(expected.expanded),
        share(expected.pushed),
    );

    let grid = &set.workload.grid;
    let mut path = Path::new();
    let mut pass = || {
        let mut total = workload::Total::default();
        for query in &set.queries {
            let outcome = answer(grid, black_box(query), &mut path);
            black_box(&path);
            total.add(&outcome);
        }
        assert_eq!(total, expected);
    };
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|iterations| timed(iterations, queries as u64, &mut pass));
    });
}

/// Returns the time of `queries` queries, measured over whole passes of `set` queries so that all
/// have the same weight.
#[expect(
    clippy::disallowed_methods,
    reason = "a stopwatch is what a benchmark is for"
)]
fn timed(queries: u64, set: u64, mut pass: impl FnMut()) -> Duration {
    let passes = queries.div_ceil(set);
    let before = Instant::now();
    for _ in 0..passes {
        pass();
    }
    before
        .elapsed()
        .mul_f64(queries as f64 / (passes * set) as f64)
}

criterion_group!(benches, near);
criterion_main!(benches);

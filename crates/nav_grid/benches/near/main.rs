//! Near chases: a target 5 to 20 cells away, a window of 41×41 cells, at most 150 expansions.
//!
//! Every answer is judged by Dijkstra's search before anything is timed, and every timed pass
//! must add up to the same sums. A time is the mean over the whole set of queries, each from
//! the call to the finished path.

mod peer;
mod workload;

use criterion::{
    BenchmarkGroup, Criterion, SamplingMode, criterion_group, criterion_main, measurement::WallTime,
};
use nav_grid::{BoundedAStar, Cell, CornerRule, Grid, Metric, Outcome, Path, Query, Rules, Search};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};
use workload::{QUERIES, QuerySet, Workload};

fn octile(start: Cell, goal: Cell) -> Query {
    Query::new(start, goal).with_rules(Rules::new(Metric::Octile, CornerRule::Strict))
}

fn near(criterion: &mut Criterion) {
    for workload in Workload::all() {
        let mut group = criterion.benchmark_group(format!("near/{}", workload.name));
        group
            .sampling_mode(SamplingMode::Flat)
            .sample_size(30)
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_millis(1200));

        let unit = workload.ask(Query::new);
        let classic = workload.ask(Query::classic);
        let mut astar = BoundedAStar::new();
        let mut textbook = peer::Textbook::new();
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
        group.finish();
    }
}

/// Judges and then times one way to answer a set.
fn bench(
    group: &mut BenchmarkGroup<WallTime>,
    name: &str,
    set: &QuerySet<'_>,
    mut answer: impl FnMut(&Grid, &Query, &mut Path) -> Outcome,
) {
    let expected = set.judge(&mut answer);
    let share = |sum: u32| f64::from(sum) / QUERIES as f64;
    println!(
        "near/{}/{name}: found {:.1} % of {:.1} % reachable, {:.1} expansions and {:.1} pushes a query",
        set.workload.name,
        100.0 * share(expected.found),
        100.0 * set.reachable(),
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
        bencher.iter_custom(|iterations| timed(iterations, &mut pass));
    });
}

/// Time of `queries` queries, measured over whole passes so that every one of a set weighs the
/// same.
#[expect(
    clippy::disallowed_methods,
    reason = "a stopwatch is what a benchmark is for"
)]
fn timed(queries: u64, mut pass: impl FnMut()) -> Duration {
    let passes = queries.div_ceil(QUERIES as u64);
    let before = Instant::now();
    for _ in 0..passes {
        pass();
    }
    before
        .elapsed()
        .mul_f64(queries as f64 / (passes * QUERIES as u64) as f64)
}

criterion_group!(benches, near);
criterion_main!(benches);

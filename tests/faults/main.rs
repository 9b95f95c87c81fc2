//! Whatever a game does to the plugin's world between two ticks, nothing breaks, and when it stops, whoever
//! can arrive does.
//!
//! Each case is a drawn world in which faults happen in every tick: agents and maps are despawned, replaced
//! and disabled, targets leave the map, walls are put on top of everybody, settings change, the budget is
//! starved, the clock jumps, frames run no fixed step or fifty, and the world is saved and restored. A failure
//! names its seed: `NAV_SEED=n` runs that case alone and lists its faults. `NAV_WORLDS=n` and `NAV_FIRST=n`
//! run another number of cases from another seed; without them cases are drawn until so many chaser-ticks
//! are over.

mod calm;
mod fault;
mod inject;
mod rules;
mod tester;

use nav_tests::drawn::{Failure, Verdict};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
};
use tester::{Case, run_case};

/// Chaser-ticks with faults, all cases together.
const CHASER_TICKS: u64 = 10_000_000;

/// Seeds that showed what no other did: a detour to a target that was put off the map; a chaser that lost its
/// body on a detour.
const KEPT: [u64; 2] = [7, 59];

#[test]
fn nothing_breaks_whatever_a_game_does_and_who_can_arrive_does_when_it_stops() {
    let first = number("NAV_FIRST").unwrap_or(0);
    if let Some(seed) = number("NAV_SEED") {
        let (case, failure) = run(seed);
        println!("{}", case.log.join("\n"));
        if let Some(verdict) = &case.verdict {
            println!("{}", verdict.picture);
        }
        assert!(
            failure.is_none(),
            "seed {seed}: {}",
            failure.unwrap_or_default()
        );
        return;
    }
    let worlds = number("NAV_WORLDS");
    let report = run_all(first, worlds);
    println!(
        "{} cases from seed {first}, {} chaser-ticks with faults; then {} chasers arrived, {} wait for a place, {} excused",
        report.cases, report.chaser_ticks, report.arrived, report.waiting, report.excused
    );
    let failures = report.failures;
    assert!(
        failures.is_empty(),
        "{} failed:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(worlds.is_some() || report.chaser_ticks >= CHASER_TICKS);
    // What is not judged proves nothing.
    assert!(report.excused * 10 < report.arrived + report.waiting);
}

#[test]
fn cases_that_went_wrong_once_end_well() {
    let wrong = KEPT.iter().filter_map(|&seed| {
        let failure = run(seed).1?;
        Some(format!("seed {seed}: {failure}"))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Runs the case of a seed. Returns also what went wrong.
fn run(seed: u64) -> (Case, Option<String>) {
    let mut case = Case::default();
    let result = catch_unwind(AssertUnwindSafe(|| run_case(seed, &mut case)));
    let failure = match result {
        Ok(()) => {
            let failure = case
                .verdict
                .as_ref()
                .and_then(|verdict| verdict.failure.as_ref());
            failure.map(Failure::to_string)
        }
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
            let last = case.log.last().cloned().unwrap_or_default();
            Some(format!(
                "{}; the last fault: {last}",
                text.unwrap_or_default()
            ))
        }
    };
    (case, failure)
}

/// What became of all cases.
#[derive(Default)]
struct Report {
    cases: u64,
    chaser_ticks: u64,
    arrived: usize,
    waiting: usize,
    excused: usize,
    failures: Vec<String>,
}

impl Report {
    fn add(&mut self, seed: u64, case: Case, failure: Option<String>) {
        self.cases += 1;
        self.chaser_ticks += case.chaser_ticks;
        let Verdict {
            arrived,
            waiting,
            excused,
            ..
        } = case.verdict.unwrap_or_default();
        self.arrived += arrived;
        self.waiting += waiting;
        self.excused += excused;
        if let Some(failure) = failure {
            self.failures.push(format!("seed {seed}: {failure}"));
        }
    }
}

/// Runs so many cases, or as many as it takes, on all cores.
fn run_all(first: u64, cases: Option<u64>) -> Report {
    let next = AtomicU64::new(first);
    let report = Mutex::new(Report::default());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let is_over = match cases {
                        Some(cases) => seed >= first + cases,
                        None => locked(&report).chaser_ticks >= CHASER_TICKS,
                    };
                    if is_over {
                        break;
                    }
                    let (case, failure) = run(seed);
                    locked(&report).add(seed, case, failure);
                }
            });
        }
    });
    report.into_inner().expect("no panic while it is held")
}

fn locked(report: &Mutex<Report>) -> std::sync::MutexGuard<'_, Report> {
    report.lock().expect("no panic while it is held")
}

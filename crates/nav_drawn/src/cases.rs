//! Cases that are named by seeds: the choice of cases by the environment, and a loop that runs
//! them.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

/// Returns the number in a variable of the environment, or `None` if it is not set or not a number.
pub fn number_in(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Returns the result of a function.
///
/// # Errors
///
/// The text of its panic.
pub fn or_panic<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
            .unwrap_or_default()
    })
}

/// The decision about a seed.
pub enum Next {
    /// Run its case.
    Run,
    /// Skip it.
    Skip,
    /// Run no more cases.
    Stop,
}

const UNPOISONED: &str = "no panic while it is held";

/// Runs the cases of one seed after another on all cores, and collects their results.
///
/// `next` decides by the report so far, also about cases that are still under way.
///
/// # Panics
///
/// When `next`, `run` or `add` does.
pub fn on_all_cores<T, R: Send>(
    first: u64,
    report: R,
    next: impl Fn(&mut R, u64) -> Next + Sync,
    run: impl Fn(u64) -> T + Sync,
    add: impl Fn(&mut R, u64, T) + Sync,
) -> R {
    let seeds = AtomicU64::new(first);
    let report = Mutex::new(report);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = seeds.fetch_add(1, Ordering::Relaxed);
                    let next = next(&mut report.lock().expect(UNPOISONED), seed);
                    match next {
                        Next::Run => {
                            let case = run(seed);
                            add(&mut report.lock().expect(UNPOISONED), seed, case);
                        }
                        Next::Skip => {}
                        Next::Stop => break,
                    }
                }
            });
        }
    });
    report.into_inner().expect(UNPOISONED)
}

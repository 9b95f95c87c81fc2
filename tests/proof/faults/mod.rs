//! Whatever a game does to the plugin's world between two ticks, nothing breaks. Once the faults
//! stop, every chaser that can arrive does.
//!
//! Each case is a drawn world with faults in every tick. Agents and maps are despawned, replaced
//! and disabled; targets leave the map; walls are put on top of agents; settings change; the budget
//! is starved; the clock jumps; frames run no fixed step or fifty; and the world is saved and
//! restored. From a drawn tick on a copy that was restored in another app goes on beside it, and
//! must stay equal. A failure names its seed: `NAV_SEED=n` runs that case alone and lists the
//! fewest of its faults that fail. `NAV_WORLDS=n` and `NAV_FIRST=n` set the number of cases and the
//! first seed. Without them cases are drawn until the tier's number of chaser-ticks is over.

mod calm;
mod case;
mod rules;
mod script;

use case::{Case, run_case};
use nav_drawn::{Failure, Next, Verdict, number_in, on_all_cores, or_panic};
use nav_tests::by_tier;
use script::Script;

/// Chaser-ticks with faults, all cases together.
fn chaser_ticks() -> u64 {
    by_tier(200_000, 10_000_000)
}

/// Runs of a failed case without some of its faults. A case takes some hundredths of a second.
const ATTEMPTS: u32 = 400;

/// Seeds that were the first to show a fault: a detour to a target that was put off the map; a
/// chaser that lost its body on a detour; a body that was switched to a target beside it, and
/// pushed in the tick of its own step; a second search for ground that changed before the first
/// one; a ghost under its target, beside a body; a chaser that was put far off its search in
/// slices; a cell that the game wrote after a world position, before a save; a disabled chaser that
/// was the last of its field group; a world position that was written again, unread in between; a
/// target without a map, whose world position was read before; a chaser without a timer that was
/// the last of its group; a large body that was pushed onto the place beside which its chaser had
/// gone.
const KEPT: [u64; 12] = [
    7, 59, 12_677, 15_468, 888, 1_113, 4, 697, 2_145, 5_101, 7_050, 7_995,
];

#[test]
fn nothing_breaks() {
    let first = number_in("NAV_FIRST").unwrap_or(0);
    if let Some(seed) = number_in("NAV_SEED") {
        let (case, failure) = run(seed, None);
        let Some(failure) = failure else {
            return;
        };
        // The same failure, not another of the same case.
        let kind = |failure: &str| failure.split(' ').next().map(str::to_owned);
        let fails = |script: &Script| {
            let other = run(seed, Some(script)).1;
            other.is_some_and(|other| kind(&other) == kind(&failure))
        };
        let script = case.script.shrunk(ATTEMPTS, fails);
        let (case, shrunk) = run(seed, Some(&script));
        println!("{script}{}", case.end.join("\n"));
        if let Some(verdict) = &case.verdict {
            println!("{}", verdict.picture);
        }
        panic!("seed {seed}: {failure}; with these faults: {shrunk:?}");
    }
    let worlds = number_in("NAV_WORLDS");
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
    assert!(worlds.is_some() || report.chaser_ticks >= chaser_ticks());
    // Cases without a judged end prove nothing.
    assert!(report.excused * 10 < report.arrived + report.waiting);
}

#[test]
fn kept_seeds() {
    let wrong = KEPT.iter().filter_map(|&seed| {
        let failure = run(seed, None).1?;
        Some(format!("seed {seed}: {failure}"))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs the case of a seed, with the faults of a script or with drawn ones. Returns its failure
/// too.
fn run(seed: u64, script: Option<&Script>) -> (Case, Option<String>) {
    let mut case = Case::default();
    let failure = match or_panic(|| run_case(seed, script, &mut case)) {
        Ok(()) => {
            let verdict = case.verdict.as_ref();
            let failure = verdict.and_then(|verdict| verdict.failure.as_ref());
            failure.map(Failure::to_string)
        }
        Err(text) => Some(format!("{text}; the last fault: {:?}", case.script.last())),
    };
    (case, failure)
}

/// The results of all cases.
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

/// Runs cases on all cores: `cases` of them, or as many as the chaser-ticks take.
fn run_all(first: u64, cases: Option<u64>) -> Report {
    on_all_cores(
        first,
        Report::default(),
        |report, seed| {
            let is_over = match cases {
                Some(cases) => seed >= first + cases,
                None => report.chaser_ticks >= chaser_ticks(),
            };
            if is_over { Next::Stop } else { Next::Run }
        },
        |seed| run(seed, None),
        |report, seed, (case, failure)| report.add(seed, case, failure),
    )
}

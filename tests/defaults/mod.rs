//! What a game gets that prepares nothing and tunes nothing.
//!
//! `NAV_WORLDS=n` sets how many worlds are drawn, and `NAV_FIRST=n` begins at another seed.

mod ground;
mod work;

use nav_tests::{
    by_tier,
    drawn::{
        Next,
        defaults::{Company, play, pursue},
        number_in, on_all_cores,
    },
};

/// Runs worlds on all cores, and fails with what they complain of. Each says how many chasers it
/// judged.
fn check(worlds: u64, run: impl Fn(u64) -> (usize, Vec<String>) + Sync) {
    let first = number_in("NAV_FIRST").unwrap_or(0);
    let worlds = number_in("NAV_WORLDS").unwrap_or(worlds);
    let next = |_: &mut (usize, Vec<String>), seed: u64| {
        if seed < first + worlds {
            Next::Run
        } else {
            Next::Stop
        }
    };
    let report = (0, Vec::new());
    let (judged, complaints) = on_all_cores(first, report, next, run, |all, seed, (able, of)| {
        all.0 += able;
        let of = of.into_iter();
        all.1.extend(of.map(|text| format!("seed {seed}: {text}")));
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(judged > 0, "nothing was judged");
}

/// Seconds for which a chaser that can arrive may stand still.
const STALL_MAX: u64 = 20;

fn complaints(seed: u64, company: Company) -> (usize, Vec<String>) {
    let outcome = play(seed, company);
    let terrain = outcome.terrain;
    let mut complaints: Vec<String> = outcome
        .short
        .into_iter()
        .map(|text| format!("{terrain:?}: {text}"))
        .collect();
    let stalled = outcome.stalled / nav_tests::TICK_RATE;
    if stalled > STALL_MAX {
        complaints.push(format!("{terrain:?}: stood still for {stalled} s"));
    }
    (outcome.able, complaints)
}

#[test]
fn ghosts_arrive() {
    check(by_tier(300, 2_000), |seed| {
        complaints(seed, Company::Ghosts)
    });
}

#[test]
fn soft_bodies_arrive() {
    check(by_tier(90, 900), |seed| complaints(seed, Company::Soft));
}

#[test]
fn walking_targets_are_caught() {
    check(by_tier(108, 1_080), |seed| {
        let pursuit = pursue(seed);
        let (terrain, walk) = (pursuit.terrain, pursuit.walk);
        let late = pursuit.late.into_iter();
        let late = late.map(|text| format!("{terrain:?}, {walk:?}: {text}"));
        (pursuit.able, late.collect())
    });
}

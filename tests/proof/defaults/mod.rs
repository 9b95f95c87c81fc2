//! The results of a game that prepares nothing and tunes nothing.
//!
//! `NAV_WORLDS=n` sets how many worlds are drawn, `NAV_FIRST=n` begins at another seed, and
//! `NAV_SEED=n` plays the world of one seed.

mod ground;
mod mixture;
mod work;

use nav_drawn::{
    Company, Next,
    defaults::{Terrain, play},
    number_in, on_all_cores,
    pursuit::pursue,
};
use nav_tests::by_tier;

/// Runs worlds on all cores. Returns the number of judged chasers, and the complaints.
fn play_all(worlds: u64, run: impl Fn(u64) -> (usize, Vec<String>) + Sync) -> (usize, Vec<String>) {
    let (first, worlds) = match number_in("NAV_SEED") {
        Some(seed) => (seed, 1),
        None => (
            number_in("NAV_FIRST").unwrap_or(0),
            number_in("NAV_WORLDS").unwrap_or(worlds),
        ),
    };
    let next = |_: &mut (usize, Vec<String>), seed: u64| {
        if seed < first + worlds {
            Next::Run
        } else {
            Next::Stop
        }
    };
    let report = (0, Vec::new());
    on_all_cores(first, report, next, run, |all, seed, (able, of)| {
        all.0 += able;
        let of = of.into_iter();
        all.1.extend(of.map(|text| format!("seed {seed}: {text}")));
    })
}

/// Runs worlds, and fails with their complaints.
fn check(worlds: u64, run: impl Fn(u64) -> (usize, Vec<String>) + Sync) {
    let (judged, complaints) = play_all(worlds, run);
    println!("{} of {judged}", complaints.len());
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
    check(by_tier(200, 2_000), |seed| {
        complaints(seed, Company::Ghosts)
    });
}

#[test]
fn beasts_arrive() {
    check(by_tier(100, 1_000), |seed| {
        complaints(seed, Company::Beasts)
    });
}

#[test]
fn soft_bodies_arrive() {
    check(by_tier(60, 900), |seed| complaints(seed, Company::Soft));
}

/// Runs worlds, and fails if they complain of more than one chaser in `of`.
fn check_most(of: usize, worlds: u64, run: impl Fn(u64) -> (usize, Vec<String>) + Sync) {
    let (judged, complaints) = play_all(worlds, run);
    println!("{} of {judged}", complaints.len());
    assert!(
        complaints.len() * of <= judged,
        "of {judged}:\n{}",
        complaints.join("\n")
    );
}

/// Worlds of solid bodies on ground where two bodies that meet can pass each other. Even there some
/// do not arrive: a body that rests in a door before its target could make room only along the way
/// on which others come.
fn check_solids(worlds: u64, company: Company, too_narrow: &[Terrain]) {
    check_most(100, worlds, |seed| {
        let outcome = play(seed, company);
        if too_narrow.contains(&outcome.terrain) {
            (0, Vec::new())
        } else {
            (outcome.able, outcome.short)
        }
    });
}

#[test]
fn solid_bodies_arrive() {
    check_solids(by_tier(60, 900), Company::Solid, &[Terrain::Maze]);
}

#[test]
fn bodies_of_all_sizes_arrive() {
    let too_narrow = [Terrain::Maze, Terrain::Caves];
    check_solids(by_tier(60, 900), Company::Sizes, &too_narrow);
}

/// A few are not caught: a path is searched again once the target moved by an eighth of it, and by
/// then another way may have been the shorter one.
#[test]
fn walking_targets_are_caught() {
    check_most(100, by_tier(72, 1_080), |seed| {
        let pursuit = pursue(seed);
        let (terrain, walk) = (pursuit.terrain, pursuit.walk);
        let late = pursuit.late.into_iter();
        let late = late.map(|text| format!("{terrain:?}, {walk:?}: {text}"));
        (pursuit.able, late.collect())
    });
}

//! Floors, links, doors, costs, classes and ledges together. `NAV_SEED=n` shows the world of a seed
//! as it ends.

use super::{check, check_most};
use nav_drawn::{Company, Fill, number_in, play_mixture};
use nav_tests::by_tier;

/// Plays the world of a seed. Returns the number of judged chasers, and the complaints.
fn complaints(seed: u64, company: Company, fill: Fill) -> (usize, Vec<String>) {
    let world = play_mixture(seed, company, fill);
    if number_in("NAV_SEED").is_some() {
        println!("{}", world.picture);
    }
    let terrain = world.terrain;
    let short = world.short.into_iter();
    let short = short.map(|text| format!("{terrain}: {text}"));
    (world.able, short.collect())
}

/// Plays worlds, and fails if more than one chaser in `of` falls short.
fn check_company(of: usize, company: Company, fill: Fill) {
    check_most(of, by_tier(100, 2_000), |seed| {
        complaints(seed, company, fill)
    });
}

/// At most one in 10,000 stays behind: of 70,384 five did, all in one world with ground that cannot
/// be left.
#[test]
fn ghosts_arrive() {
    check_company(10_000, Company::Ghosts, Fill::Half);
}

#[test]
fn soft_bodies_arrive() {
    check(by_tier(100, 2_000), |seed| {
        complaints(seed, Company::Soft, Fill::Half)
    });
}

/// Bodies that meet in a door or on a stair long after their targets came to stand make no room: at
/// most one in 700 never arrives.
#[test]
fn solid_bodies_arrive() {
    check_company(700, Company::Solid, Fill::Half);
}

/// A body of several cells has fewer ways around others: at most one in 140 never arrives.
#[test]
fn bodies_of_all_sizes_arrive() {
    check_company(140, Company::Sizes, Fill::Half);
}

/// Where bodies take all places beside their target, the last place may be behind others, or on the
/// other side of the target: at most one in a thousand stays behind.
#[test]
fn full_rings_arrive() {
    check_company(1_000, Company::Solid, Fill::All);
}

//! Pursuit of targets that move: how long chasers are beside them, measured against imagined ones
//! that know at every step where the target is.

use chase::pursuit::{Course, Pursuers, PursuitRow, Shares, pursue};

/// Pursuits of each kind: with each, the target steps at another moment of the chasers' beat.
const SEEDS: u64 = 5;
/// Seconds of each that count.
const SECONDS: u32 = 40;

/// Searches a second that one chaser may make.
const SEARCHES_MAX: f64 = 2.0;
/// The share of steps that may lead straight back.
const BACK_MAX: f64 = 0.03;

/// Runs all kinds of flight, prints a table, and fails where a bar is missed: a share of the time that
/// imagined ghosts are beside the target, as many as its ring can hold. Along walls, where bodies stand
/// in one another's way however much they know, no more is asked than an imagined pack achieves.
fn check(pursuers: Pursuers, bar: f64) {
    let mut missed = Vec::new();
    for course in Course::all() {
        let shares = pursue(course, pursuers, SECONDS, 0..SEEDS, nav_tests::update);
        let row = PursuitRow::new(course, pursuers, &shares);
        println!("{row}");
        let of_known = of_known(course, pursuers, &shares);
        let name = course.name();
        if of_known < bar {
            missed.push(format!("{name}: {:.1} %", 100.0 * of_known));
        }
        if row.searches_a_second > SEARCHES_MAX {
            missed.push(format!("{name}: {:.2} searches/s", row.searches_a_second));
        }
        if row.straight_back > BACK_MAX {
            let back = 100.0 * row.straight_back;
            missed.push(format!("{name}: {back:.1} % straight back"));
        }
    }
    let count = missed.len();
    assert!(
        missed.is_empty(),
        "{count} below the bar: {}",
        missed.join("; ")
    );
}

fn of_known(course: Course, pursuers: Pursuers, shares: &Shares) -> f64 {
    let known = if course.has_walls() && pursuers.bodies && pursuers.count > 1 {
        shares.ghosts.min(shares.pack)
    } else {
        shares.ghosts
    };
    shares.beside as f64 / known.max(1) as f64
}

#[test]
fn one_ghost_follows_as_if_it_knew() {
    check(Pursuers::ghosts(1), 0.92);
}

#[test]
fn a_pack_of_ghosts_follows_as_if_it_knew() {
    check(Pursuers::ghosts(30), 0.92);
}

#[test]
fn one_solid_chaser_follows_nearly_as_if_it_knew() {
    check(Pursuers::solid(1), 0.85);
}

#[test]
fn two_solid_chasers_follow_nearly_as_if_they_knew() {
    check(Pursuers::solid(2), 0.85);
}

#[test]
fn a_pack_of_thirty_fills_the_ring_around_a_target_that_moves() {
    check(Pursuers::solid(30), 0.85);
}

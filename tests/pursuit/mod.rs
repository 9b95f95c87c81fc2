//! Pursuit of targets that move: how long chasers are beside them, measured against imagined ones
//! that know at every step where the target is.

use nav::Chaser;
use nav_grid::{Method, Metric, rules::BodyPolicy};
use nav_lab::pursuit::{Course, Layer, Pursuers, PursuitRow, Setting, Shares, pursue};
use nav_tests::{by_tier, sample};

/// Pursuits of each kind: with each, the target steps at another moment of the chasers' beat.
fn seeds() -> std::ops::Range<u64> {
    0..by_tier(2, 5)
}

/// The same where settings are compared.
fn seeds_of_setting() -> std::ops::Range<u64> {
    0..by_tier(1, 4)
}

/// Seconds of each that count.
const SECONDS: u32 = 40;
const SECONDS_OF_SETTING: u32 = 30;

/// Searches a second that one chaser may make.
const SEARCHES_MAX: f64 = 2.0;
/// The share of steps that may lead straight back.
const BACK_MAX: f64 = 0.03;

/// Runs all kinds of flight, prints a table, and fails where a bar is missed: a share of the time that
/// imagined ghosts are beside the target, as many as its ring can hold. Along walls, where bodies stand
/// in one another's way however much they know, no more is asked than an imagined pack achieves.
fn check(pursuers: Pursuers, bar: f64) {
    let mut missed = Vec::new();
    let setting = Setting::default();
    for course in sample(Course::all(), 3) {
        let shares = pursue(
            course,
            pursuers,
            &setting,
            SECONDS,
            seeds(),
            nav_tests::update,
        );
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
    assert_none(&missed);
}

fn assert_none(missed: &[String]) {
    let count = missed.len();
    assert!(count == 0, "{count} below the bar: {}", missed.join("; "));
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

/// Every way in which bodies may find theirs, and ground on which plain fields do not serve.
fn settings() -> [(&'static str, Setting); 8] {
    let by = |method| Chaser {
        method,
        ..Chaser::default()
    };
    let under = |metric| {
        let mut chaser = Chaser::default();
        chaser.rules.metric = metric;
        chaser
    };
    let mut avoiding = Chaser::default();
    avoiding.rules.bodies = BodyPolicy::AvoidAll;
    let of = |chaser| Setting {
        chaser,
        ..Setting::default()
    };
    let on = |layer| Setting {
        layer,
        ..Setting::default()
    };
    [
        ("octile steps", of(under(Metric::Octile))),
        ("steps of 10 and 14", of(under(Metric::Grid))),
        ("by A*", of(by(Method::AStar))),
        ("by jump points", of(by(Method::Jps))),
        ("by Dijkstra's search", of(by(Method::Dijkstra))),
        ("around bodies", of(avoiding)),
        ("among costs", on(Layer::Costs)),
        ("among links", on(Layer::Links)),
    ]
}

/// Whichever way bodies find theirs, those behind do not stop because those in front do: with each kind of
/// flight they are beside their target for at least so much of the time that imagined ones are, or those with
/// the default tuning on plain ground where these do not come so near.
fn check_settings(pursuers: Pursuers, bar: f64) {
    let measure = |course, setting: &Setting| {
        let (seconds, seeds) = (SECONDS_OF_SETTING, seeds_of_setting());
        pursue(course, pursuers, setting, seconds, seeds, nav_tests::update)
    };
    let courses = || sample(Course::all(), 4);
    let plain: Vec<Shares> = courses()
        .map(|course| measure(course, &Setting::default()))
        .collect();
    let mut missed = Vec::new();
    for (name, setting) in sample(settings(), 3) {
        println!("{name}");
        let mut all = Shares::default();
        for (course, plain) in courses().zip(&plain) {
            let shares = measure(course, &setting);
            println!("{}", PursuitRow::new(course, pursuers, &shares));
            let by_default = shares.beside as f64 / plain.beside.max(1) as f64;
            let share = by_default.max(of_known(course, pursuers, &shares));
            if share < bar {
                missed.push(format!("{name}, {}: {:.1} %", course.name(), 100.0 * share));
            }
            all.add(shares);
        }
        if all.searches_a_second() > SEARCHES_MAX || all.back() > BACK_MAX {
            let (searches, back) = (all.searches_a_second(), 100.0 * all.back());
            missed.push(format!(
                "{name}: {searches:.2} searches/s, {back:.1} % straight back"
            ));
        }
    }
    assert_none(&missed);
}

#[test]
fn two_solid_chasers_follow_alike_however_they_find_their_way() {
    check_settings(Pursuers::solid(2), 0.85);
}

#[test]
fn thirty_solid_chasers_follow_alike_however_they_find_their_way() {
    check_settings(Pursuers::solid(30), 0.85);
}

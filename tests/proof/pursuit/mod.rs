//! Pursuit of moving targets: the time that chasers are beside them, compared with imagined chasers
//! that always know where the target is.

use nav::Chaser;
use nav_drawn::single_file::{FileShares, Passage, follow};
use nav_grid::{Method, Metric, rules::BodyPolicy};
use nav_lab::pursuit::{Course, FlightKind, Layer, Pursuers, PursuitRow, Setting, Shares, pursue};
use nav_tests::{by_tier, sample};

/// The pursuits of each kind. In each the target steps at another moment of the chasers' period.
fn seeds() -> std::ops::Range<u64> {
    0..by_tier(2, 5)
}

/// The pursuits of each kind where settings are compared.
fn seeds_of_setting() -> std::ops::Range<u64> {
    0..by_tier(1, 4)
}

/// Seconds of each pursuit that count.
const SECONDS: u32 = 40;
const SECONDS_OF_SETTING: u32 = 30;

/// The most searches a second of one chaser.
const SEARCHES_MAX: f64 = 2.0;
/// The largest share of steps that may lead straight back.
const BACK_MAX: f64 = 0.03;
/// The same around a smoothly fleeing target, as a multiple of the share of an imagined pack, if
/// that is more. Surrounded, such a target trembles between two cells, and bodies that always know
/// where it is turn back with it.
const BACK_OF_PACK: f64 = 1.25;

/// The least share of the time of a single file through doors and links. Measured: 0.625 to 0.637.
const FILE_MIN: f64 = 0.6;

/// Runs all kinds of flight, prints a table, and fails where a bar is missed. The bar is a share of
/// the time that imagined ghosts are beside the target, as many as its ring can hold. Along walls
/// bodies stand in one another's way however much they know; there the bar is the result of an
/// imagined pack.
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
        let back_max = match course.flight {
            FlightKind::FleeSmoothly => BACK_MAX.max(BACK_OF_PACK * shares.pack_back()),
            _ => BACK_MAX,
        };
        if row.straight_back > back_max {
            let [back, back_max] = [row.straight_back, back_max].map(|share| 100.0 * share);
            missed.push(format!(
                "{name}: {back:.1} % straight back, bar {back_max:.1}"
            ));
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
fn one_ghost() {
    check(Pursuers::ghosts(1), 0.92);
}

#[test]
fn pack_of_ghosts() {
    check(Pursuers::ghosts(30), 0.92);
}

#[test]
fn one_solid_chaser() {
    check(Pursuers::solid(1), 0.85);
}

#[test]
fn two_solid_chasers() {
    check(Pursuers::solid(2), 0.85);
}

#[test]
fn thirty_solid_chasers() {
    check(Pursuers::solid(30), 0.85);
}

/// Checks that eight solid chasers are beside a target that walks from room to room for the share
/// `bar` of the time that a single file could be. See [`follow`] for what the bound assumes.
fn check_file(passage: Passage, bar: f64) {
    let mut shares = FileShares::default();
    for seed in 0..by_tier(3, 20) {
        shares.add(follow(passage, seed, 120));
    }
    let FileShares {
        beside,
        bound,
        abreast,
        all,
    } = shares;
    let share = |ticks: u64, all: u64| ticks as f64 / all as f64;
    let of_bound = share(beside, bound);
    println!(
        "{passage:?}: beside for {:.3} of the time, bound of a single file {:.3}, measured {of_bound:.3} of the bound; \
         abreast {:.3}",
        share(beside, all),
        share(bound, all),
        share(abreast, all),
    );
    assert!(of_bound >= bar, "{passage:?}: {of_bound:.3} of the bound");
}

#[test]
fn file_through_doors() {
    check_file(Passage::Door, FILE_MIN);
}

#[test]
fn file_through_links() {
    check_file(Passage::Link, FILE_MIN);
}

/// Returns the search methods, rules and kinds of ground on which plain fields do not serve.
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

/// Checks that rear chasers do not stop because front ones do, however bodies find their way. With
/// each kind of flight they must be beside their target for the share `bar` of the time of imagined
/// chasers. Where chasers with default tuning on plain ground achieve less than imagined ones, they
/// are the measure.
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
fn two_in_all_settings() {
    check_settings(Pursuers::solid(2), 0.85);
}

#[test]
fn thirty_in_all_settings() {
    check_settings(Pursuers::solid(30), 0.85);
}

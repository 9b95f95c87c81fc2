//! The budget of a tick: how long chasers wait for it, and that it is used while any chaser waits.

use bevy_ecs::prelude::*;
use nav::{Chaser, NavBudget, NavMap, PathCursor, Period};
use nav_grid::{Area, Cell, Footprint, Limits, Method, Metric, Rules};
use nav_tests::{STEP_TICKS, TestWorld, sample};
use std::collections::BTreeSet;

/// Closes a column except for its ends.
fn build_long_wall(world: &mut TestWorld) {
    let wall = Area::new(Cell::new(10, 2), Cell::new(10, 57));
    let map = world.map;
    let mut nav_map = world.get_mut::<NavMap>(map);
    nav_map
        .set_walkable(wall, false)
        .expect("a part of the map");
}

/// Spawns fifty chasers of fifty targets behind a long wall: no field is shared and no straight way
/// exists.
fn loners(method: Method, budget: u32) -> (TestWorld, Vec<Entity>) {
    let mut world = TestWorld::open(60, 60);
    world.world().insert_resource(NavBudget::Units(budget));
    build_long_wall(&mut world);
    let map = world.map;
    let mut nav_map = world.get_mut::<NavMap>(map);
    let rules = Rules::default();
    nav_map.build_jumps(rules);
    nav_map.build_mosaic(Footprint::ONE);
    nav_map.build_portals(rules);
    let road = (0..60).map(|x| Cell::new(x, 0));
    nav_map.insert_roads(rules, road).expect("roads on the map");
    let far = matches!(method, Method::Portal | Method::Mosaic | Method::Trunk);
    let limits = Limits {
        radius: if far { 100 } else { 28 },
        expansions: 1000,
        ..Limits::default()
    };
    let tuning = Chaser {
        method,
        limits,
        ..Chaser::default()
    };
    let chasers = (0..50)
        .map(|n| {
            let target = world.target((16, 5 + n));
            world.chaser_with(tuning, (4, 5 + n), target)
        })
        .collect();
    (world, chasers)
}

/// Spawns one of these chasers alone.
fn loner(method: Method, budget: u32) -> (TestWorld, Entity) {
    let (mut world, chasers) = loners(method, budget);
    let chaser = chasers[10];
    for other in chasers.into_iter().filter(|&other| other != chaser) {
        world.world().despawn(other);
    }
    (world, chaser)
}

const METHODS: [Method; 8] = [
    Method::Auto,
    Method::Sweep,
    Method::AStar,
    Method::Jps,
    Method::Portal,
    Method::Mosaic,
    Method::Trunk,
    Method::Line,
];

/// Returns the work of the most expensive of these searches, and of all of them.
fn work_of_each(method: Method) -> (u64, u64) {
    let (mut world, chasers) = loners(method, u32::MAX);
    let mut before = 0;
    let mut dearest = 0;
    let mut all = 0;
    world.tick(1);
    for (_, found) in &world.found {
        let work = u64::from(found.outcome.counters.work());
        (dearest, all) = (dearest.max(work), all + work);
    }
    before += world.found.len() + world.failed.len();
    assert_eq!(
        before,
        chasers.len(),
        "{method}: everybody is answered at once"
    );
    (dearest, all)
}

#[test]
fn wait_bounded_by_queue() {
    for method in METHODS {
        let (dearest, _) = work_of_each(method);
        for budget in sample([30, 100, 300, 1000, 2000, 5000, 20_000], 3) {
            let (mut world, chasers) = loners(method, budget);
            let bound = (chasers.len() as u64 * dearest).div_ceil(budget.into()) + STEP_TICKS;
            for _ in 0..bound {
                world.tick(1);
                let taken = world.diagnostics().last_tick.expanded;
                assert!(taken <= budget.into(), "{method}: {taken} of {budget}");
            }
            let waits = |chaser: &&Entity| world.searches(**chaser).is_empty();
            let waiting = chasers.iter().filter(waits).count();
            assert_eq!(
                waiting, 0,
                "{method}: after {bound} ticks of {budget}, {dearest} at most a search"
            );
        }
    }
}

/// Spawns chasers of one target each, and cuts their straight ways by a wall right after they set
/// out. Every other reason to search again comes much later.
fn cut_off(chasers: u16, budget: u32) -> TestWorld {
    let mut world = TestWorld::open(60, 60);
    let tuning = Chaser {
        repath_interval: Period::from_millis(20_000),
        ..Chaser::default()
    };
    for y in 5..5 + chasers {
        let target = world.target((18, y));
        world.chaser_with(tuning, (4, y), target);
    }
    world.tick(STEP_TICKS);
    world.found.clear();
    world.world().insert_resource(NavBudget::Units(budget));
    build_long_wall(&mut world);
    world
}

#[test]
fn path_broken_under_full_queue() {
    let (chasers, budget) = (50, 200);
    let mut world = cut_off(chasers, u32::MAX);
    world.tick(1);
    let works = world.found.iter();
    let works = works.map(|(_, found)| u64::from(found.outcome.counters.work()));
    let dearest = works.max().expect("they search around the wall");
    let bound = (u64::from(chasers) * dearest).div_ceil(budget.into()) + STEP_TICKS;
    assert!((STEP_TICKS * 2..100).contains(&bound), "{bound} ticks");
    let mut world = cut_off(chasers, budget);
    world.tick(bound);
    let answered: BTreeSet<Entity> = world.found.iter().map(|(_, found)| found.chaser).collect();
    assert_eq!(answered.len(), usize::from(chasers), "within {bound} ticks");
}

#[test]
fn used_while_chasers_wait() {
    for method in METHODS {
        let (_, all) = work_of_each(method);
        for budget in sample([30, 100, 300, 1000], 2) {
            if all < 4 * u64::from(budget) {
                continue;
            }
            let (mut world, chasers) = loners(method, budget);
            let (mut ticks, mut taken) = (0, 0);
            loop {
                world.tick(1);
                let served = |chaser: &&Entity| !world.searches(**chaser).is_empty();
                if chasers.iter().filter(served).count() == chasers.len() {
                    break;
                }
                ticks += 1;
                taken += world.diagnostics().last_tick.expanded;
            }
            let offered = ticks * u64::from(budget);
            assert!(
                taken * 10 >= offered * 9,
                "{method}: {taken} of {offered} in {ticks} ticks of {budget}"
            );
        }
    }
}

#[test]
fn same_answers_under_small_budget() {
    for method in [Method::Auto, Method::Sweep] {
        let (mut free, chasers) = loners(method, u32::MAX);
        free.tick(1);
        let (mut world, others) = loners(method, 40);
        world.tick(400);
        for (chaser, other) in chasers.iter().zip(&others) {
            let of = |world: &TestWorld, chaser| {
                let mut found = world.found.iter().map(|(_, found)| found);
                let found = found.find(|found| found.chaser == chaser);
                found.map(|found| (found.outcome.status, found.outcome.method))
            };
            assert_eq!(of(&free, *chaser), of(&world, *other), "{method}");
        }
        for &chaser in &others {
            let target = world.get::<nav::Chasing>(chaser).0;
            assert!(world.is_beside(chaser, target), "{}", world.cell(chaser));
        }
    }
}

#[test]
fn retuning_restarts_sliced_search() {
    let first_answer = |world: &mut TestWorld| {
        for _ in 0..200 {
            world.tick(1);
            if let Some((_, found)) = world.found.first() {
                return *found;
            }
        }
        panic!("no answer in 200 ticks");
    };
    let (mut world, chaser) = loner(Method::AStar, 20);
    world.tick(5);
    assert!(world.found.is_empty(), "the search takes more than a tick");
    world.get_mut::<Chaser>(chaser).method = Method::Sweep;
    let retuned = first_answer(&mut world);
    let (mut world, _) = loner(Method::Sweep, 20);
    let by_sweep = first_answer(&mut world);
    assert_eq!(retuned.outcome, by_sweep.outcome);

    // So does a chaser with changed rules: by the old ones it would cut corners.
    let (mut world, chaser) = loner(Method::AStar, 20);
    world.tick(5);
    world.get_mut::<Chaser>(chaser).rules.metric = Metric::FourWay;
    first_answer(&mut world);
    let cells: Vec<_> = world.get::<PathCursor>(chaser).path().iter().collect();
    let is_straight = |pair: &[Cell]| pair[0].manhattan(pair[1]) == 1;
    assert!(cells.len() > 10 && cells.windows(2).all(is_straight));
}

#[test]
fn slice_overrun_is_paid_back() {
    for method in METHODS {
        let (dearest, _) = work_of_each(method);
        for budget in [8, 20] {
            let (mut world, chasers) = loners(method, budget);
            let mut ticks = 0;
            while chasers
                .iter()
                .any(|&chaser| world.searches(chaser).is_empty())
            {
                world.tick(1);
                ticks += 1;
                assert!(ticks < 10_000, "{method}: somebody waits for ever");
            }
            let outcomes = world.found.iter().map(|(_, found)| found.outcome);
            let work: u64 = outcomes
                .map(|outcome| u64::from(outcome.counters.work()))
                .sum();
            // Only the overrun of the last slice is still owed.
            let offered = ticks * u64::from(budget);
            assert!(
                work <= offered + dearest,
                "{method}: {work} in {ticks} ticks of {budget}"
            );
        }
    }
}

#[test]
fn far_search_on_huge_map() {
    let mut world = TestWorld::open(2048, 2048);
    let budget = 5000;
    world.world().insert_resource(NavBudget::Units(budget));
    let map = world.map;
    let wall = Area::new(Cell::new(1000, 500), Cell::new(1000, 1500));
    let mut nav_map = world.get_mut::<NavMap>(map);
    nav_map
        .set_walkable(wall, false)
        .expect("a part of the map");
    let target = world.target((1990, 1000));
    let chaser = Chaser {
        limits: Limits::UNBOUNDED,
        ..Chaser::default()
    };
    let chaser = world.chaser_with(chaser, (10, 1000), target);
    let (mut most, mut all) = (0, 0);
    let ticks = world.tick_until(|world| {
        let taken = world.diagnostics().last_tick.expanded;
        (most, all) = (most.max(taken), all + taken);
        !world.cursor(chaser).path().is_empty()
    });
    assert!(most <= budget.into(), "{most}");
    // Copying the map is counted too: a unit of work for about 64 cells.
    let least = 2048 * 2048 / 64 / u64::from(budget) / 2;
    assert!(ticks >= least, "{ticks} ticks for {all}");
    assert_eq!(
        world.cursor(chaser).path().end(),
        Some(Cell::new(1990, 1000))
    );
}

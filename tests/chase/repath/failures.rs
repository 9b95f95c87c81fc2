//! Failed searches, and when they are repeated.

use super::scene::{SEALED, gaps, waits, walk_about};
use bevy_ecs::prelude::*;
use nav::{ChaseState, Chaser, PathFailure};
use nav_grid::{Cell, Method, Status, query::Stopped};
use nav_tests::{REPATH_TICKS, TICK_RATE, TestWorld};

#[test]
fn failures_back_off() {
    let mut world = TestWorld::new(&SEALED);
    let target = world.target((10, 1));
    let chaser = world.chaser_with(Chaser::classic(), (1, 1), target);
    walk_about(&mut world, target, 400);
    let seconds: Vec<f64> = gaps(&world.searches(chaser))
        .into_iter()
        .map(|ticks| ticks as f64 / 20.0)
        .collect();
    assert!((6..=7).contains(&seconds.len()), "{seconds:?}");
    for (wait, least) in seconds.iter().zip([0.5, 1.0, 2.0, 4.0, 4.0, 4.0, 4.0]) {
        // Longer by up to a quarter of that, in multiples of the half second between two looks.
        let longer = wait - least;
        assert!((0.0..=least / 4.0).contains(&longer), "{seconds:?}");
        assert!((longer * 2.0).fract().abs() < 1e-9, "{seconds:?}");
    }
    let status = |failure: &PathFailure| failure.status();
    let all = world.failures(chaser);
    assert!(all.iter().all(|f| status(f) == Some(Status::Unreachable)));
    assert_eq!(world.cell(chaser), Cell::new(1, 1));
}

#[test]
fn repeated_once_a_minute() {
    let mut world = TestWorld::new(&SEALED);
    let target = world.target((10, 1));
    let chaser = world.chaser_with(Chaser::classic(), (1, 1), target);
    // The target moves within its cell, which counts as no change.
    let (mut ticks, mut before) = (Vec::new(), 0);
    for tick in 1..=150 * TICK_RATE {
        let second = (tick - 1) / TICK_RATE;
        world.put_at(target, 9.8 + (second % 5) as f64 / 10.0, 1.0);
        world.tick(1);
        let searches = world.diagnostics().total.searches();
        if searches > before {
            ticks.push(tick);
        }
        before = searches;
    }
    let minute = 60 * TICK_RATE;
    // The back-off grows besides: 10 ticks, and 20.
    assert_eq!(ticks, [1, 11 + minute, 31 + 2 * minute]);
    assert_eq!(world.diagnostics().total.searches(), 3);
    assert_eq!(world.failures(chaser).len(), 1, "nothing new");
}

/// A target that moves and another tuning end the wait. A standing chaser decides at its idle
/// period.
#[test]
fn changes_end_the_wait() {
    type Change = fn(&mut TestWorld, Entity, Entity);
    let moved: Change = |world, _, target| world.put(target, (12, 1));
    let tuned: Change = |world, chaser, _| world.get_mut::<Chaser>(chaser).limits.radius = 15;
    for (change, at, searched_at) in [
        (moved, 3, 11),
        (moved, 10, 11),
        (moved, 11, 21),
        (moved, 200, 201),
        (moved, 207, 211),
        (tuned, 3, 11),
        (tuned, 10, 11),
        (tuned, 11, 21),
        (tuned, 200, 201),
    ] {
        let mut world = TestWorld::new(&SEALED);
        let target = world.target((10, 1));
        let chaser = world.chaser_with(Chaser::classic(), (1, 1), target);
        world.tick(at);
        change(&mut world, chaser, target);
        world.seconds(30);
        assert_eq!(world.searches(chaser), [1, searched_at], "changed at {at}");
    }
}

#[test]
fn moved_chaser_searches_again() {
    let mut world = TestWorld::new(&SEALED);
    let target = world.target((10, 1));
    let chaser = world.chaser_with(Chaser::classic(), (1, 1), target);
    world.seconds(5);
    assert_eq!(world.searches(chaser), [1]);
    world.put(chaser, (2, 2));
    world.seconds(5);
    assert_eq!(world.searches(chaser), [1, 101]);
    world.put(chaser, (6, 4));
    world.seconds(5);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn out_of_reach() {
    let mut world = TestWorld::new(&SEALED);
    let target = world.target((10, 1));
    let chaser = world.chaser((0, 1), target);
    world.seconds(3);
    assert_eq!(world.cell(chaser).x, 2, "at the wall");
    let (_, first) = world.found[0];
    let status = Status::Partial(Stopped::Unreachable);
    assert_eq!(first.outcome.status, status);
    assert_eq!(world.cursor(chaser).state(), ChaseState::Waiting);
    assert!(world.arrivals(chaser).is_empty());
}

#[test]
fn too_far_is_reported_once() {
    let mut world = TestWorld::open(60, 3);
    let target = world.target((50, 1));
    let chaser = world.chaser_with(waits(), (2, 1), target);
    for x in (40..56).rev() {
        world.put(target, (x, 1));
        world.tick(7);
    }
    world.seconds(3);
    assert_eq!(world.searches(chaser), [1]);
    assert_eq!(world.failures(chaser).len(), 1);
    assert_eq!(world.diagnostics().total.too_far, 1);
    assert_eq!(world.diagnostics().total.expanded, 0);
    // There is no back-off: however long it waited, it sees within an interval that the target is
    // in its window.
    world.put(target, (22, 1));
    let waited = world.tick_until(|world| !world.cursor(chaser).path().is_empty());
    assert!(waited <= REPATH_TICKS, "{waited} ticks");
}

/// A chaser that stands in a wall leaves it, and says then that its target is too far away.
#[test]
fn too_far_out_of_a_wall() {
    for chaser in [waits(), Chaser::classic()] {
        let mut world = TestWorld::new(&["..#".to_owned() + &".".repeat(60)]);
        let target = world.target((55, 0));
        let chaser = world.chaser_with(chaser, (2, 0), target);
        world.seconds(3);
        assert_ne!(world.cell(chaser).x, 2);
        let failures = world.failures(chaser);
        let statuses = failures.iter().map(|failure| match failure {
            PathFailure::Search(outcome) => Some(outcome.status),
            _ => None,
        });
        assert_eq!(statuses.collect::<Vec<_>>(), [Some(Status::TooFar)]);
    }
}

#[test]
fn failing_pack_spreads_out() {
    let count = 200;
    let run = || {
        let mut world = TestWorld::new(&SEALED);
        let target = world.target((10, 1));
        let alone = Chaser {
            method: Method::AStar,
            ..Chaser::classic()
        };
        let cell = |n: u16| (n % 3, n / 3 % 3);
        let chasers: Vec<Entity> = (0..count)
            .map(|n| world.chaser_with(alone, cell(n), target))
            .collect();
        walk_about(&mut world, target, 1200);
        let searches: Vec<Vec<u64>> = chasers.iter().map(|&c| world.searches(c)).collect();
        (searches, world.digest())
    };
    let (searches, digest) = run();
    let most_between = |from: u64, to: u64| {
        let mut counts = vec![0_u32; 1201];
        for &tick in searches.iter().flatten() {
            counts[tick as usize] += 1;
        }
        counts[from as usize..to as usize].iter().max().copied()
    };
    // All begin together. Half of them come back together after the third failure, and fewer from
    // time to time.
    assert_eq!(most_between(0, 60), Some(u32::from(count)));
    let (soon, later) = (most_between(71, 400), most_between(800, 1200));
    assert!(soon <= Some(120) && later <= Some(50), "{soon:?} {later:?}");
    // Each still searches at most every four seconds.
    let most = searches.iter().map(Vec::len).max();
    assert!(most <= Some(4 + 60 / 4), "{most:?}");
    assert_eq!(run(), (searches, digest));
}

#[test]
fn counters_and_messages_agree() {
    let mut world = TestWorld::new(&SEALED);
    let outside = world.target((10, 1));
    let inside = world.target((0, 0));
    let chasers: Vec<Entity> = [((0, 2), outside), ((2, 2), inside), ((15, 4), outside)]
        .into_iter()
        .map(|(at, target)| world.chaser(at, target))
        .collect();
    world.seconds(10);
    let total = world.diagnostics().total;
    let searches: usize = chasers.iter().map(|&c| world.searches(c).len()).sum();
    assert_eq!(total.searches(), searches as u64);
    assert_eq!(total.found + total.partial, world.found.len() as u64);
    assert_eq!(total.reached, world.reached.len() as u64);
    let expanded = world.found.iter().map(|(_, m)| m.outcome.counters.expanded);
    assert!(total.expanded >= expanded.map(u64::from).sum());
}

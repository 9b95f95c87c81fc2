//! When a chaser searches, and when it does not.

use bevy_ecs::prelude::*;
use nav::{ChaseState, Chaser, MoveTimer, PathCursor, PathFailure, Period};
use nav_grid::{
    Cell, Method, Status,
    query::{Fallback, Stopped},
};
use nav_tests::{REPATH_TICKS, STEP_TICKS, TICK_RATE, TestWorld};

/// A room without doors in the corner of a field.
const SEALED: [&str; 5] = [
    "...#............",
    "...#............",
    "...#............",
    "####............",
    "................",
];

/// Waits for what is beyond its window.
fn waits() -> Chaser {
    Chaser {
        fallback: Fallback::None,
        ..Chaser::default()
    }
}

fn gaps(ticks: &[u64]) -> Vec<u64> {
    ticks.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[test]
fn a_standing_target_takes_one_search() {
    let mut world = TestWorld::open(40, 5);
    let target = world.target((20, 2));
    let chaser = world.chaser((2, 2), target);
    world.seconds(20);
    assert!(world.is_beside(chaser, target));
    assert_eq!(world.searches(chaser), [1]);
    assert_eq!(world.diagnostics().total.searches(), 1);
}

#[test]
fn a_running_target_takes_one_search_an_interval() {
    let mut world = TestWorld::open(120, 5);
    let target = world.target((12, 2));
    let chaser = world.chaser((2, 2), target);
    for x in 13..93 {
        world.put(target, (x, 2));
        world.tick(STEP_TICKS);
    }
    let searches = world.searches(chaser);
    assert_eq!(gaps(&searches), vec![REPATH_TICKS; searches.len() - 1]);
    assert_eq!(searches.len() as u64, 80 * STEP_TICKS / REPATH_TICKS);
    // It kept up all the same.
    assert_eq!(world.cell(chaser).chebyshev(world.cell(target)), 10);
}

#[test]
fn many_that_search_at_once_take_turns_from_then_on() {
    let mut world = TestWorld::open(250, 250);
    let alone = Chaser {
        method: Method::AStar,
        ..Chaser::default()
    };
    let count = 400;
    let targets: Vec<Entity> = (0..count)
        .map(|n| {
            let (x, y) = (20 + n % 20 * 8, 15 + n / 20 * 11);
            let target = world.target((x, y));
            let chaser = world.chaser_with(alone, (x - 18, y), target);
            world.get_mut::<MoveTimer>(chaser).chasing = Period::from_millis(100);
            target
        })
        .collect();
    world.tick(1);
    assert_eq!(world.diagnostics().last_tick.found, u64::from(count));
    let mut most = 0;
    for tick in 0..100 {
        for &target in targets.iter().filter(|_| tick % 2 == 0) {
            let cell = world.cell(target);
            world.put(target, (cell.x + 1, cell.y));
        }
        world.tick(1);
        most = most.max(world.diagnostics().last_tick.found);
    }
    // All of them every tenth tick, were it not for turns.
    assert!(most <= u64::from(count) / 3, "{most}");
    let total = world.diagnostics().total.found;
    assert!(total >= u64::from(count) * 7, "{total}");
}

#[test]
fn the_interval_is_the_chasers_own() {
    let mut world = TestWorld::open(120, 5);
    let target = world.target((12, 2));
    let lazy = Chaser {
        repath_interval: Period::from_millis(2000),
        ..Chaser::default()
    };
    let chaser = world.chaser_with(lazy, (2, 2), target);
    for x in 13..53 {
        world.put(target, (x, 2));
        world.tick(STEP_TICKS);
    }
    let searches = gaps(&world.searches(chaser));
    assert!(searches.iter().all(|&gap| gap >= 40), "{searches:?}");
}

#[test]
fn a_fidgeting_target_takes_no_further_search() {
    let mut world = TestWorld::open(40, 5);
    let target = world.target((20, 2));
    let chaser = world.chaser((2, 2), target);
    // Over the border between two cells and back, less than half a cell apart.
    for tick in 0..60 {
        world.put_at(target, if tick % 2 == 0 { 20.3 } else { 20.7 }, 2.0);
        world.tick(1);
    }
    let cells = [Cell::new(20, 2), Cell::new(21, 2)];
    assert!(cells.contains(&world.cell(target)));
    assert_eq!(world.searches(chaser), [1]);
}

#[test]
fn a_creeping_target_is_followed_once_it_is_half_a_cell_away() {
    let mut world = TestWorld::open(40, 5);
    let target = world.target((20, 2));
    world.put_at(target, 20.4, 2.0);
    let chaser = world.chaser((2, 2), target);
    world.tick(20);
    // Another cell, but 0.4 cells away from where the search saw it.
    world.put_at(target, 20.8, 2.0);
    world.tick(20);
    assert_eq!(world.cursor(chaser).path().end(), Some(Cell::new(20, 2)));
    world.put_at(target, 21.0, 2.0);
    world.tick(20);
    assert_eq!(world.cursor(chaser).path().end(), Some(Cell::new(21, 2)));
    assert_eq!(world.searches(chaser), [1], "one step on takes no search");
}

#[test]
fn a_path_that_is_led_on_and_on_is_no_detour() {
    let mut world = TestWorld::open(60, 40);
    let target = world.target((20, 20));
    let chaser = world.chaser((2, 20), target);
    world.seconds(1);
    // Up and back toward the chaser: a path that only grew would go there and back.
    for y in (4..20).rev() {
        world.put(target, (18, y));
        world.tick(4);
    }
    let way = world.cursor(chaser).path().len();
    let straight = usize::from(world.cell(chaser).chebyshev(Cell::new(18, 4)));
    assert!(way <= straight + 4, "{way} steps, {straight} would do");
    assert!(world.searches(chaser).len() > 1);
}

#[test]
fn a_target_that_came_back_takes_no_search() {
    let mut world = TestWorld::open(40, 5);
    let target = world.target((20, 2));
    let chaser = world.chaser((2, 2), target);
    world.tick(2);
    world.put(target, (20, 4));
    // Not due yet, and then not needed any more.
    world.tick(5);
    world.put(target, (20, 2));
    world.seconds(2);
    assert_eq!(world.searches(chaser), [1]);
}

#[test]
fn a_path_that_ran_out_is_replaced_at_once() {
    let mut world = TestWorld::open(40, 5);
    let target = world.target((6, 2));
    let chaser = world.chaser((2, 2), target);
    world.get_mut::<MoveTimer>(chaser).chasing = Period::from_millis(50);
    world.tick(1);
    world.put(target, (15, 2));
    world.tick(3);
    // Where the target was: half an interval is left, and the way is used up.
    assert_eq!(world.cell(chaser), Cell::new(6, 2));
    world.tick(1);
    assert_eq!(world.searches(chaser), [1, 5]);
    assert_eq!(world.cell(chaser), Cell::new(7, 2));
}

/// Moves a target to another cell at each of some ticks, and to none where it is before long again.
fn walk_about(world: &mut TestWorld, target: Entity, ticks: u16) {
    for tick in 0..ticks {
        world.put(target, (8 + tick % 7, 1));
        world.tick(1);
    }
}

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
        // Longer by up to a quarter of that, in looks of half a second.
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
fn a_search_that_gave_nothing_is_repeated_once_a_minute_if_nothing_changes() {
    let mut world = TestWorld::new(&SEALED);
    let target = world.target((10, 1));
    let chaser = world.chaser_with(Chaser::classic(), (1, 1), target);
    // Within its cell it may do what it likes.
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
    // Besides, the back-off goes on: 10 ticks, and 20.
    assert_eq!(ticks, [1, 11 + minute, 31 + 2 * minute]);
    assert_eq!(world.diagnostics().total.searches(), 3);
    assert_eq!(world.failures(chaser).len(), 1, "nothing new");
}

#[test]
fn a_target_that_moves_to_another_cell_is_searched_for_when_the_wait_is_over() {
    for (moved_at, searched_at) in [(3, 11), (10, 11), (11, 21), (200, 201), (207, 211)] {
        let mut world = TestWorld::new(&SEALED);
        let target = world.target((10, 1));
        let chaser = world.chaser_with(Chaser::classic(), (1, 1), target);
        world.tick(moved_at);
        world.put(target, (12, 1));
        world.seconds(30);
        // It stands, and looks up at its idle period.
        assert_eq!(
            world.searches(chaser),
            [1, searched_at],
            "moved at {moved_at}"
        );
    }
}

#[test]
fn who_is_carried_to_another_cell_searches_from_there() {
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
fn another_tuning_is_tried_at_once() {
    let mut world = TestWorld::open(60, 3);
    let target = world.target((50, 1));
    let chaser = world.chaser_with(waits(), (2, 1), target);
    world.seconds(5);
    assert_eq!(world.searches(chaser), [1]);
    world.get_mut::<Chaser>(chaser).limits.radius = 60;
    world.tick(STEP_TICKS * 2);
    assert_eq!(world.searches(chaser).len(), 2);
}

#[test]
fn success_ends_the_wait_for_a_change() {
    let mut world = TestWorld::open(60, 3);
    let target = world.target((50, 1));
    let chaser = world.chaser_with(waits(), (2, 1), target);
    world.seconds(5);
    world.put(target, (20, 1));
    world.seconds(1);
    assert_eq!(world.get::<nav::NavTimer>(chaser).failures(), 0);
    // Beyond its window again: that is another state, and said again.
    world.put(target, (55, 1));
    world.seconds(30);
    assert_eq!(world.failures(chaser).len(), 2);
}

#[test]
fn success_ends_the_back_off() {
    let mut world = TestWorld::new(&SEALED);
    let target = world.target((10, 1));
    let chaser = world.chaser_with(Chaser::classic(), (0, 0), target);
    walk_about(&mut world, target, 160);
    assert_eq!(world.get::<nav::NavTimer>(chaser).failures(), 5);
    world.put(target, (2, 2));
    world.seconds(5);
    assert!(world.is_beside(chaser, target));
    assert_eq!(world.get::<nav::NavTimer>(chaser).failures(), 0);
}

#[test]
fn out_of_reach_it_comes_as_near_as_it_can() {
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
fn too_far_is_reported_once_and_looked_at_every_interval() {
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
    // No back-off: however long it waited, it sees within an interval who comes into its window.
    world.put(target, (22, 1));
    let waited = world.tick_until(|world| !world.cursor(chaser).path().is_empty());
    assert!(waited <= REPATH_TICKS, "{waited} ticks");
}

#[test]
fn another_target_is_searched_for_at_once() {
    let mut world = TestWorld::open(40, 40);
    let one = world.target((30, 20));
    let other = world.target((20, 30));
    let chaser = world.chaser((20, 20), one);
    world.tick(3);
    world.chase(chaser, other);
    world.tick(1);
    assert_eq!(world.searches(chaser), [1, 4]);
    assert_eq!(world.cursor(chaser).path().end(), Some(Cell::new(20, 30)));
    world.seconds(5);
    assert!(world.is_beside(chaser, other));
}

#[test]
fn another_target_ends_the_back_off() {
    let mut world = TestWorld::new(&SEALED);
    let outside = world.target((10, 1));
    let inside = world.target((0, 2));
    let chaser = world.chaser((0, 0), outside);
    world.seconds(9);
    world.chase(chaser, inside);
    world.tick(1);
    assert_eq!(world.searches(chaser).last(), Some(&181));
    world.seconds(2);
    assert!(world.is_beside(chaser, inside));
}

#[test]
fn nobody_searches_for_a_target_in_reach() {
    let mut world = TestWorld::open(40, 5);
    let one = world.target((10, 2));
    let other = world.target((12, 2));
    let chaser = world.chaser((11, 2), one);
    world.seconds(2);
    world.chase(chaser, other);
    world.seconds(2);
    assert!(world.searches(chaser).is_empty());
    assert_eq!(world.arrivals(chaser), [1, 41]);
}

/// The classic bug: a stun drops the path but not the place it was computed for, the target
/// has not moved since, and so nothing asks for a new path ever again.
#[test]
fn after_a_stun_it_goes_on() {
    let mut world = TestWorld::open(40, 5);
    let target = world.target((18, 2));
    let chaser = world.chaser((2, 2), target);
    world.seconds(1);
    world.get_mut::<PathCursor>(chaser).interrupt();
    assert_eq!(world.cursor(chaser).searched_for(), None);
    world.tick(1);
    assert_eq!(world.searches(chaser), [1, 21]);
    world.seconds(5);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn stunned_for_a_while_it_stands_and_then_goes_on() {
    let mut world = TestWorld::open(40, 5);
    let target = world.target((18, 2));
    let chaser = world.chaser((2, 2), target);
    world.seconds(1);
    let stunned_at = world.cell(chaser);
    for _ in 0..40 {
        world.get_mut::<PathCursor>(chaser).interrupt();
        let next = world.clock().now().after(Period::from_millis(100));
        world.get_mut::<MoveTimer>(chaser).next_step = next;
        world.tick(1);
    }
    assert_eq!(world.cell(chaser), stunned_at);
    world.seconds(5);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn interrupted_at_its_target_it_follows_all_the_same() {
    let mut world = TestWorld::open(40, 5);
    let target = world.target((10, 2));
    let chaser = world.chaser((2, 2), target);
    world.seconds(4);
    world.get_mut::<PathCursor>(chaser).interrupt();
    world.put(target, (20, 2));
    world.seconds(4);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn tuning_counts_from_the_next_decision_on() {
    let mut world = TestWorld::open(60, 3);
    let target = world.target((50, 1));
    let chaser = world.chaser((2, 1), target);
    world.seconds(1);
    world.get_mut::<Chaser>(chaser).limits.radius = 60;
    world.seconds(15);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn many_failing_chasers_share_no_timer() {
    let mut world = TestWorld::new(&SEALED);
    let target = world.target((10, 1));
    let classic = Chaser::classic();
    let early = world.chaser_with(classic, (0, 0), target);
    world.tick(7);
    let late = world.chaser_with(classic, (1, 1), target);
    walk_about(&mut world, target, 100);
    let from = |searches: Vec<u64>| gaps(&searches);
    for searches in [world.searches(early), world.searches(late)] {
        let waits = from(searches);
        assert!(waits == [10, 20, 40] || waits == [10, 20, 50], "{waits:?}");
    }
    assert_eq!(world.searches(late)[0], 8);
}

#[test]
fn a_pack_that_fails_in_one_tick_does_not_search_in_one_tick_for_ever() {
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
    // All begin together, half of them come back together after the third failure, and fewer from time to
    // time.
    assert_eq!(most_between(0, 60), Some(u32::from(count)));
    let (soon, later) = (most_between(71, 400), most_between(800, 1200));
    assert!(soon <= Some(120) && later <= Some(50), "{soon:?} {later:?}");
    // At most a search every four seconds all the same.
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

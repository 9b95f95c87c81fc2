//! Searches for moving and standing targets.

use super::scene::gaps;
use bevy_ecs::prelude::*;
use nav::{Chaser, MoveTimer, NavBudget, Period};
use nav_grid::{Cell, Limits, Method};
use nav_tests::{REPATH_TICKS, STEP_TICKS, TestWorld};

#[test]
fn standing_target_one_search() {
    let mut world = TestWorld::open(40, 5);
    let target = world.target((20, 2));
    let chaser = world.chaser((2, 2), target);
    world.seconds(20);
    assert!(world.is_beside(chaser, target));
    assert_eq!(world.searches(chaser), [1]);
    assert_eq!(world.diagnostics().total.searches(), 1);
}

#[test]
fn running_target_searches_per_interval() {
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
    // It kept up with the target.
    assert_eq!(world.cell(chaser).chebyshev(world.cell(target)), 10);
}

/// Runs a crowd of searching chasers for ten intervals, each with a target of its own, some rows
/// `apart`. Checks that they take turns, and returns the number of searches.
fn searches_in_turns(count: u16, apart: u16) -> u64 {
    let mut world = TestWorld::open(250, 250);
    world.world().insert_resource(NavBudget::Units(u32::MAX));
    let alone = Chaser {
        method: Method::AStar,
        ..Chaser::default()
    };
    let targets: Vec<Entity> = (0..count)
        .map(|n| {
            let (x, y) = (20 + n % 20 * 8, 15 + n / 20 * apart);
            let target = world.target((x, y));
            let chaser = world.chaser_with(alone, (x - 18, y), target);
            world.get_mut::<MoveTimer>(chaser).chasing = Period::from_millis(100);
            target
        })
        .collect();
    world.tick(1);
    assert_eq!(world.diagnostics().last_tick.found, u64::from(count));
    let mut most = 0;
    for tick in 0..10 * REPATH_TICKS {
        for &target in targets.iter().filter(|_| tick % 2 == 0) {
            let cell = world.cell(target);
            world.put(target, (cell.x + 1, cell.y));
        }
        world.tick(1);
        most = most.max(world.diagnostics().last_tick.found);
    }
    // Without turns all would search every tenth tick.
    assert!(most <= u64::from(count) / 3, "{most}");
    world.diagnostics().total.found
}

#[test]
fn pack_takes_turns() {
    let total = searches_in_turns(400, 11);
    assert!(total >= 400 * 7, "{total}");
}

#[test]
fn turns_are_kept_in_a_crowd() {
    let total = searches_in_turns(3200, 1);
    // One search at first, and from within the second interval on one in each.
    assert!(total >= 3200 * 9, "{total}");
}

#[test]
fn own_interval() {
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

/// A target that goes on by three cells a second, 105 cells away: how often it is searched for
/// depends on the share of the way.
#[test]
fn share_of_a_far_way() {
    let searches = |repath_share| {
        let mut world = TestWorld::open(140, 30);
        let target = world.target((120, 10));
        let chaser = Chaser {
            repath_share,
            limits: Limits::window(130),
            ..Chaser::default()
        };
        world.chaser_with(chaser, (15, 10), target);
        for second in 0..10 {
            world.put(target, (120, 3 * second));
            world.seconds(1);
        }
        world.diagnostics().total.searches()
    };
    // Each move counts; every other; one in five; none.
    assert_eq!([0, 16, 8, 1].map(searches), [10, 5, 3, 1]);
}

#[test]
fn fidgeting_target() {
    let mut world = TestWorld::open(40, 5);
    let target = world.target((20, 2));
    let chaser = world.chaser((2, 2), target);
    // The target crosses the border between two cells and returns, less than half a cell each time.
    for tick in 0..60 {
        world.put_at(target, if tick % 2 == 0 { 20.3 } else { 20.7 }, 2.0);
        world.tick(1);
    }
    let cells = [Cell::new(20, 2), Cell::new(21, 2)];
    assert!(cells.contains(&world.cell(target)));
    assert_eq!(world.searches(chaser), [1]);
}

#[test]
fn creeping_target() {
    let mut world = TestWorld::open(40, 5);
    let target = world.target((20, 2));
    world.put_at(target, 20.4, 2.0);
    let chaser = world.chaser((2, 2), target);
    world.tick(20);
    // The target is in another cell, but 0.4 cells away from where the search saw it.
    world.put_at(target, 20.8, 2.0);
    world.tick(20);
    assert_eq!(world.cursor(chaser).path().end(), Some(Cell::new(20, 2)));
    world.put_at(target, 21.0, 2.0);
    world.tick(20);
    assert_eq!(world.cursor(chaser).path().end(), Some(Cell::new(21, 2)));
    assert_eq!(world.searches(chaser), [1], "one step on takes no search");
}

#[test]
fn extended_path_stays_short() {
    let mut world = TestWorld::open(60, 40);
    let target = world.target((20, 20));
    let chaser = world.chaser((2, 20), target);
    world.seconds(1);
    // The target goes up and back toward the chaser: a path that only grew would follow all of
    // that.
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
fn target_came_back() {
    let mut world = TestWorld::open(40, 5);
    let target = world.target((20, 2));
    let chaser = world.chaser((2, 2), target);
    world.tick(2);
    world.put(target, (20, 4));
    // A search is not due yet, and is not needed later.
    world.tick(5);
    world.put(target, (20, 2));
    world.seconds(2);
    assert_eq!(world.searches(chaser), [1]);
}

#[test]
fn no_search_within_reach() {
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

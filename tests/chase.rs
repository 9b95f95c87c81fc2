//! How a chase looks from outside: who goes where, and when.

use bevy_app::Update;
use bevy_ecs::prelude::*;
use bevy_time::{Time, TimeUpdateStrategy, Virtual};
use nav::{ChaseState, Chaser, Chasing, MoveTimer, NavPlugin, Period, WorldPosition};
use nav_grid::{Cell, Grid, Metric, Rules, query::Fallback};
use nav_tests::{STEP_TICKS, TICK_RATE, TestWorld};
use std::time::Duration;

/// The ticks of the next steps of a chaser.
fn step_ticks(world: &mut TestWorld, chaser: Entity, steps: usize) -> Vec<u64> {
    let mut ticks = Vec::new();
    while ticks.len() < steps {
        let before = world.cell(chaser);
        world.tick_until(|world| world.cell(chaser) != before);
        ticks.push(world.ticks());
    }
    ticks
}

fn gaps(ticks: &[u64]) -> Vec<u64> {
    ticks.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[test]
fn reaches_a_standing_target() {
    let mut world = TestWorld::open(20, 20);
    let target = world.target((15, 12));
    let chaser = world.chaser((3, 4), target);
    world.seconds(10);
    assert!(world.is_beside(chaser, target));
    assert_eq!(world.cursor(chaser).state(), ChaseState::Reached);
    assert_eq!(world.arrivals(chaser).len(), 1);
    assert_eq!(world.diagnostics().total.steps, 11);
}

#[test]
fn from_every_cell_around_a_wall() {
    let mut world = TestWorld::new(&[".......", ".#####.", ".#...#.", ".#.#.#.", "...#..."]);
    let target = world.target((3, 2));
    let starts: Vec<Cell> = world
        .get::<nav::NavMap>(world.map)
        .grid()
        .walkable_cells()
        .collect();
    let chasers: Vec<Entity> = starts
        .iter()
        .map(|&start| world.chaser(start, target))
        .collect();
    world.seconds(10);
    for (start, chaser) in starts.into_iter().zip(chasers) {
        // Who began on the target's cell made room.
        assert_ne!(world.cell(chaser), world.cell(target), "from {start}");
        assert!(world.is_beside(chaser, target), "from {start}");
        assert_eq!(world.arrivals(chaser).len(), 1, "from {start}");
    }
}

#[test]
fn stops_further_away() {
    let mut world = TestWorld::open(20, 3);
    let target = world.target((15, 1));
    let archer = Chaser {
        stop_distance: 4,
        ..Chaser::default()
    };
    let chaser = world.chaser_with(archer, (2, 1), target);
    world.seconds(5);
    assert_eq!(world.cell(chaser), Cell::new(11, 1));
    assert_eq!(world.arrivals(chaser).len(), 1);
}

#[test]
fn stops_around_the_corner_of_a_strict_diagonal() {
    let mut world = TestWorld::new(&[
        "...", //
        "..#", "...",
    ]);
    let target = world.target((2, 2));
    // Diagonally adjacent to the target, but a wall forbids the step.
    let chaser = world.chaser((1, 1), target);
    world.seconds(2);
    assert_eq!(world.cell(chaser), Cell::new(1, 2));
    assert_eq!(world.arrivals(chaser).len(), 1);
}

#[test]
fn four_way_walkers_stop_beside_not_across() {
    let mut world = TestWorld::open(6, 6);
    let target = world.target((4, 4));
    let rook = Chaser {
        rules: Rules {
            metric: Metric::FourWay,
            ..Rules::default()
        },
        ..Chaser::default()
    };
    let chaser = world.chaser_with(rook, (1, 1), target);
    world.seconds(5);
    assert_eq!(world.cell(chaser).manhattan(Cell::new(4, 4)), 1);
}

#[test]
fn reached_once_and_again_when_caught_anew() {
    let mut world = TestWorld::open(30, 5);
    let target = world.target((6, 2));
    let chaser = world.chaser((2, 2), target);
    world.seconds(10);
    assert_eq!(world.arrivals(chaser).len(), 1);
    world.put(target, (14, 2));
    world.seconds(10);
    assert_eq!(world.arrivals(chaser).len(), 2);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn a_target_that_comes_to_the_chaser_is_reached() {
    let mut world = TestWorld::open(20, 5);
    let target = world.target((15, 2));
    let chaser = world.chaser((2, 2), target);
    world.tick(1);
    let at = world.cell(chaser);
    world.put(target, (at.x + 1, at.y));
    world.seconds(2);
    // Seen at its next move tick.
    assert_eq!((world.cell(chaser), world.arrivals(chaser)), (at, vec![6]));
}

#[test]
fn a_chaser_onto_whose_cell_the_target_comes_steps_aside() {
    let mut world = TestWorld::open(20, 5);
    let target = world.target((15, 2));
    let chaser = world.chaser((2, 2), target);
    world.tick(1);
    let at = world.cell(chaser);
    world.put(target, at);
    world.seconds(2);
    // At its next move tick, by one step, which takes it to its place.
    assert!(world.is_beside(chaser, target));
    assert_eq!(world.arrivals(chaser), [6]);
    assert_eq!(world.cursor(chaser).state(), ChaseState::Reached);
    // And once more, from where it rests.
    let at = world.cell(chaser);
    world.put(target, at);
    world.seconds(2);
    assert!(world.is_beside(chaser, target));
    assert_eq!(world.diagnostics().total.searches(), 1);
}

#[test]
fn a_chaser_that_finds_no_place_beside_stays_under_its_target() {
    let mut world = TestWorld::new(&["#.#", "###"]);
    let target = world.target((1, 0));
    let chaser = world.chaser((1, 0), target);
    world.seconds(5);
    assert_eq!(world.cell(chaser), world.cell(target));
    assert_eq!(world.diagnostics().total.searches(), 0);
}

#[test]
fn follows_a_target_that_walks_around_a_wall() {
    let mut world = TestWorld::new(&[
        "..............",
        ".############.",
        ".############.",
        "..............",
    ]);
    let around = (1..14)
        .map(|x| (x, 0))
        .chain([(13, 1), (13, 2)])
        .chain((0..14).rev().map(|x| (x, 3)));
    let target = world.target((1, 0));
    let chaser = world.chaser((0, 2), target);
    for place in around {
        world.put(target, place);
        world.tick(8);
        let apart = world.cell(chaser).chebyshev(world.cell(target));
        assert!(apart <= 8, "{apart} cells behind at {place:?}");
    }
    world.seconds(5);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn the_first_step_waits_at_most_the_idle_period() {
    let idle_ticks = TICK_RATE / 2;
    for standing in 0..30 {
        let mut world = TestWorld::open(30, 3);
        let target = world.target((2, 1));
        let chaser = world.chaser((1, 1), target);
        world.tick(standing);
        world.put(target, (15, 1));
        let waited = world.tick_until(|world| world.cell(chaser) != Cell::new(1, 1));
        assert!(waited <= idle_ticks, "{waited} ticks after {standing}");
    }
}

/// It wakes when its target sets off, and looks up at its chasing beat as long as that moves about.
#[test]
fn who_rests_beside_a_target_that_goes_on_follows_at_its_chasing_beat() {
    for standing in [1, 10, 47, 60] {
        for pause in 1..20 {
            let mut world = TestWorld::open(30, 3);
            let target = world.target((2, 1));
            let chaser = world.chaser((1, 1), target);
            world.tick(standing);
            for step in 1..=3 {
                let at = world.cell(chaser);
                world.put(target, (2 + 2 * step, 1));
                let waited = world.tick_until(|world| world.cell(chaser) != at);
                // The tick in which it sees that, and a chasing period.
                assert!(
                    waited <= 1 + STEP_TICKS,
                    "{waited} ticks at step {step} after {standing} and {pause}"
                );
                world.tick_until(|world| world.is_beside(chaser, target));
                world.tick(pause);
            }
        }
    }
}

#[test]
fn a_new_chaser_sets_off_in_its_first_tick() {
    let mut world = TestWorld::open(20, 3);
    let target = world.target((15, 1));
    let chaser = world.chaser((2, 1), target);
    world.tick(1);
    assert_eq!(world.cell(chaser), Cell::new(3, 1));
}

#[test]
fn steps_at_the_chasing_period() {
    let mut world = TestWorld::open(22, 3);
    let target = world.target((20, 1));
    let chaser = world.chaser((1, 1), target);
    let ticks = step_ticks(&mut world, chaser, 12);
    assert_eq!(gaps(&ticks), [STEP_TICKS; 11]);
}

#[test]
fn a_chase_taken_up_again_steps_no_faster() {
    for pause in 1..20 {
        let mut world = TestWorld::open(22, 3);
        let target = world.target((20, 1));
        let chaser = world.chaser((1, 1), target);
        world.tick(7);
        world.world().entity_mut(chaser).remove::<Chasing>();
        world.tick(pause);
        world.chase(chaser, target);
        let ticks = step_ticks(&mut world, chaser, 4);
        assert_eq!(gaps(&ticks), [STEP_TICKS; 3], "after {pause} ticks");
    }
}

#[test]
fn a_period_between_ticks_holds_on_average() {
    let mut world = TestWorld::open(22, 3);
    let target = world.target((20, 1));
    let chaser = world.chaser((1, 1), target);
    world.get_mut::<MoveTimer>(chaser).chasing = Period::from_millis(120);
    let ticks = step_ticks(&mut world, chaser, 16);
    assert!(gaps(&ticks).iter().all(|gap| [2, 3].contains(gap)));
    let span = ticks[15] - ticks[0];
    assert!((35..=37).contains(&span), "15 steps took {span} ticks");
}

#[test]
fn one_waypoint_per_run_however_long_it_took() {
    let plugin = NavPlugin::new(Update);
    let mut world = TestWorld::with_plugin(Grid::open(20, 3).unwrap(), plugin);
    let stall = Duration::from_secs(3);
    world
        .world()
        .insert_resource(TimeUpdateStrategy::ManualDuration(stall));
    world
        .world()
        .resource_mut::<Time<Virtual>>()
        .set_max_delta(stall);
    let target = world.target((15, 1));
    let chaser = world.chaser((2, 1), target);
    for steps in 1..=5 {
        let before = world.clock().now();
        world.tick(1);
        assert_eq!(world.clock().now().0 - before.0, 3_000_000_000);
        assert_eq!(world.cell(chaser), Cell::new(2 + steps, 1));
    }
}

#[test]
fn a_stalled_server_catches_up_in_whole_ticks() {
    let mut world = TestWorld::open(20, 3);
    let stall = Duration::from_secs(3);
    world
        .world()
        .insert_resource(TimeUpdateStrategy::ManualDuration(stall));
    world
        .world()
        .resource_mut::<Time<Virtual>>()
        .set_max_delta(stall);
    let target = world.target((18, 1));
    let chaser = world.chaser((1, 1), target);
    // Sixty ticks in one update: a step every fifth.
    world.app.update();
    assert_eq!(world.diagnostics().total.steps, 12);
    assert_eq!(world.cell(chaser), Cell::new(13, 1));
}

#[test]
fn target_teleports_within_the_window() {
    let mut world = TestWorld::open(40, 40);
    let target = world.target((35, 20));
    let chaser = world.chaser((20, 20), target);
    world.seconds(1);
    world.put(target, (20, 35));
    world.seconds(6);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn target_teleports_out_of_the_window_and_back() {
    for fallback in [Fallback::ClosestReached, Fallback::None] {
        let mut world = TestWorld::open(100, 5);
        let target = world.target((15, 2));
        let tuned = Chaser {
            fallback,
            ..Chaser::default()
        };
        let chaser = world.chaser_with(tuned, (2, 2), target);
        world.seconds(1);
        world.put(target, (99, 2));
        world.seconds(10);
        // Who takes what only leads nearer is on its way.
        let waits = fallback == Fallback::None;
        assert_eq!(world.failures(chaser).len(), usize::from(waits));
        assert_eq!(world.cell(chaser).x > 30, !waits);
        world.put(target, (20, 2));
        world.seconds(8);
        assert!(world.is_beside(chaser, target));
    }
}

#[test]
fn chaser_teleported_off_its_path_recovers() {
    let mut world = TestWorld::open(30, 30);
    let target = world.target((15, 2));
    let chaser = world.chaser((2, 2), target);
    world.seconds(1);
    world.put(chaser, (15, 20));
    world.seconds(6);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn chaser_knocked_back_from_its_target_returns() {
    let mut world = TestWorld::open(30, 5);
    let target = world.target((10, 2));
    let chaser = world.chaser((2, 2), target);
    world.seconds(4);
    assert!(world.is_beside(chaser, target));
    world.put(chaser, (18, 2));
    world.seconds(4);
    assert!(world.is_beside(chaser, target));
    assert_eq!(world.arrivals(chaser).len(), 2);
}

#[test]
fn archer_knocked_back_from_its_post_returns() {
    let mut world = TestWorld::open(30, 5);
    let target = world.target((12, 2));
    let archer = Chaser {
        stop_distance: 4,
        ..Chaser::default()
    };
    let chaser = world.chaser_with(archer, (2, 2), target);
    world.seconds(4);
    assert_eq!(world.cell(chaser), Cell::new(8, 2));
    world.put(chaser, (1, 2));
    world.seconds(4);
    assert_eq!(world.cell(chaser), Cell::new(8, 2));
}

#[test]
fn a_chain_of_chasers_keeps_its_distance() {
    let mut world = TestWorld::open(30, 30);
    let player = world.target((20, 20));
    let first = world.chaser((15, 15), player);
    let second = world.chaser((5, 15), first);
    let third = world.chaser((5, 5), second);
    for place in [(20, 20), (4, 4), (20, 3), (15, 15)] {
        world.put(player, place);
        world.seconds(12);
        assert!(world.is_beside(first, player));
        assert!(world.is_beside(second, first));
        assert!(world.is_beside(third, second));
    }
}

#[test]
fn two_that_chase_each_other_meet_and_do_not_swap() {
    for length in 4..10 {
        let mut world = TestWorld::open(length, 1);
        let one = world.target((0, 0));
        let other = world.chaser((length - 1, 0), one);
        world.world().entity_mut(one).insert(Chaser::default());
        world.chase(one, other);
        world.seconds(5);
        assert!(world.is_beside(one, other));
        assert!(world.cell(one) < world.cell(other));
    }
}

#[test]
fn a_ring_of_chasers_never_steps_onto_its_target() {
    let mut world = TestWorld::open(9, 9);
    let first = world.target((1, 1));
    let second = world.chaser((7, 1), first);
    let third = world.chaser((4, 7), second);
    world.world().entity_mut(first).insert(Chaser::default());
    world.chase(first, third);
    // The harness checks every step.
    world.seconds(20);
    for chaser in [first, second, third] {
        assert!(!world.arrivals(chaser).is_empty());
    }
}

#[test]
fn world_positions_follow_the_steps_of_chasers() {
    let mut world = TestWorld::open(20, 5);
    let target = world.target((10, 2));
    let chaser = world.chaser((2, 2), target);
    world
        .world()
        .entity_mut(chaser)
        .insert(WorldPosition([2.0, 0.0, 2.0]));
    world.seconds(4);
    let expected = WorldPosition([9.0, 0.0, 2.0]);
    assert_eq!(*world.get::<WorldPosition>(chaser), expected);
}

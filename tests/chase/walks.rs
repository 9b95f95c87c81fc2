//! A chase as seen from outside: where chasers go, and when.

use bevy_app::Update;
use bevy_ecs::prelude::*;
use bevy_time::{Time, TimeUpdateStrategy, Virtual};
use nav::{ChaseState, Chaser, NavPlugin, PathFound, TargetReached};
use nav_grid::{Cell, Grid, Metric, query::Fallback};
use nav_testing::{Agents, Scene};
use nav_tests::{STEP_TICKS, TICK_RATE};
use std::time::Duration;

/// Returns the ticks of the next steps of a chaser.
fn step_ticks(scene: &mut Scene, chaser: impl Agents, steps: usize) -> Vec<u64> {
    let chaser = scene.agent(chaser);
    let mut ticks = Vec::new();
    while ticks.len() < steps {
        let before = scene.cell(chaser);
        scene.tick_until(|scene| scene.cell(chaser) != before);
        ticks.push(scene.ticks());
    }
    ticks
}

/// Draws one row of floor with agents in some columns.
fn row(length: usize, agents: &[(usize, char)]) -> [String; 1] {
    let sign = |x| {
        agents
            .iter()
            .find(|(at, _)| *at == x)
            .map_or('.', |of| of.1)
    };
    [(0..length).map(sign).collect()]
}

fn gaps(ticks: &[u64]) -> Vec<u64> {
    ticks.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[test]
fn reaches_a_standing_target() {
    let mut scene = Scene::new(&[
        "...............",
        ".C.............",
        "...............",
        "...............",
        "...............",
        ".............T.",
        "...............",
    ]);
    scene.seconds(10);
    scene.assert_beside('C', 'T');
    scene.assert_state('C', ChaseState::Reached);
    assert_eq!(scene.arrivals('C').len(), 1);
    assert_eq!(scene.diagnostics().total.steps, 11);
}

#[test]
fn from_every_cell() {
    let mut scene = Scene::new(&[
        "CCCCCCC##",
        "C#####C##",
        "C#CTC#C##",
        "C#C#C#C##",
        "CCC#CCC##",
    ]);
    // One chaser begins on the target's cell, and steps off it.
    let under = scene.chaser('T', 'T');
    scene.name('C', under);
    scene.seconds(10);
    scene.assert_beside('C', 'T');
    for chaser in scene.agents('C') {
        assert_eq!(scene.arrivals(chaser).len(), 1);
    }
}

#[test]
fn strict_diagonal_stop() {
    // Diagonally adjacent to the target, but a wall forbids the step.
    let mut scene = Scene::new(&[
        "...######", //
        ".C#######",
        ".bT######",
    ]);
    scene.seconds(2);
    scene.assert_at('C', 'b');
    assert_eq!(scene.arrivals('C').len(), 1);
}

#[test]
fn four_way_stop() {
    let mut scene = Scene::new(&[
        ".........",
        ".R.......",
        ".........",
        "....b....",
        "...bTb...",
        "....b....",
    ]);
    scene.tune('R', |rook| rook.rules.metric = Metric::FourWay);
    scene.seconds(5);
    scene.assert_at('R', 'b');
}

#[test]
fn reached_again_after_escape() {
    let mut scene = Scene::new(&[
        "....................",
        "..C...T.......a.....",
        "....................",
    ]);
    scene.seconds(10);
    assert_eq!(scene.arrivals('C').len(), 1);
    scene.put('T', 'a');
    scene.seconds(10);
    assert_eq!(scene.arrivals('C').len(), 2);
    scene.assert_beside('C', 'T');
}

#[test]
fn target_comes_to_chaser() {
    let mut scene = Scene::open(20, 5);
    let target = scene.target((15, 2));
    let chaser = scene.chaser((2, 2), target);
    scene.tick(1);
    let at = scene.cell(chaser);
    scene.put(target, (at.x + 1, at.y));
    scene.seconds(2);
    // It sees the target at its next move tick.
    assert_eq!((scene.cell(chaser), scene.arrivals(chaser)), (at, vec![6]));
}

#[test]
fn no_place_beside_target() {
    let mut scene = Scene::new(&["#T#", "###"]);
    let chaser = scene.chaser('T', 'T');
    scene.seconds(5);
    scene.assert_at(chaser, 'T');
    assert_eq!(scene.diagnostics().total.searches(), 0);
}

#[test]
fn first_step_within_idle_period() {
    let idle_ticks = TICK_RATE / 2;
    for standing in 0..30 {
        let mut scene = Scene::open(30, 3);
        let target = scene.target((2, 1));
        let chaser = scene.chaser((1, 1), target);
        scene.tick(standing);
        scene.put(target, (15, 1));
        let waited = scene.tick_until(|scene| scene.cell(chaser) != Cell::new(1, 1));
        assert!(waited <= idle_ticks, "{waited} ticks after {standing}");
    }
}

/// It wakes when its target sets off, and decides at its chasing period while the target moves.
#[test]
fn resting_chaser_follows_at_once() {
    for standing in [1, 10, 47, 60] {
        for pause in 1..20 {
            let mut scene = Scene::open(30, 3);
            let target = scene.target((2, 1));
            let chaser = scene.chaser((1, 1), target);
            scene.tick(standing);
            for step in 1..=3 {
                let at = scene.cell(chaser);
                scene.put(target, (2 + 2 * step, 1));
                let waited = scene.tick_until(|scene| scene.cell(chaser) != at);
                // The tick in which it sees that, and a chasing period.
                assert!(
                    waited <= 1 + STEP_TICKS,
                    "{waited} ticks at step {step} after {standing} and {pause}"
                );
                scene.tick_until(|scene| scene.is_beside(chaser, target));
                scene.tick(pause);
            }
        }
    }
}

#[test]
fn new_chaser_starts_at_once() {
    let mut scene = Scene::new(&["..Ca...........T...."]);
    scene.tick(1);
    scene.assert_at('C', 'a');
}

#[test]
fn steps_at_the_chasing_period() {
    let mut scene = Scene::new(&row(22, &[(1, 'C'), (20, 'T')]));
    let ticks = step_ticks(&mut scene, 'C', 12);
    assert_eq!(gaps(&ticks), [STEP_TICKS; 11]);
}

#[test]
fn one_waypoint_per_run() {
    let mut app = nav_tests::app();
    app.add_plugins(NavPlugin::new(Update));
    let mut scene = Scene::with_app(app, Grid::open(20, 3).unwrap());
    let stall = Duration::from_secs(3);
    scene
        .world()
        .insert_resource(TimeUpdateStrategy::ManualDuration(stall));
    scene
        .world()
        .resource_mut::<Time<Virtual>>()
        .set_max_delta(stall);
    let target = scene.target((15, 1));
    let chaser = scene.chaser((2, 1), target);
    for steps in 1..=5 {
        let before = scene.clock().now();
        scene.tick(1);
        assert_eq!(scene.clock().now().0 - before.0, 3_000_000_000);
        assert_eq!(scene.cell(chaser), Cell::new(2 + steps, 1));
    }
}

#[test]
fn stalled_server_catches_up() {
    let mut scene = Scene::open(20, 3);
    let stall = Duration::from_secs(3);
    scene
        .world()
        .insert_resource(TimeUpdateStrategy::ManualDuration(stall));
    scene
        .world()
        .resource_mut::<Time<Virtual>>()
        .set_max_delta(stall);
    let target = scene.target((18, 1));
    let chaser = scene.chaser((1, 1), target);
    // Sixty ticks in one update: one step every five.
    scene.app.update();
    assert_eq!(scene.diagnostics().total.steps, 12);
    assert_eq!(scene.cell(chaser), Cell::new(13, 1));
}

#[test]
fn target_leaves_window_and_returns() {
    for fallback in [Fallback::ClosestReached, Fallback::None] {
        let mut scene = Scene::open(100, 5);
        let target = scene.target((15, 2));
        let tuned = Chaser {
            fallback,
            ..Chaser::default()
        };
        let chaser = scene.chaser_with(tuned, (2, 2), target);
        scene.seconds(1);
        scene.put(target, (99, 2));
        scene.seconds(10);
        // A chaser on a partial path counts as following.
        let waits = fallback == Fallback::None;
        assert_eq!(scene.failures(chaser).len(), usize::from(waits));
        assert_eq!(scene.cell(chaser).x > 30, !waits);
        scene.put(target, (20, 2));
        scene.seconds(8);
        assert!(scene.is_beside(chaser, target));
    }
}

/// The chasers that observers were told of.
#[derive(Resource, Default)]
struct Heard(Vec<Entity>);

#[test]
fn observers_hear_every_message_once() {
    let mut scene = Scene::new(&["C.......T"]);
    let chaser = scene.agent('C');
    let world = scene.world();
    world.init_resource::<Heard>();
    world.add_observer(|reached: On<TargetReached>, mut heard: ResMut<Heard>| {
        heard.0.push(reached.chaser);
    });
    world
        .entity_mut(chaser)
        .observe(|found: On<PathFound>, mut heard: ResMut<Heard>| heard.0.push(found.chaser));
    scene.seconds(10);
    let messages = scene.arrivals(chaser).len() + scene.found.len();
    assert_eq!((scene.arrivals(chaser).len(), scene.found.len()), (1, 1));
    let heard = scene.world().resource::<Heard>();
    assert_eq!(heard.0, vec![chaser; messages]);
}

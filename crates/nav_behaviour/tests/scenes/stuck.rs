//! Agents that make no progress.

use super::scene::{
    STEP_TICKS, TestWorld, activity, changes, on_with_behaviours, open_with_behaviours,
    with_behaviours,
};
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, Chaser, MoveTimer, OnMap, Pace, Period};
use nav_behaviour::{Activity, ActivityCause, StuckWatch};
use nav_grid::{Cell, Grid};

/// Sets up a corridor in which an idle body stands between an NPC and its target.
fn corridor() -> (TestWorld, Entity, Entity) {
    let mut world = with_behaviours(&[
        "####################",
        "#..................#",
        "####################",
    ]);
    let idle = (CellPosition::new(9, 1), OnMap(world.map), Body::default());
    let idle = world.world().spawn(idle).id();
    let player = world.target((17, 1));
    let npc = world.chaser((2, 1), player);
    world
        .world()
        .entity_mut(npc)
        .insert((Body::default(), StuckWatch::default()));
    (world, idle, npc)
}

#[test]
fn npc_behind_idle_body() {
    let (mut world, idle, npc) = corridor();
    world.seconds(8);
    assert_eq!(activity(&world, npc), Activity::Chasing);
    world.seconds(12);
    assert_eq!(activity(&world, npc), Activity::Stuck);
    let said = changes(&world, npc);
    assert!(
        said.ends_with(&[(Activity::Stuck, ActivityCause::NoProgress)]),
        "{said:?}"
    );
    world.seconds(60);
    assert_eq!(changes(&world, npc), said, "it says so again and again");
    // The way is free: it continues and reports so.
    world.world().despawn(idle);
    world.seconds(12);
    let said = changes(&world, npc);
    assert!(
        said.contains(&(Activity::Chasing, ActivityCause::WayFound)),
        "{said:?}"
    );
    assert_eq!(activity(&world, npc), Activity::InReach);
}

#[test]
fn thrown_to_and_fro() {
    let mut world = open_with_behaviours(40, 9);
    let player = world.target((35, 4));
    let npc = world.chaser((5, 4), player);
    world.world().entity_mut(npc).insert(StuckWatch::default());
    for _ in 0..80 {
        world.tick(5);
        if world.cell(npc).x > 6 {
            world.put(npc, (5, 4));
        }
    }
    let said = changes(&world, npc);
    assert_eq!(activity(&world, npc), Activity::Stuck, "{said:?}");
}

#[test]
fn full_ring_is_not_stuck() {
    let mut world = open_with_behaviours(40, 40);
    let player = world.target((20, 20));
    let pack: Vec<Entity> = (0..30)
        .map(|n| {
            let npc = world.chaser((5 + n % 6, 15 + n / 6), player);
            world
                .world()
                .entity_mut(npc)
                .insert((Body::default(), StuckWatch::default()));
            npc
        })
        .collect();
    world.seconds(30);
    let steps = world.diagnostics().total.steps;
    world.seconds(60);
    assert_eq!(world.diagnostics().total.steps, steps);
    let stuck = |&&npc: &&Entity| activity(&world, npc) == Activity::Stuck;
    assert_eq!(pack.iter().filter(stuck).count(), 0);
}

#[test]
fn unreachable_target_means_waiting() {
    let mut world = with_behaviours(&[
        "............", //
        "......###...",
        "......#.#...",
        "......###...",
        "............",
    ]);
    let player = world.target((7, 2));
    let npc = world.chaser((0, 2), player);
    world.world().entity_mut(npc).insert(StuckWatch::default());
    world.seconds(60);
    assert_eq!(activity(&world, npc), Activity::Waiting);
    assert!(world.searches(npc).len() <= 20);
}

#[test]
fn circling_is_not_stuck() {
    let mut world = with_behaviours(&[
        ".......", //
        ".......", "..###..", "..###..", "..###..", ".......", ".......",
    ]);
    let round: Vec<Cell> = (1..5)
        .map(|x| (x, 1))
        .chain((1..5).map(|y| (5, y)))
        .chain((2..6).rev().map(|x| (x, 5)))
        .chain((2..6).rev().map(|y| (1, y)))
        .map(Cell::from)
        .collect();
    let player = world.target(round[8]);
    let npc = world.chaser(round[0], player);
    world.world().entity_mut(npc).insert(StuckWatch::default());
    for turn in 0..240 {
        world.put(player, round[(8 + turn) % round.len()]);
        world.tick(5);
        assert_ne!(activity(&world, npc), Activity::Stuck, "turn {turn}");
    }
}

/// Progress is measured by what the ground and the period allow, and no retry hastens a step.
#[test]
fn slow_walks_are_not_stuck() {
    let bodies = [None, Some(Body::default())];
    let paces = [(8, 250), (1, 3000), (1, 9000), (4, 1500)];
    for (body, (cost, millis)) in bodies
        .into_iter()
        .flat_map(|body| paces.map(|pace| (body, pace)))
    {
        let mut grid = Grid::open(60, 3).unwrap();
        for cell in grid.clone().walkable_cells() {
            grid.set_cost(cell, cost).unwrap();
        }
        let mut world = on_with_behaviours(grid);
        let player = world.target((55, 1));
        let tuning = Chaser {
            pace: Pace::ByCost,
            ..Chaser::default()
        };
        let npc = world.chaser_with(tuning, (2, 1), player);
        let timer = MoveTimer {
            chasing: Period::from_millis(millis),
            ..MoveTimer::default()
        };
        world
            .world()
            .entity_mut(npc)
            .insert((timer, StuckWatch::default()));
        if let Some(body) = body {
            world.world().entity_mut(npc).insert(body);
        }
        let period = u64::from(millis) / 250 * STEP_TICKS * u64::from(cost);
        let mut last = None;
        for tick in 1..=12 * period {
            let from = world.cell(npc);
            world.tick(1);
            let case = format!("{body:?}, cost {cost}, {millis} ms, tick {tick}");
            assert_ne!(activity(&world, npc), Activity::Stuck, "{case}");
            if world.cell(npc) != from {
                assert!(
                    last.is_none_or(|last| tick >= last + period),
                    "{case}: early"
                );
                last = Some(tick);
            }
        }
        assert!(
            world.cell(npc).x >= 13,
            "{body:?}, cost {cost}: {}",
            world.cell(npc)
        );
    }
}

//! Followers that catch up with a target or with their slots.

use super::scene::{STEP_TICKS, TestWorld, open_with_behaviours};
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, Chaser, GoTo, MoveTimer, OnMap, Period};
use nav_behaviour::{CatchUp, Confused, Formation, FormationShape, InFormation};

/// The default period of steps.
const OWN: Period = Period::from_millis(250);

fn period(world: &TestWorld, npc: Entity) -> Period {
    world.get::<MoveTimer>(npc).chasing
}

#[test]
fn chaser_closes_gap() {
    let gap_after = |catch_up: Option<CatchUp>| {
        let mut world = open_with_behaviours(120, 20);
        let player = world.target((20, 10));
        let npc = world.chaser((8, 10), player);
        if let Some(catch_up) = catch_up {
            world.insert(npc, catch_up);
        }
        let (mut changes, mut last) = (0, period(&world, npc));
        for x in 21..100 {
            world.put(player, (x, 10));
            world.tick(STEP_TICKS);
            changes += usize::from(period(&world, npc) != last);
            last = period(&world, npc);
        }
        let away = world.cell(npc).chebyshev(world.cell(player));
        (away, changes, last)
    };
    let (away, changes, last) = gap_after(None);
    assert!(away >= 12 && changes == 0, "{away}");
    assert_eq!(last, OWN);
    let (away, changes, last) = gap_after(Some(CatchUp::default()));
    assert!(away <= 3, "{away}");
    assert!(
        changes <= 2,
        "{changes} changes of pace behind an even target"
    );
    assert_eq!(last, OWN);
    let (away, ..) = gap_after(Some(CatchUp::new(6, 150)));
    assert!((3..=7).contains(&away), "{away}");
}

#[test]
fn pace_is_restored() {
    let begin = || {
        let mut world = open_with_behaviours(60, 20);
        let player = world.target((50, 10));
        let npc = world.chaser((5, 10), player);
        world.insert(npc, CatchUp::new(2, 200));
        world.seconds(2);
        assert_eq!(period(&world, npc), Period::from_millis(125));
        assert!(world.get::<CatchUp>(npc).is_catching_up());
        (world, player, npc)
    };
    let (mut world, player, npc) = begin();
    world.world().despawn(player);
    world.seconds(1);
    assert_eq!(period(&world, npc), OWN, "the chase ended");
    let (mut world, _, npc) = begin();
    world.insert(npc, Confused::for_period(Period::from_millis(4000)));
    world.seconds(1);
    assert_eq!(period(&world, npc), OWN, "interrupted");
    let (mut world, _, npc) = begin();
    world.world().entity_mut(npc).remove::<CatchUp>();
    assert_eq!(period(&world, npc), OWN, "removed");
    let (mut world, player, npc) = begin();
    world.get_mut::<MoveTimer>(npc).chasing = Period::from_millis(400);
    world.tick(STEP_TICKS);
    assert_eq!(period(&world, npc), Period::from_millis(200), "by the game");
    world.seconds(20);
    assert!(world.is_beside(npc, player));
    assert_eq!(period(&world, npc), Period::from_millis(400), "there");
}

#[test]
fn walks_keep_pace() {
    let mut world = open_with_behaviours(60, 20);
    let place = (CellPosition::new(5, 5), OnMap(world.map));
    let walker = (Chaser::default(), CatchUp::default(), place);
    let walker = world.world().spawn(walker).id();
    world.insert(walker, GoTo((50, 5).into()));
    world.seconds(2);
    assert_eq!(period(&world, walker), OWN);
    assert!(world.cell(walker).x > 8);
}

/// Leads a wedge east for some steps, with a stop after each `run` of them. Returns the cells that
/// all members were away from where they belong, summed over the way, and the changes of pace.
fn march(catch_up: Option<CatchUp>, run: u16) -> (u32, u32) {
    let mut world = open_with_behaviours(160, 40);
    let leader = world.target((20, 20));
    world.insert(leader, Formation::new(FormationShape::Wedge));
    let members: Vec<Entity> = (0..6)
        .map(|n| {
            let place = (CellPosition::new(6, 15 + 2 * n), OnMap(world.map));
            let member = (Chaser::default(), Body::default(), InFormation(leader));
            let member = world.world().spawn((member, place)).id();
            if let Some(catch_up) = catch_up {
                world.insert(member, catch_up);
            }
            member
        })
        .collect();
    let (mut away, mut changes, mut last) = (0, 0, [OWN; 6]);
    for x in 21..120_u16 {
        world.put(leader, (x, 20));
        world.tick(STEP_TICKS);
        if x.is_multiple_of(run) {
            world.seconds(1);
        }
        for (n, &member) in members.iter().enumerate() {
            let (rank, side) = (n as u16 / 2 + 1, n.is_multiple_of(2));
            let y = if side { 20 + rank } else { 20 - rank };
            let slot = (x - rank, y).into();
            away += u32::from(world.cell(member).chebyshev(slot));
            let now = period(&world, member);
            changes += u32::from(now != std::mem::replace(&mut last[n], now));
        }
    }
    (away, changes)
}

#[test]
fn members_catch_up() {
    let (plain, none) = march(None, 1000);
    assert_eq!(none, 0);
    let (away, changes) = march(Some(CatchUp::default()), 1000);
    assert!(away * 2 < plain, "{away} cells instead of {plain}");
    // Each begins and ends once, and may do so once again.
    assert!(changes <= 6 * 4, "{changes} changes of pace");
}

#[test]
fn stop_and_go() {
    let (plain, _) = march(None, 4);
    let (away, changes) = march(Some(CatchUp::default()), 4);
    assert!(away < plain, "{away} cells instead of {plain}");
    // There are 25 stops, and each member changes once to catch up and once back.
    assert!(changes <= 6 * 4, "{changes} changes of pace");
}

#[test]
fn ahead_of_a_slot_is_slower() {
    let mut world = open_with_behaviours(60, 20);
    let leader = world.target((10, 10));
    world.insert(leader, Formation::new(FormationShape::Column));
    let place = (CellPosition::new(22, 12), OnMap(world.map));
    let member = (Chaser::default(), CatchUp::new(2, 200), InFormation(leader));
    let member = world.world().spawn((member, place)).id();
    for x in 11..14 {
        world.put(leader, (x, 10));
        world.tick(STEP_TICKS);
    }
    assert_eq!(period(&world, member), Period::from_millis(500));
    for x in 14..40 {
        world.put(leader, (x, 10));
        world.tick(STEP_TICKS);
    }
    world.seconds(2);
    assert_eq!(world.cell(member), (38, 10).into());
    assert_eq!(period(&world, member), OWN);
}

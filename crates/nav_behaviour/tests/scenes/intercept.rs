//! Chasers that cut off runners, and chasers that must not overshoot.

use super::{
    pillar::{PILLAR, round},
    scene::{open_with_behaviours, with_behaviours},
};
use crate::scene::{STEP_TICKS, TICK_RATE, TestWorld};
use bevy_ecs::prelude::*;
use nav::{Chaser, Chasing, Guidance, MoveTimer, Period};
use nav_behaviour::{Activity, ActivityCause, GiveUp, Intercept};

/// Moves a runner along row 3, four cells a second. Returns the ticks until equally fast chasers
/// catch it, `None` for never. With a `lead` they cut it off, aiming that far ahead.
fn run_along(lead: Option<u16>, chasers: u16) -> Option<u64> {
    let mut world = open_with_behaviours(120, 40);
    let runner = world.target((2, 3));
    let pack: Vec<Entity> = (0..chasers)
        .map(|n| world.chaser((16 + n, 20), runner))
        .collect();
    if let Some(lead) = lead {
        for &npc in &pack {
            world.insert(npc, Intercept::new(lead));
        }
    }
    for x in 3..118 {
        world.put(runner, (x, 3));
        world.tick(STEP_TICKS);
        if pack.iter().any(|&npc| !world.arrivals(npc).is_empty()) {
            return Some(world.ticks());
        }
    }
    None
}

#[test]
fn cut_off_beats_chase() {
    for chasers in [1, 6] {
        let after = run_along(None, chasers);
        let cut_off = run_along(Some(20), chasers);
        assert!(
            cut_off.is_some_and(|cut_off| after.is_none_or(|after| cut_off < after)),
            "{cut_off:?} and {after:?} ticks, {chasers} chasers"
        );
    }
}

#[test]
fn no_lead_is_plain_chase() {
    assert_eq!(run_along(Some(0), 6), run_along(None, 6));
}

#[test]
fn circling_runner() {
    let beside = |cuts_off: bool| {
        let mut world = with_behaviours(&PILLAR);
        let round = round();
        let mut at = 12;
        let player = world.target(round[at]);
        let npc = world.chaser(round[0], player);
        if cuts_off {
            world.insert(npc, Intercept::new(16));
        }
        world.get_mut::<MoveTimer>(npc).chasing = Period::from_millis(150);
        let mut beside = 0;
        for tick in 0..60 * TICK_RATE {
            if tick % 5 == 0 {
                at = (at + 1) % round.len();
                world.put(player, round[at]);
            }
            world.tick(1);
            beside += u64::from(world.is_beside(npc, player));
            if cuts_off {
                let aim = world.get::<Intercept>(npc).aim();
                assert_eq!(aim, None, "a course in a circle");
            }
        }
        beside
    };
    assert_eq!(beside(true), beside(false));
}

#[test]
fn runner_to_and_fro() {
    let mut world = open_with_behaviours(60, 40);
    let player = world.target((30, 5));
    let npc = world.chaser((30, 24), player);
    world.insert(npc, Intercept::new(16));
    for n in 0..60_u16 {
        let x = if n / 5 % 2 == 0 { n % 5 } else { 5 - n % 5 };
        world.put(player, (30 + x, 5));
        world.tick(STEP_TICKS);
        assert_eq!(world.get::<Intercept>(npc).aim(), None, "in step {n}");
    }
    assert!(!world.arrivals(npc).is_empty());
}

/// Sets up a runner on its way east and chasers that cut it off.
fn cutting_off(chasers: u16) -> (TestWorld, Entity, Vec<Entity>) {
    let mut world = open_with_behaviours(120, 40);
    let runner = world.target((2, 3));
    let pack: Vec<Entity> = (0..chasers)
        .map(|n| world.chaser((20 + n, 20), runner))
        .collect();
    world.insert(pack[0], Intercept::new(20));
    for x in 3..15 {
        world.put(runner, (x, 3));
        world.tick(2);
    }
    assert!(world.get::<Intercept>(pack[0]).aim().is_some());
    (world, runner, pack)
}

#[test]
fn runner_stops_short() {
    let (mut world, runner, pack) = cutting_off(1);
    world.seconds(1);
    assert_eq!(world.get::<Intercept>(pack[0]).aim(), None);
    let mut far = world.cell(pack[0]).chebyshev(world.cell(runner));
    while far > 1 {
        world.tick(STEP_TICKS);
        let now = world.cell(pack[0]).chebyshev(world.cell(runner));
        assert!(now < far, "{far} to {now}");
        far = now;
    }
    assert_eq!(world.arrivals(pack[0]).len(), 1);
}

#[test]
fn pack_shares_field() {
    let (mut world, runner, pack) = cutting_off(4);
    assert_eq!(world.cursor(pack[0]).guidance(), Some(Guidance::OwnPath));
    for &npc in &pack[1..] {
        assert_eq!(world.cursor(npc).guidance(), Some(Guidance::SharedField));
        assert!(world.searches(npc).is_empty());
    }
    // A chaser that chases the runner itself again shares the field again.
    world.tick(10);
    world.put(runner, (14, 4));
    world.tick(2 * STEP_TICKS);
    assert_eq!(world.get::<Intercept>(pack[0]).aim(), None);
    let guidance = world.cursor(pack[0]).guidance();
    assert_eq!(guidance, Some(Guidance::SharedField));
    // So does a chaser whose `Intercept` is removed.
    let (mut world, _, pack) = cutting_off(4);
    world.world().entity_mut(pack[0]).remove::<Intercept>();
    world.tick(STEP_TICKS + 1);
    let guidance = world.cursor(pack[0]).guidance();
    assert_eq!(guidance, Some(Guidance::SharedField));
}

#[test]
fn teleport_ends_course() {
    let (mut world, runner, pack) = cutting_off(1);
    world.put(runner, (60, 30));
    world.tick(1);
    assert_eq!(world.get::<Intercept>(pack[0]).aim(), None);
    let before = world.cell(pack[0]);
    world.tick(2 * STEP_TICKS);
    assert!(world.cell(pack[0]).x > before.x);
}

#[test]
fn despawned_target_ends_course() {
    let (mut world, runner, pack) = cutting_off(1);
    world.world().despawn(runner);
    assert_eq!(world.get::<Intercept>(pack[0]), &Intercept::new(20));
    let before = world.cell(pack[0]);
    world.seconds(2);
    assert_eq!(world.cell(pack[0]), before);
}

#[test]
fn game_sees_chase_of_runner() {
    let (mut world, runner, pack) = cutting_off(1);
    let give_up = GiveUp {
        unreachable: Some(Period::from_millis(1)),
        ..GiveUp::default()
    };
    world.insert(pack[0], (Activity::default(), give_up));
    for x in 15..80 {
        world.put(runner, (x, 3));
        world.tick(STEP_TICKS);
        assert_eq!(world.get::<Chasing>(pack[0]).0, runner);
        let searched_for = world.cursor(pack[0]).searched_for();
        assert!(searched_for.is_none_or(|place| place.cell.y == 3));
    }
    assert!(world.failures(pack[0]).is_empty());
    assert!(!world.arrivals(pack[0]).is_empty());
    let said = super::scene::changes(&world, pack[0]);
    assert!(said.contains(&(Activity::InReach, ActivityCause::Reached)));
}

#[test]
fn searches_within_interval() {
    let (mut world, runner, pack) = cutting_off(1);
    let before = world.searches(pack[0]).len();
    let interval = Chaser::default().repath_interval;
    assert_eq!(interval, Period::from_millis(500));
    for x in 15..31 {
        world.put(runner, (x, 3));
        world.tick(STEP_TICKS);
    }
    // Four seconds. Cutting off may begin and end once, and each takes a search.
    let searches = world.searches(pack[0]).len() - before;
    assert!(searches <= 10, "{searches} searches in four seconds");
}

#[test]
fn wall_ends_course() {
    let mut rows = vec![".".repeat(60); 30];
    for row in &mut rows[..8] {
        row.replace_range(34..35, "#");
    }
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut world = with_behaviours(&rows);
    let runner = world.target((12, 3));
    let npc = world.chaser((30, 22), runner);
    world.insert(npc, Intercept::new(40));
    for x in 13..25 {
        world.put(runner, (x, 3));
        world.tick(2);
        let aim = world.get::<Intercept>(npc).aim();
        assert!(
            aim.is_none_or(|aim| aim.x < 34),
            "through the wall: {aim:?}"
        );
    }
    assert!(world.get::<Intercept>(npc).aim().is_some());
}

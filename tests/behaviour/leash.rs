//! Chases that end by themselves.

use crate::scene::{activity, changes, open_with_behaviours, with_behaviours};
use bevy_ecs::prelude::*;
use nav::{
    Chasing, Period,
    behaviour::{Activity, ActivityCause, GiveUp, Home, Leash, LeashFrom, Returning},
};
use nav_grid::Cell;
use nav_tests::TestWorld;

fn is_returning(world: &TestWorld, npc: Entity) -> bool {
    world.app.world().get::<Returning>(npc).is_some()
}

#[test]
fn a_player_cannot_lead_an_npc_across_the_map() {
    let mut world = open_with_behaviours(60, 9);
    let player = world.target((8, 4));
    let npc = world.chaser((4, 4), player);
    world.world().entity_mut(npc).insert(Leash::new(10));
    for x in 8..50 {
        world.put(player, (x, 4));
        world.tick(6);
        assert!(world.cell(npc).x <= 15, "led to {}", world.cell(npc));
    }
    world.seconds(5);
    assert_eq!(world.cell(npc), Cell::new(4, 4), "it is not back");
    assert!(!is_returning(&world, npc));
    let doings: Vec<Activity> = changes(&world, npc).iter().map(|change| change.0).collect();
    let end = [Activity::Returning, Activity::Idle];
    assert!(doings.ends_with(&end), "{doings:?}");
    let causes = changes(&world, npc);
    assert!(causes.contains(&(Activity::Returning, ActivityCause::LeashEnded)));
    assert!(causes.ends_with(&[(Activity::Idle, ActivityCause::Arrived)]));
}

#[test]
fn a_leash_of_home_counts_from_home() {
    let mut world = open_with_behaviours(60, 9);
    let player = world.target((30, 4));
    let npc = world.chaser((14, 4), player);
    let leash = Leash {
        from: LeashFrom::Home,
        ..Leash::new(12)
    };
    let home = Home(Cell::new(5, 4));
    world.world().entity_mut(npc).insert((leash, home));
    let mut farthest = 0;
    for _ in 0..200 {
        world.tick(1);
        farthest = farthest.max(world.cell(npc).x);
    }
    assert_eq!(farthest, 18);
    assert_eq!(world.cell(npc), Cell::new(5, 4));
}

#[test]
fn an_npc_that_is_kited_for_ever_gives_up() {
    let mut world = open_with_behaviours(40, 40);
    let player = world.target((20, 10));
    let npc = world.chaser((10, 10), player);
    let give_up = GiveUp {
        out_of_reach: Some(Period::from_millis(8000)),
        unreachable: None,
    };
    world.world().entity_mut(npc).insert(give_up);
    // Five cells a second around a square of 20 cells.
    let corner = [(20, 10), (30, 20), (20, 30), (10, 20)];
    let mut ticks = 0;
    while !is_returning(&world, npc) && ticks < 400 {
        let (x, y) = corner[ticks / 10 % 4];
        world.put(player, (x, y));
        world.tick(1);
        ticks += 1;
    }
    assert!((155..=175).contains(&ticks), "after {ticks} ticks");
    assert!(changes(&world, npc).contains(&(Activity::Returning, ActivityCause::TookTooLong)));
    world.seconds(10);
    assert_eq!(world.cell(npc), Cell::new(10, 10));
    assert_eq!(activity(&world, npc), Activity::Idle);
}

#[test]
fn a_player_on_a_rock_is_given_up() {
    let mut world = with_behaviours(&[
        "............", //
        "......###...",
        "......#.#...",
        "......###...",
        "............",
    ]);
    let player = world.target((7, 2));
    let npc = world.chaser((0, 2), player);
    let give_up = GiveUp {
        unreachable: Some(Period::from_millis(5000)),
        out_of_reach: None,
    };
    world.world().entity_mut(npc).insert(give_up);
    world.seconds(4);
    assert!(world.app.world().get::<Chasing>(npc).is_some());
    world.seconds(8);
    assert_eq!(world.cell(npc), Cell::new(0, 2));
    assert!(changes(&world, npc).contains(&(Activity::Returning, ActivityCause::Unreachable)));
}

#[test]
fn an_unreachable_player_on_a_rock_costs_few_searches() {
    let mut world = with_behaviours(&[
        "............", //
        "......###...",
        "......#.#...",
        "......###...",
        "............",
    ]);
    let player = world.target((7, 2));
    let npc = world.chaser((0, 2), player);
    world.seconds(60);
    let minute = world.searches(npc).len();
    assert!(minute <= 20, "{minute} searches in the first minute");
    world.seconds(240);
    let later = world.searches(npc).len() - minute;
    assert!(later <= 8, "{later} searches in four minutes after that");
}

#[test]
fn another_chase_ends_the_way_back() {
    let mut world = open_with_behaviours(60, 9);
    let player = world.target((30, 4));
    let npc = world.chaser((4, 4), player);
    world.world().entity_mut(npc).insert(Leash::new(10));
    world.tick_until(|world| is_returning(world, npc));
    let other = world.target((12, 6));
    world.chase(npc, other);
    world.tick(2);
    assert!(!is_returning(&world, npc));
    world.seconds(3);
    assert!(world.is_beside(npc, other));
}

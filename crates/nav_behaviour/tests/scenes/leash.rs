//! Chases that end by themselves.

use super::scene::{TestWorld, activity, changes, open_with_behaviours, with_behaviours};
use bevy_ecs::prelude::*;
use nav::{AgentId, CellPosition, Chaser, Chasing, NavMap, OnMap, Period};
use nav_behaviour::{
    Activity, ActivityCause, GiveUp, GivenUp, Home, Leash, LeashFrom, Notice, Noticeable, Returning,
};
use nav_grid::{Cell, Rules};

fn is_returning(world: &TestWorld, npc: Entity) -> bool {
    world.app.world().get::<Returning>(npc).is_some()
}

#[test]
fn leash_of_the_start() {
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
fn leash_of_home() {
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
fn kited_npc_gives_up() {
    let mut world = open_with_behaviours(40, 40);
    let player = world.target((20, 10));
    let npc = world.chaser((10, 10), player);
    let give_up = GiveUp {
        out_of_reach: Some(Period::from_millis(8000)),
        ..GiveUp::default()
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
fn player_on_rock_given_up() {
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
        ..GiveUp::default()
    };
    world.world().entity_mut(npc).insert(give_up);
    world.seconds(4);
    assert!(world.app.world().get::<Chasing>(npc).is_some());
    world.seconds(8);
    assert_eq!(world.cell(npc), Cell::new(0, 2));
    assert!(changes(&world, npc).contains(&(Activity::Returning, ActivityCause::Unreachable)));
}

/// Ground below a rock of four cells.
const ROCK: [&str; 7] = [
    "................", //
    "........####....",
    "........#..#....",
    "........#..#....",
    "........####....",
    "................",
    "................",
];

/// Spawns a guard that notices players from its post, and gives up players that it cannot reach
/// after three seconds.
fn guard(world: &mut TestWorld, ignores_for: Period) -> Entity {
    let place = (CellPosition::new(1, 3), OnMap(world.map));
    let give_up = GiveUp {
        unreachable: Some(Period::from_millis(3000)),
        ignores_for,
        ..GiveUp::default()
    };
    let post = (Home(Cell::new(1, 3)), Notice::new(12), give_up);
    world.world().spawn((Chaser::default(), place, post)).id()
}

fn player(world: &mut TestWorld, at: (u16, u16)) -> Entity {
    let player = world.target(at);
    let noticeable = Noticeable::default();
    world.world().entity_mut(player).insert(noticeable);
    player
}

/// Counts the chases that an agent began.
fn chases(world: &TestWorld, npc: Entity) -> usize {
    let causes = changes(world, npc).into_iter();
    causes
        .filter(|(_, cause)| matches!(cause, ActivityCause::Noticed | ActivityCause::Called))
        .count()
}

#[test]
fn no_repeated_chases_below_rock() {
    let mut world = with_behaviours(&ROCK);
    let climber = player(&mut world, (9, 2));
    let npc = guard(&mut world, Period::from_millis(60_000));
    world.seconds(50);
    assert_eq!(chases(&world, npc), 1);
    assert_eq!(world.cell(npc), Cell::new(1, 3));
    assert_eq!(activity(&world, npc), Activity::Idle);
    let id = *world.get::<AgentId>(climber);
    let given_up = world.get::<GivenUp>(npc).targets();
    assert_eq!(given_up.collect::<Vec<_>>(), [id]);
    // It notices another player, and the same player once it comes down.
    let other = player(&mut world, (1, 0));
    world.tick(2);
    assert_eq!(world.get::<Chasing>(npc).0, other);
    world.world().despawn(other);
    world.put(climber, (7, 3));
    world.seconds(4);
    assert!(world.is_beside(npc, climber));
    // Nothing is stored once the minute is over.
    world.seconds(30);
    assert!(world.app.world().get::<GivenUp>(npc).is_none());
}

#[test]
fn player_on_rock_noticed_again() {
    let mut world = with_behaviours(&ROCK);
    player(&mut world, (9, 2));
    let npc = guard(&mut world, Period::from_millis(12_000));
    world.seconds(12);
    assert_eq!(chases(&world, npc), 1);
    world.seconds(48);
    let minute = chases(&world, npc);
    assert!((3..=4).contains(&minute), "{minute} chases in a minute");
    // A game may turn the wait off.
    let tireless = guard(&mut world, Period::default());
    world.seconds(60);
    let minute = chases(&world, tireless);
    assert!(minute >= 6, "{minute} chases in a minute");
    assert!(world.app.world().get::<GivenUp>(tireless).is_none());
}

/// Gives the map its regions, or lets it never have any.
fn prepare(world: &mut TestWorld, has_regions: bool) {
    let map = world.map;
    let mut map = world.get_mut::<NavMap>(map);
    if has_regions {
        map.build_regions(Rules::default());
    } else {
        *map = NavMap::plain(map.grid().clone());
    }
}

#[test]
fn player_walks_on_rock() {
    for has_regions in [false, true] {
        let mut world = with_behaviours(&ROCK);
        prepare(&mut world, has_regions);
        let climber = player(&mut world, (9, 2));
        let npc = guard(&mut world, Period::from_millis(60_000));
        for second in 0..40_u16 {
            world.put(climber, (9 + second / 5 % 2, 2 + second / 10 % 2));
            world.seconds(1);
        }
        let chases = chases(&world, npc);
        assert_eq!(chases == 1, has_regions, "{chases} chases");
        world.put(climber, (12, 6));
        world.seconds(8);
        assert!(world.is_beside(npc, climber));
    }
}

#[test]
fn stairs_end_the_wait() {
    for has_regions in [false, true] {
        let mut world = with_behaviours(&ROCK);
        let map = world.map;
        prepare(&mut world, has_regions);
        let climber = player(&mut world, (9, 2));
        let npc = guard(&mut world, Period::from_millis(60_000));
        world.seconds(20);
        assert_eq!(chases(&world, npc), 1);
        // A near edit that opens no way: without regions the guard has to try.
        world
            .get_mut::<NavMap>(map)
            .set_walkable(Cell::new(1, 0), false)
            .unwrap();
        world.seconds(15);
        let tries = chases(&world, npc);
        assert_eq!(tries, if has_regions { 1 } else { 2 });
        let wall = Cell::new(8, 2);
        assert!(!world.get::<NavMap>(map).grid().is_walkable(wall));
        world
            .get_mut::<NavMap>(map)
            .set_walkable(wall, true)
            .unwrap();
        world.seconds(5);
        assert_eq!(chases(&world, npc), tries + 1);
        assert!(world.is_beside(npc, climber));
    }
}

#[test]
fn given_up_target_not_called() {
    let mut world = with_behaviours(&ROCK);
    player(&mut world, (9, 2));
    let npc = guard(&mut world, Period::from_millis(60_000));
    world.seconds(15);
    assert_eq!(chases(&world, npc), 1);
    let caller = guard(&mut world, Period::from_millis(60_000));
    world.get_mut::<Notice>(caller).calls = 8;
    world.tick(2);
    assert_eq!((chases(&world, caller), chases(&world, npc)), (1, 1));
}

#[test]
fn chase_ends_way_back() {
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

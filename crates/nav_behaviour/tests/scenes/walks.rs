//! Walks to places: destinations, orders to a place, patrols, homes.

use super::scene::{
    STEP_TICKS, TestWorld, activity, changes, open_with_behaviours, walk_ends, with_behaviours,
};
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, Chaser, Chasing, GoTo, GoToEnd, GoToEnded, OnMap, Period};
use nav_behaviour::{
    Activity, ActivityCause, GiveUp, Home, Patrol, PatrolOrder, PatrolStop, StuckWatch,
};
use nav_grid::{Cell, Footprint};

fn npc(world: &mut TestWorld, at: impl Into<Cell>) -> Entity {
    let place = (CellPosition::at(at.into()), OnMap(world.map));
    let npc = (Chaser::default(), Activity::default(), place);
    world.world().spawn(npc).id()
}

#[test]
fn reinserted_chase_continues_walk() {
    let mut world = with_behaviours(&["......."]);
    let guard = npc(&mut world, (0, 0));
    let mut agent = world.world().entity_mut(guard);
    agent.insert(GoTo(Cell::new(6, 0)));
    world.tick(1);
    let chase = world.app.world().get::<Chasing>(guard).copied();
    let chase = chase.expect("the walk began");
    world.world().entity_mut(guard).insert(chase);
    world.seconds(4);
    assert_eq!(world.cell(guard), Cell::new(6, 0));
    assert_eq!(walk_ends(&mut world), 0, "an end of a walk was left over");
}

#[test]
fn guard_stands_on_post() {
    let mut world = with_behaviours(&[
        ".......", //
        "...#...", "...#...",
    ]);
    let guard = npc(&mut world, (0, 2));
    world
        .world()
        .entity_mut(guard)
        .insert(GoTo(Cell::new(6, 2)));
    world.seconds(4);
    assert_eq!(world.cell(guard), Cell::new(6, 2));
    assert_eq!(activity(&world, guard), Activity::Idle);
    assert!(world.app.world().get::<GoTo>(guard).is_none());
    assert_eq!(
        changes(&world, guard),
        [
            (Activity::Walking, ActivityCause::Ordered),
            (Activity::Idle, ActivityCause::Arrived)
        ]
    );
    assert_eq!(walk_ends(&mut world), 0, "an end of a walk was left over");
}

#[test]
fn cancelled_walk_stops() {
    let mut world = open_with_behaviours(20, 3);
    let walker = npc(&mut world, (0, 1));
    world
        .world()
        .entity_mut(walker)
        .insert(GoTo(Cell::new(19, 1)));
    world.seconds(2);
    world.world().entity_mut(walker).remove::<GoTo>();
    world.tick(1);
    let cell = world.cell(walker);
    world.seconds(3);
    assert_eq!(world.cell(walker), cell);
    assert!(world.app.world().get::<Chasing>(walker).is_none());
    assert_eq!(walk_ends(&mut world), 0);
}

#[test]
fn redirected_walker_turns_at_once() {
    let mut world = open_with_behaviours(21, 3);
    let walker = npc(&mut world, (10, 1));
    world
        .world()
        .entity_mut(walker)
        .insert(GoTo(Cell::new(20, 1)));
    world.seconds(1);
    assert!(world.cell(walker).x > 10);
    world
        .world()
        .entity_mut(walker)
        .insert(GoTo(Cell::new(0, 1)));
    world.seconds(5);
    assert_eq!(world.cell(walker), Cell::new(0, 1));
    assert_eq!(walk_ends(&mut world), 0);
}

#[test]
fn walk_resumes_after_chase() {
    let mut world = open_with_behaviours(30, 9);
    let walker = npc(&mut world, (0, 4));
    world
        .world()
        .entity_mut(walker)
        .insert(GoTo(Cell::new(29, 4)));
    world.seconds(2);
    let player = world.target((5, 0));
    world.chase(walker, player);
    world.seconds(2);
    assert_eq!(activity(&world, walker), Activity::InReach);
    world.world().entity_mut(walker).remove::<Chasing>();
    world.seconds(8);
    assert_eq!(world.cell(walker), Cell::new(29, 4));
}

#[test]
fn large_bodies_cover_their_destination() {
    let mut world = open_with_behaviours(20, 20);
    let walker = npc(&mut world, (2, 2));
    let body = Body::solid(Footprint::new(3).unwrap());
    world
        .world()
        .entity_mut(walker)
        .insert((body, GoTo(Cell::new(15, 15))));
    world.seconds(6);
    let area = Footprint::new(3).unwrap().area(world.cell(walker));
    assert!(area.contains(Cell::new(15, 15)), "stands at {area:?}");
    assert!(world.app.world().get::<GoTo>(walker).is_none());
}

#[test]
fn occupied_destination() {
    let mut world = open_with_behaviours(12, 5);
    let idle = (CellPosition::new(9, 2), OnMap(world.map), Body::default());
    world.world().spawn(idle);
    let walker = npc(&mut world, (0, 2));
    world
        .world()
        .entity_mut(walker)
        .insert((Body::default(), GoTo(Cell::new(9, 2))));
    world.seconds(8);
    assert!(world.app.world().get::<GoTo>(walker).is_none());
    assert_eq!(world.cell(walker).chebyshev(Cell::new(9, 2)), 1);
}

#[test]
fn patrol_waits_and_turns() {
    let mut world = open_with_behaviours(12, 3);
    let guard = npc(&mut world, (1, 1));
    let wait = Period::from_millis(1000);
    let stops = [3, 6, 9].map(|x| PatrolStop {
        cell: Cell::new(x, 1),
        wait,
    });
    let patrol = Patrol::new(PatrolOrder::PingPong, stops);
    world.world().entity_mut(guard).insert(patrol);
    let mut seen: Vec<(u16, u64)> = Vec::new();
    for tick in 0..30 * 20 {
        world.tick(1);
        let x = world.cell(guard).x;
        match seen.last_mut() {
            Some((last, ticks)) if *last == x => *ticks += 1,
            _ => seen.push((x, 1)),
        }
        assert_eq!(world.cell(guard).y, 1, "tick {tick}");
    }
    let waits = |&&(_, ticks): &&(u16, u64)| ticks > 2 * STEP_TICKS;
    let stands: Vec<u16> = seen.iter().filter(waits).map(|&(x, _)| x).collect();
    assert_eq!(stands[..6], [3, 6, 9, 6, 3, 6], "of {seen:?}");
}

#[test]
fn patrol_resumes_at_same_stop() {
    let mut world = open_with_behaviours(30, 9);
    let guard = npc(&mut world, (0, 4));
    let patrol = Patrol::new(PatrolOrder::Loop, [Cell::new(20, 4), Cell::new(2, 4)]);
    world.world().entity_mut(guard).insert(patrol);
    world.seconds(2);
    let player = world.target((8, 8));
    world.chase(guard, player);
    world.seconds(3);
    world.world().despawn(player);
    world.tick_until(|world| world.cell(guard) == Cell::new(20, 4));
}

#[test]
fn unreachable_stop_is_skipped() {
    let mut world = with_behaviours(&[
        "......#.", //
        "......##", "........",
    ]);
    let guard = npc(&mut world, (0, 0));
    let stops = [Cell::new(7, 0), Cell::new(0, 2)];
    let give_up = GiveUp {
        unreachable: Some(Period::from_millis(3000)),
        ..GiveUp::default()
    };
    let patrol = Patrol::new(PatrolOrder::Once, stops);
    world.world().entity_mut(guard).insert((patrol, give_up));
    world.seconds(15);
    assert_eq!(world.cell(guard), Cell::new(0, 2));
}

#[test]
fn pushed_npc_returns_home() {
    let mut world = open_with_behaviours(20, 9);
    let guard = npc(&mut world, (4, 4));
    world
        .world()
        .entity_mut(guard)
        .insert(Home(Cell::new(4, 4)));
    world.seconds(1);
    assert_eq!(changes(&world, guard), []);
    world.put(guard, (9, 7));
    world.seconds(3);
    assert_eq!(world.cell(guard), Cell::new(4, 4));
    assert_eq!(activity(&world, guard), Activity::Idle);
}

/// The ends of walks, in order.
#[derive(Resource, Default)]
struct Ends(Vec<GoToEnded>);

fn note_ends(world: &mut TestWorld) {
    world.world().init_resource::<Ends>();
    let note = |ended: On<GoToEnded>, mut ends: ResMut<Ends>| ends.0.push(*ended.event());
    world.world().add_observer(note);
}

fn ends(world: &TestWorld, agent: Entity) -> Vec<GoToEnd> {
    let ends = world.app.world().resource::<Ends>().0.iter();
    let of_agent = ends.filter(|ended| ended.agent == agent);
    of_agent.map(|ended| ended.end).collect()
}

#[test]
fn barred_way_to_taken_cell() {
    let mut world = with_behaviours(&[".C....21."]);
    note_ends(&mut world);
    world.insert('1', Body::default());
    world.insert('2', Body::default());
    let (walker, to) = (world.agent('C'), world.cell('1'));
    world
        .world()
        .entity_mut(walker)
        .insert((Body::default(), GoTo(to)));
    world.seconds(10);
    assert_eq!(ends(&world, walker), [GoToEnd::Taken]);
    assert_eq!(world.cell(walker), Cell::new(5, 0));
}

/// The walkers go one after the other, so that each finds the others at rest.
#[test]
fn walkers_surround_one_cell() {
    for (side, nearest) in [(21, 1), (3, 6)] {
        let mut world = open_with_behaviours(30, side);
        note_ends(&mut world);
        let to = Cell::new(15, side / 2);
        let mut crowd = Vec::new();
        for number in 0..9 {
            let walker = npc(&mut world, (number % 3, number / 3 % side));
            world
                .world()
                .entity_mut(walker)
                .insert((Body::default(), GoTo(to)));
            crowd.push(walker);
            world.seconds(3);
        }
        world.seconds(30);
        for &walker in &crowd {
            let end = [if world.cell(walker) == to {
                GoToEnd::Arrived
            } else {
                GoToEnd::Taken
            }];
            assert_eq!(ends(&world, walker), end, "at {}", world.cell(walker));
            assert!(world.cell(walker).chebyshev(to) <= nearest);
        }
        assert_eq!(walk_ends(&mut world), 0);
    }
}

#[test]
fn barred_stop_is_skipped() {
    let give_up = GiveUp {
        unreachable: Some(Period::from_millis(3000)),
        ..GiveUp::default()
    };
    for (gives_up, end) in [(true, GoToEnd::Unreachable), (false, GoToEnd::Stuck)] {
        let mut world = with_behaviours(&["...........", "##########.", "..........."]);
        note_ends(&mut world);
        let idle = (CellPosition::new(6, 0), OnMap(world.map), Body::default());
        world.world().spawn(idle);
        let guard = npc(&mut world, (2, 0));
        let patrol = Patrol::new(PatrolOrder::Loop, [Cell::new(9, 0), Cell::new(0, 0)]);
        let mut agent = world.world().entity_mut(guard);
        agent.insert((patrol, Body::default()));
        if gives_up {
            agent.insert(give_up);
        } else {
            agent.insert(StuckWatch::default());
        }
        world.seconds(40);
        let found = ends(&world, guard);
        assert!(
            found.starts_with(&[end, GoToEnd::Arrived, end]),
            "{found:?}"
        );
    }
}

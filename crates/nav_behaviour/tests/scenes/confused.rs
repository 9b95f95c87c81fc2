//! Confusion: random legal steps for a time, and what goes on afterwards.

use super::scene::{TestWorld, activity, changes, open_with_behaviours, with_behaviours};
use bevy_ecs::prelude::*;
use nav::{AgentId, Body, CellPosition, Chaser, Chasing, OnMap, Paused, Period};
use nav_behaviour::{Activity, ActivityCause, Confused, ConfusionEnded, Flee};
use nav_grid::Cell;
use std::collections::BTreeSet;

const LONG: Period = Period::from_millis(600_000);

fn drunkard(world: &mut TestWorld, at: (u16, u16), id: u32) -> Entity {
    let place = (CellPosition::at(Cell::from(at)), OnMap(world.map));
    let npc = (
        Chaser::default(),
        place,
        Confused::for_period(LONG),
        AgentId(id),
    );
    world.world().spawn(npc).id()
}

/// The cells of an agent, tick by tick.
fn track(world: &mut TestWorld, npc: Entity, ticks: u64) -> Vec<Cell> {
    let tick = |_| {
        world.tick(1);
        world.cell(npc)
    };
    (0..ticks).map(tick).collect()
}

#[test]
fn legal_steps_at_its_pace() {
    let mut world = with_behaviours(&["....#...", "..#.....", ".....#..", "#......."]);
    let npc = drunkard(&mut world, (3, 2), 30);
    let track = track(&mut world, npc, 2000);
    let mut steps = 0;
    for pair in track.windows(2).filter(|pair| pair[0] != pair[1]) {
        let is_legal = world
            .grid()
            .allows_step(pair[0], pair[1], Chaser::default().rules);
        assert!(is_legal, "{pair:?}");
        steps += 1;
    }
    assert!((398..=401).contains(&steps), "{steps} steps in 100 s");
    let cells: BTreeSet<Cell> = track.into_iter().collect();
    assert_eq!(
        cells.len(),
        world.grid().walkable_cells().count(),
        "all ground is visited"
    );
}

#[test]
fn numbers_decide() {
    let track = |ids: [u32; 2]| {
        let mut world = open_with_behaviours(40, 40);
        let npcs = ids.map(|id| drunkard(&mut world, (20, 20), id));
        track(&mut world, npcs[0], 400)
    };
    let first = track([40, 41]);
    assert_eq!(track([40, 90]), first);
    assert_ne!(track([41, 40]), first);
}

#[test]
fn chase_goes_on() {
    let mut world = open_with_behaviours(40, 20);
    world.world().init_resource::<Ends>();
    world
        .world()
        .add_observer(|ended: On<ConfusionEnded>, mut ends: ResMut<Ends>| ends.0.push(ended.agent));
    let player = world.target((30, 10));
    let npc = world.chaser((10, 10), player);
    world.insert(npc, Confused::for_period(Period::from_millis(2000)));
    world.tick(39);
    assert_eq!(activity(&world, npc), Activity::Confused);
    assert!(world.app.world().get::<Chasing>(npc).is_none());
    assert!(world.cell(npc).x < 19);
    world.tick(3);
    assert_eq!(activity(&world, npc), Activity::Chasing);
    assert_eq!(world.app.world().resource::<Ends>().0, [npc]);
    assert_eq!(
        changes(&world, npc).last(),
        Some(&(Activity::Chasing, ActivityCause::Calmed))
    );
    world.tick_until(|world| world.is_beside(npc, player));
}

#[derive(Resource, Default)]
struct Ends(Vec<Entity>);

#[test]
fn bodies_and_pauses() {
    let mut world = with_behaviours(&["#####", "#...#", "#####"]);
    let npcs = [1, 2, 3].map(|x| {
        let npc = drunkard(&mut world, (x, 1), 50 + u32::from(x));
        world.insert(npc, Body::default());
        npc
    });
    world.seconds(10);
    // There is no room for any of them.
    assert_eq!(npcs.map(|npc| world.cell(npc).x), [1, 2, 3]);
    world.world().entity_mut(npcs[2]).despawn();
    world.insert(npcs[0], Paused::default());
    let track = track(&mut world, npcs[1], 100);
    assert_eq!(world.cell(npcs[0]).x, 1);
    assert!(track.iter().any(|cell| cell.x == 3) && track.iter().all(|cell| cell.x > 1));
}

#[test]
fn before_flight() {
    let mut world = open_with_behaviours(60, 20);
    let npc = drunkard(&mut world, (30, 10), 60);
    world.insert(npc, Confused::for_period(Period::from_millis(3000)));
    world.insert(npc, Flee::from_cell(Cell::new(30, 10)).with_distance(8));
    world.seconds(3);
    assert_eq!(activity(&world, npc), Activity::Confused);
    world.tick(3);
    assert_eq!(activity(&world, npc), Activity::Fleeing);
    world.seconds(4);
    assert_eq!(world.cell(npc).chebyshev(Cell::new(30, 10)), 8);
    let doings: Vec<Activity> = changes(&world, npc).iter().map(|it| it.0).collect();
    assert_eq!(
        doings,
        [Activity::Confused, Activity::Fleeing, Activity::Idle]
    );
}

//! Worlds of agents that flee or are confused: loaded ones continue like the original.

use super::scene::loaded;
use bevy_ecs::prelude::*;
use nav::{
    AgentId, Body, CellPosition, Chaser, Chasing, GoTo, OnMap, Period,
    groups::{InGroup, TargetGroup},
};
use nav_behaviour::{Confused, Flee, FleeUntil, Home, Interrupted};
use nav_grid::Cell;
use nav_tests::{TestWorld, sample, scenes::app_with_behaviours, scenes::place};

/// Ticks for which the two worlds are compared.
const COMPARED: u64 = 200;

/// A world of wolves that hunt, and villagers that flee from them, from the pack and from a cell.
fn hunted() -> TestWorld {
    let grid = mapgen::generate(mapgen::Kind::Rooms, 60, 48, 7).unwrap();
    let ground: Vec<Cell> = grid.walkable_cells().collect();
    let mut world = TestWorld::with_app(app_with_behaviours(), grid);
    let pack = world.world().spawn(TargetGroup).id();
    let player = world.target(place(&ground, 3));
    let mut wolves = Vec::new();
    for n in 0..6 {
        let wolf = world.chaser(place(&ground, n), player);
        world.insert(wolf, InGroup(pack));
        wolves.push(wolf);
    }
    for n in 0..60_u32 {
        let at = place(&ground, n as usize + 20);
        let of_place = (CellPosition::at(at), OnMap(world.map));
        let flee = match n % 3 {
            0 => Flee::from_danger(wolves[n as usize % 6]),
            1 => Flee::from_danger(pack),
            _ => Flee::from_cell(place(&ground, 9)),
        };
        let until = match n % 4 {
            0 | 1 => FleeUntil::Over(Period::from_millis(2000 + n * 150)),
            2 => FleeUntil::FarEnough,
            _ => FleeUntil::OutOfSight,
        };
        let flee = flee.with_distance(8 + n as u16 % 9).until(until);
        let villager = (Chaser::default(), of_place, Home(at), flee);
        let mut villager = world.world().spawn(villager);
        match n % 5 {
            0 => _ = villager.insert(Confused::for_period(Period::from_millis(n * 100))),
            1 => _ = villager.insert(Body::default()),
            2 => _ = villager.insert(Chasing(player)),
            3 => _ = villager.insert(GoTo(place(&ground, 50))),
            _ => {}
        }
    }
    world
}

#[test]
fn flights_continue() {
    let mut counts = [0; 3];
    for saved_at in sample([60, 1, 2, 24, 130], 2) {
        let mut original = hunted();
        original.tick(saved_at);
        let world = original.world();
        let (mut all, mut fleeing) = (world.query::<&Interrupted>(), world.query::<&Flee>());
        let mut confused = world.query::<&Confused>();
        counts[0] += all.iter(world).filter(|it| it.target().is_some()).count();
        counts[1] += fleeing.iter(world).count();
        counts[2] += confused.iter(world).count();
        let (mut loaded, _) = loaded(&mut original);
        assert_eq!(loaded.digest(), original.digest(), "as saved at {saved_at}");
        for tick in saved_at..saved_at + COMPARED {
            original.tick(1);
            loaded.tick(1);
            assert_eq!(loaded.digest(), original.digest(), "{saved_at} to {tick}");
        }
    }
    let [interrupted, fleeing, confused] = counts;
    assert!(
        interrupted > 5 && fleeing > 30 && confused > 5,
        "{counts:?}"
    );
}

/// A loaded world refers to its own agents.
#[test]
fn dangers_are_renamed() {
    let mut original = hunted();
    original.tick(3);
    let (loaded, entities) = loaded(&mut original);
    let mut of_original = original.world().query::<(Entity, &AgentId, &Flee)>();
    for (agent, id, flee) in of_original.iter(original.app.world()) {
        let same = loaded.app.world().get::<Flee>(entities[&agent]).unwrap();
        match (flee.from, same.from) {
            (nav_behaviour::FleeFrom::Danger(before), nav_behaviour::FleeFrom::Danger(now)) => {
                assert_eq!(entities[&before], now, "{id:?}");
            }
            (before, now) => assert_eq!(before, now, "{id:?}"),
        }
    }
}

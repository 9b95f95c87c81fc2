//! Worlds of agents that choose by threat, and of agents that wander: loaded ones continue like the
//! original.

use super::scene::loaded;
use bevy_ecs::prelude::*;
use nav::{AgentId, CellPosition, Chaser, GoTo, NavClock, OnMap, Period};
use nav_behaviour::{GiveUp, Home, Leash, Threat, Wander};
use nav_grid::Cell;
use nav_tests::{TestWorld, sample, scenes::app_with_behaviours, scenes::place};

/// Ticks for which the two worlds are compared.
const COMPARED: u64 = 200;

/// A world of players, of which one is despawned and one may be on a rock, and NPCs with lists.
fn threatened() -> (TestWorld, Vec<Entity>) {
    let grid = mapgen::generate(mapgen::Kind::Rooms, 40, 32, 11).unwrap();
    let ground: Vec<Cell> = grid.walkable_cells().collect();
    let mut world = TestWorld::with_app(app_with_behaviours(), grid);
    let players: Vec<Entity> = (0..6).map(|n| world.target(place(&ground, n))).collect();
    for n in 0..30 {
        let at = place(&ground, n + 20);
        let place = (CellPosition::at(at), OnMap(world.map));
        let mut threat = Threat::default();
        for (m, &player) in players.iter().enumerate() {
            threat.add(player, (n * m) as u32 % 7);
        }
        let give_up = GiveUp {
            unreachable: Some(Period::from_millis(1500)),
            ignores_for: Period::from_millis(3000),
            ..GiveUp::default()
        };
        let npc = (Chaser::default(), place, threat, give_up);
        let mut npc = world.world().spawn(npc);
        if n % 3 == 0 {
            npc.insert((Leash::new(12), Home(at)));
        }
    }
    (world, players)
}

/// Runs a tick of fights. The same in both worlds, by the numbers of agents.
fn fight(world: &mut TestWorld, players: &[Entity], tick: u64) {
    let clock: NavClock = *world.clock();
    let mut lists = world.world().query::<(&AgentId, &mut Threat)>();
    for (id, mut threat) in lists.iter_mut(world.app.world_mut()) {
        let number = u64::from(id.0) * 31 + tick * 7;
        let player = players[(number % 6) as usize];
        match number % 50 {
            0..=5 => threat.add(player, (number % 90) as u32),
            6 => threat.scale(player, 50),
            7 => threat.taunt(player, &clock, Period::from_millis(700)),
            8 => _ = threat.remove(player),
            _ => {}
        }
    }
    // In a tick before one in which worlds are saved.
    if tick == 89 {
        world.world().despawn(players[2]);
    }
    world.tick(1);
}

#[test]
fn threat_continues() {
    for saved_at in sample([90, 1, 40, 97, 150], 2) {
        let (mut original, players) = threatened();
        for tick in 0..saved_at {
            fight(&mut original, &players, tick);
        }
        let (mut loaded, entities) = loaded(&mut original);
        // A despawned player is none of the save, unless a list still names it.
        let gone = loaded.world().spawn_empty().id();
        let same = |player| entities.get(player).copied().unwrap_or(gone);
        let same: Vec<Entity> = players.iter().map(same).collect();
        assert_eq!(loaded.digest(), original.digest(), "as saved");
        for tick in saved_at..saved_at + COMPARED {
            fight(&mut original, &players, tick);
            fight(&mut loaded, &same, tick);
            assert_eq!(loaded.digest(), original.digest(), "{saved_at} to {tick}");
        }
    }
}

#[test]
fn wanderers_continue() {
    let mut walking = 0;
    for saved_at in sample([60, 1, 2, 24, 333], 2) {
        let grid = mapgen::generate(mapgen::Kind::Rooms, 60, 48, 7).unwrap();
        let ground: Vec<Cell> = grid.walkable_cells().collect();
        let mut original = TestWorld::with_app(app_with_behaviours(), grid);
        for n in 0..150 {
            let place = (CellPosition::at(place(&ground, n)), OnMap(original.map));
            let radius = 3 + n as u16 % 30;
            let pauses = [0, 1500].map(Period::from_millis);
            let wander = Wander::new(radius).with_pauses(pauses[0], pauses[1]);
            original.world().spawn((Chaser::default(), place, wander));
        }
        original.tick(saved_at);
        let mut walks = original.world().query::<&GoTo>();
        walking += walks.iter(original.app.world()).count();
        let (mut loaded, _) = loaded(&mut original);
        for tick in saved_at..saved_at + COMPARED {
            original.tick(1);
            loaded.tick(1);
            assert_eq!(loaded.digest(), original.digest(), "{saved_at} to {tick}");
        }
    }
    assert!(walking > 50, "{walking} were on a walk");
}

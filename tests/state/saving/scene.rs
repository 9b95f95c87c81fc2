//! Worlds that are saved, and the calls by which a game saves and loads them.

use crate::behaviour::all::give_all_behaviours;
use bevy_ecs::{entity::EntityHashMap, prelude::*};
use nav::{
    Chaser, Chasing, WorldPosition,
    saving::{self, NavSave},
};
use nav_tests::{
    TestWorld,
    scenes::{app_with_components, place, step},
};

/// Makes a world in which every component has a value other than its default.
pub fn busy() -> (TestWorld, Entity, Entity) {
    let rows = [
        "....................",
        "..........#.........",
        "..........#.........",
        "..........#.........",
        "....................",
    ];
    let mut world = TestWorld::with_app(app_with_components(), &rows);
    let target = world.target((16, 2));
    let chaser = world.chaser((2, 2), target);
    world.put_at(target, 15.75, 2.125);
    let at = WorldPosition([2.0, 0.0, 2.0]);
    world.world().entity_mut(chaser).insert(at);
    world.tick(17);
    (world, chaser, target)
}

/// Makes the same world with an agent that has all components of behaviours.
pub fn behaving() -> (TestWorld, Entity) {
    let (mut world, agent, _) = busy();
    give_all_behaviours(&mut world, agent);
    (world, agent)
}

/// Saves a world as a game would.
pub fn save(world: &mut World) -> String {
    serde_json::to_string(&saving::save(world).unwrap()).unwrap()
}

/// Makes a world without maps or agents, whose entities differ from those of the saved world.
pub fn fresh() -> TestWorld {
    empty(TestWorld::with_app(app_with_components(), &["."]))
}

pub fn empty(mut world: TestWorld) -> TestWorld {
    let map = world.map;
    world.world().despawn(map);
    world.world().spawn_batch((0..100).map(|_| ()));
    world
}

pub fn load(world: &mut World, save: &str) -> EntityHashMap<Entity> {
    let save: NavSave = serde_json::from_str(save).unwrap();
    save.restore(world).unwrap()
}

/// Makes two rooms, a closed one, moving and standing targets: chases in every state.
pub fn mid_chase(ticks: u64) -> (TestWorld, Vec<Entity>, Vec<Entity>) {
    let grid = mapgen::generate(mapgen::Kind::Rooms, 40, 32, 11).unwrap();
    let ground: Vec<_> = grid.walkable_cells().collect();
    let mut world = TestWorld::on(grid);
    let pick = |n: usize| place(&ground, n);
    let targets: Vec<Entity> = (0..4).map(|n| world.target(pick(n))).collect();
    let mut chasers: Vec<Entity> = (0..60)
        .map(|n| world.chaser(pick(n + 10), targets[n % 4]))
        .collect();
    // Chasers that fail again and again after moving targets, chasers that wait for a change of
    // standing ones, and chasers with long ways of their own.
    let narrow = |expansions| Chaser {
        limits: nav_grid::Limits {
            expansions,
            ..nav_grid::Limits::default()
        },
        ..Chaser::classic()
    };
    for n in 0..12 {
        chasers.push(world.chaser_with(narrow(2), pick(n + 200), targets[n % 4]));
        let alone = world.target(pick(n + 300));
        chasers.push(world.chaser_with(narrow(2), pick(n + 220), alone));
        let alone = world.target(pick(n + 320));
        chasers.push(world.chaser(pick(n + 240), alone));
    }
    // A chain of chasers, and one chase that is called off.
    for n in 0..5 {
        chasers.push(world.chaser(pick(n + 100), chasers[n]));
    }
    world.world().entity_mut(chasers[7]).remove::<Chasing>();
    for tick in 0..ticks {
        walk(&mut world, &targets, tick);
    }
    (world, targets, chasers)
}

/// Runs a tick in which two of the targets may move a cell.
pub fn walk(world: &mut TestWorld, targets: &[Entity], tick: u64) {
    if tick.is_multiple_of(6) {
        for (n, &target) in targets.iter().take(2).enumerate() {
            step(world, target, |count| (tick as usize / 6 + n) % count);
        }
    }
    world.tick(1);
}

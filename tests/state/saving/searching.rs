//! Worlds of guards that lose their targets: loaded ones continue like the original.

use super::scene::loaded;
use bevy_ecs::prelude::*;
use nav::{CellPosition, Chaser, OnMap};
use nav_behaviour::{Home, Memory, Notice, Noticeable, Searching, ViewCone};
use nav_grid::{Cell, Direction};
use nav_tests::{STEP_TICKS, TestWorld, sample, scenes::app_with_behaviours, scenes::place};

/// Steps of the players for which the two worlds are compared.
const COMPARED: usize = 60;

/// Guards in rooms that players run through.
fn rooms() -> (TestWorld, Vec<Cell>, Vec<Entity>) {
    let grid = mapgen::generate(mapgen::Kind::Rooms, 48, 48, 5).unwrap();
    let ground: Vec<Cell> = grid.walkable_cells().collect();
    let mut world = TestWorld::with_app(app_with_behaviours(), grid);
    for n in 0..40 {
        let at = place(&ground, n);
        let notice = Notice {
            needs_sight: true,
            ..Notice::new(9)
        };
        let cone = ViewCone::new(150, Direction::ALL[n % 8]);
        let of_place = (CellPosition::at(at), OnMap(world.map), Home(at));
        let guard = (Chaser::default(), notice, Memory::default(), cone);
        world.world().spawn((guard, of_place));
    }
    let players = (0..3).map(|n| {
        let player = world.target(place(&ground, 50 + n));
        world.insert(player, Noticeable::default());
        player
    });
    let players = players.collect();
    (world, ground, players)
}

#[test]
fn searches_continue() {
    let (mut searching, mut looking) = (0, 0);
    for saved_at in sample([40, 1, 9, 23, 90], 2) {
        let (mut original, ground, players) = rooms();
        let cell = |step: usize, player: usize| place(&ground, step / 6 * 7 + player * 31);
        for step in 0..saved_at {
            for (number, &player) in players.iter().enumerate() {
                original.put(player, cell(step, number));
            }
            original.tick(STEP_TICKS);
        }
        let mut searches = original.world().query::<&Searching>();
        for search in searches.iter(original.app.world()) {
            searching += 1;
            looking += usize::from(search.looks_around());
        }
        let (mut loaded, entities) = loaded(&mut original);
        assert_eq!(loaded.digest(), original.digest(), "as saved at {saved_at}");
        for step in saved_at..saved_at + COMPARED {
            for (number, &player) in players.iter().enumerate() {
                original.put(player, cell(step, number));
                loaded.put(entities[&player], cell(step, number));
            }
            for _ in 0..STEP_TICKS {
                original.tick(1);
                loaded.tick(1);
                assert_eq!(loaded.digest(), original.digest(), "{saved_at} to {step}");
            }
        }
    }
    assert!(searching > 3 && looking > 0, "{searching}, {looking}");
}

//! Worlds of chasers that come from a side or catch up: loaded ones continue like the original.

use super::scene::loaded;
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, Chaser, OnMap};
use nav_behaviour::{Approach, ApproachSide, CatchUp, Formation, FormationShape, InFormation};
use nav_grid::Grid;
use nav_tests::{STEP_TICKS, TestWorld, sample, scenes::app_with_behaviours};

/// Steps of the player for which the two worlds are compared.
const COMPARED: u16 = 40;

/// A player that a squad follows and a pack hunts.
fn hunted() -> (TestWorld, Entity) {
    let grid = Grid::open(120, 40).unwrap();
    let mut world = TestWorld::with_app(app_with_behaviours(), grid);
    let player = world.target((20, 20));
    world.insert(player, Formation::new(FormationShape::Wedge));
    for n in 0..6 {
        let sides = [
            ApproachSide::Behind,
            ApproachSide::Beside,
            ApproachSide::InFront,
        ];
        let npc = world.chaser((40 + 2 * n, 15 + n), player);
        let parts = (Body::default(), Approach::new(sides[usize::from(n) % 3]));
        world.insert(npc, parts);
        let place = (CellPosition::new(6, 15 + n), OnMap(world.map));
        let member = (Chaser::default(), InFormation(player), CatchUp::default());
        world.world().spawn((member, place));
    }
    (world, player)
}

#[test]
fn sides_and_paces_continue() {
    let mut counts = [0; 2];
    for saved_at in sample([18, 1, 2, 8, 30], 2) {
        let (mut original, player) = hunted();
        for x in 0..saved_at {
            original.put(player, (21 + x, 20));
            original.tick(STEP_TICKS);
        }
        let world = original.world();
        let (mut sides, mut paces) = (world.query::<&Approach>(), world.query::<&CatchUp>());
        counts[0] += sides.iter(world).filter(|it| it.aim().is_some()).count();
        counts[1] += paces.iter(world).filter(|it| it.is_catching_up()).count();
        let (mut loaded, entities) = loaded(&mut original);
        assert_eq!(loaded.digest(), original.digest(), "as saved at {saved_at}");
        for step in 0..COMPARED {
            // It stands from half of the way on.
            let x = 21 + saved_at + step.min(COMPARED / 2);
            original.put(player, (x, 20));
            loaded.put(entities[&player], (x, 20));
            for _ in 0..STEP_TICKS {
                original.tick(1);
                loaded.tick(1);
                assert_eq!(loaded.digest(), original.digest(), "{saved_at} and {step}");
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

//! Values that are not finite numbers.

use crate::bodies::scene::not_in_reach;
use nav::{CellPosition, Chaser, WorldPosition};
use nav_grid::Cell;
use nav_tests::{TestWorld, pairs, sample};

#[test]
fn position_that_is_no_number() {
    for position in [
        [f64::NAN, 0.0, 10.0],
        [10.0, 0.0, f64::NAN],
        [f64::NAN, f64::NAN, f64::NAN],
        [f64::INFINITY, 0.0, 10.0],
        [f64::NEG_INFINITY, 0.0, f64::NEG_INFINITY],
        [-1e300, 0.0, 1e300],
    ] {
        let mut world = TestWorld::open(40, 40);
        let target = world.target((20, 20));
        let pack: Vec<_> = (0..4).map(|n| world.chaser((15, 18 + n), target)).collect();
        world.seconds(10);
        let before: Vec<Cell> = pack.iter().map(|&npc| world.cell(npc)).collect();
        world
            .world()
            .entity_mut(target)
            .insert(WorldPosition(position));
        world.seconds(10);
        let at = world.cell(target);
        assert!(
            at == Cell::new(20, 20) || at == CellPosition::OUTSIDE.cell,
            "{position:?}: the target appears at {at}"
        );
        for (&npc, before) in pack.iter().zip(before) {
            assert_eq!(
                world.cell(npc),
                before,
                "{position:?}: nobody goes anywhere"
            );
        }
        // With numbers again, the chase continues.
        world.put_at(target, 25.0, 20.0);
        world.seconds(10);
        let far = not_in_reach(&world, &pack, target);
        assert!(far.is_empty(), "{position:?}: {far:?}");
    }
}

#[test]
fn odd_repath_distances() {
    let distances = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, f32::MAX];
    for (distance, count) in sample(pairs(distances, [1, 6]), 3) {
        let mut world = TestWorld::open(60, 40);
        let target = world.target((20, 20));
        let chaser = Chaser {
            repath_distance: distance,
            ..Chaser::default()
        };
        let pack: Vec<_> = (0..count)
            .map(|n| world.chaser_with(chaser, (12, 16 + n), target))
            .collect();
        world.seconds(10);
        world.put(target, (32, 20));
        world.seconds(20);
        let far = not_in_reach(&world, &pack, target);
        assert!(far.is_empty(), "{distance}, {count} chasers: {far:?}");
    }
}

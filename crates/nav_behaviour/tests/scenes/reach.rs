//! The reach of chasers: hysteresis, sight, and bodies of any size.

use crate::scene::TestWorld;
use nav::{Chaser, Reach};
use nav_grid::Cell;

#[test]
fn hysteresis_of_an_archer() {
    let mut world = TestWorld::open(40, 9);
    let player = world.target((20, 4));
    let archer = Chaser {
        stop_distance: 6,
        stop_hysteresis: 3,
        ..Chaser::default()
    };
    let npc = world.chaser_with(archer, (2, 4), player);
    world.seconds(6);
    assert_eq!(world.cell(npc), Cell::new(14, 4));
    for x in [21, 22, 23, 22, 21, 20, 23] {
        world.put(player, (x, 4));
        world.seconds(2);
        assert_eq!(world.cell(npc), Cell::new(14, 4), "target at {x}");
    }
    world.put(player, (24, 4));
    world.seconds(4);
    assert_eq!(world.cell(npc), Cell::new(18, 4));
}

#[test]
fn archer_at_a_corner() {
    let mut world = TestWorld::new(&[
        "..........", //
        ".....#####",
        ".....#....",
        ".....#....",
        "..........",
        "..........",
    ]);
    // By steps it is near enough at 3,3, but sees the player only from below.
    let player = world.target((7, 2));
    let archer = Chaser {
        stop_distance: 6,
        reach: Reach::Sight,
        ..Chaser::default()
    };
    let npc = world.chaser_with(archer, (1, 0), player);
    world.seconds(6);
    let at = world.cell(npc);
    assert!(
        at.y >= 4 && at.chebyshev(Cell::new(7, 2)) <= 6,
        "shoots from {at}"
    );
    assert_eq!(world.arrivals(npc).len(), 1);
    // The same archer without need of sight stops in front of the wall.
    let blind = Chaser {
        reach: Reach::Steps,
        ..archer
    };
    let npc = world.chaser_with(blind, (1, 0), player);
    world.seconds(6);
    assert!(world.cell(npc).x < 5, "went on to {}", world.cell(npc));
}

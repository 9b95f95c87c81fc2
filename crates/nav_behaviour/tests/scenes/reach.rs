//! The reach of chasers: hysteresis, sight, and bodies of any size.

use crate::scene::TestWorld;
use nav::{Body, CellPosition, Chaser, OnMap, Reach};
use nav_grid::{Cell, Footprint};

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
fn hysteresis_of_a_pack() {
    let mut world = TestWorld::open(40, 40);
    let player = world.target((20, 20));
    let archer = Chaser {
        stop_distance: 6,
        stop_hysteresis: 3,
        ..Chaser::default()
    };
    let pack: Vec<_> = (0..12)
        .map(|n| {
            let npc = world.chaser_with(archer, (2 + n % 4, 18 + n / 4), player);
            world.world().entity_mut(npc).insert(Body::default());
            npc
        })
        .collect();
    world.seconds(10);
    let places: Vec<Cell> = pack.iter().map(|&npc| world.cell(npc)).collect();
    for at in [(21, 20), (22, 21), (21, 20), (20, 19)] {
        world.put(player, at);
        world.seconds(2);
        let now: Vec<Cell> = pack.iter().map(|&npc| world.cell(npc)).collect();
        assert_eq!(now, places, "target at {at:?}");
    }
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

#[test]
fn archers_fill_places_with_sight() {
    let mut world = TestWorld::new(&[
        "..............",
        "..............",
        ".....####.....",
        "........#.....",
        "........#.....",
        "..............",
        "..............",
    ]);
    let player = world.target((7, 3));
    let archer = Chaser {
        stop_distance: 3,
        reach: Reach::Sight,
        ..Chaser::default()
    };
    let pack: Vec<_> = (0..10)
        .map(|n| {
            let npc = world.chaser_with(archer, (n, n % 2), player);
            world.world().entity_mut(npc).insert(Body::default());
            npc
        })
        .collect();
    world.seconds(40);
    let reached = pack.iter().filter(|&&npc| !world.arrivals(npc).is_empty());
    assert_eq!(reached.count(), 10);
}

#[test]
fn distance_from_edge_to_edge() {
    let mut world = TestWorld::open(40, 20);
    let giant = (
        CellPosition::new(20, 8),
        OnMap(world.map),
        Body::solid(Footprint::new(4).unwrap()),
    );
    let giant = world.world().spawn(giant).id();
    for (from, to) in [((2, 9), 17), ((38, 9), 26)] {
        let spear = Chaser {
            stop_distance: 3,
            ..Chaser::default()
        };
        let npc = world.chaser_with(spear, from, giant);
        world.seconds(8);
        assert_eq!(world.cell(npc).x, to, "from {from:?}");
    }
}

//! Rings around standing targets: pushes there are short, and end.

use super::scene::{count_in_reach, guard, tuned, work_of};
use bevy_ecs::prelude::*;
use nav::Chaser;
use nav_grid::{Method, rules::BodyPolicy};
use nav_tests::{TestWorld, apart::Bodies};

#[test]
fn pushes_off_target_are_short() {
    let mut bodies = Bodies::on(TestWorld::open(60, 60));
    let players = [(30, 30), (31, 30)].map(|at| bodies.world.target(at));
    let first: Vec<Entity> = (0..4)
        .map(|n| bodies.solid((25, 28 + n), players[0]))
        .collect();
    bodies.tick(200);
    assert_eq!(count_in_reach(&bodies.world, &first, players[0]), 4);
    for n in 0..24 {
        bodies.solid((40 + n % 4, 27 + n / 4), players[1]);
    }
    // More than two seconds in a row counts as pushed off.
    let mut away = [0; 4];
    for _ in 0..1_200 {
        bodies.tick(1);
        for (chaser, away) in first.iter().zip(&mut away) {
            let near = bodies.world.is_within_reach(*chaser, players[0]);
            *away = if near { 0 } else { *away + 1 };
            assert!(*away <= 40, "{chaser} at {}", bodies.world.cell(*chaser));
        }
    }
}

/// A corridor beside two players with bodies, and an idle body between them. From its left cell
/// only the left player is within reach, from its right cell only the right one, and from the
/// middle both.
const TOO_NARROW: [&str; 3] = [
    "#...#", //
    "#...#", //
    "#####",
];

#[test]
fn mutual_pushes_end() {
    let mut bodies = Bodies::new(&TOO_NARROW);
    let [left, _, right] = [1, 2, 3].map(|column| guard(&mut bodies, (column, 0)));
    // Each chaser is on the side of the other's player, and there is no room to pass.
    let pack = [((3, 1), left), ((1, 1), right)].map(|(at, player)| bodies.solid(at, player));
    // Pushing ends half a minute after the targets stop.
    bodies.tick(60 * nav_tests::TICK_RATE);
    let (steps, searches) = work_of(&mut bodies, 60);
    assert_eq!(steps, 0, "steps in a minute");
    assert!(searches <= 2, "{searches} searches");
    let near = count_in_reach(&bodies.world, &pack[..1], left)
        + count_in_reach(&bodies.world, &pack[1..], right);
    assert_eq!(near, 1, "who are beside their player");
}

#[test]
fn avoider_reaches_target_among_bodies() {
    // The cell nearest to the target lies behind a wall, and guards stand in the only way onto it.
    let mut bodies = Bodies::new(&[
        "..............", //
        ".############.",
        "..............",
    ]);
    let target = bodies.world.target((8, 2));
    for place in [(4, 2), (10, 2)] {
        guard(&mut bodies, place);
    }
    let chaser = Chaser {
        stop_distance: 6,
        ..tuned(Method::Auto, BodyPolicy::AvoidAll)
    };
    let archer = bodies.world.chaser_with(chaser, (7, 0), target);
    bodies.tick(30 * nav_tests::TICK_RATE);
    bodies.world.assert_within_reach(archer, target);
    assert_eq!(work_of(&mut bodies, 60), (0, 0));
}

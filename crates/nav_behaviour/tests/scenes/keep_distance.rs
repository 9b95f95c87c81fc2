//! Archers that keep a distance from their targets.

use super::scene::{STEP_TICKS, TestWorld, open_with_behaviours, with_behaviours};
use bevy_ecs::prelude::*;
use nav::{Body, Chaser, Reach};
use nav_behaviour::KeepDistance;
use nav_grid::{Cell, Footprint, PathQuery, Rules, smoothing::LineOfSight};

/// Spawns an archer that keeps four steps away and shoots from six, plus a hysteresis.
fn archer(world: &mut TestWorld, at: (u16, u16), player: Entity, hysteresis: u16) -> Entity {
    let tuning = Chaser {
        stop_distance: 6,
        stop_hysteresis: hysteresis,
        ..Chaser::default()
    };
    let npc = world.chaser_with(tuning, at, player);
    world.insert(npc, KeepDistance { least: 4 });
    npc
}

/// Returns the cells that an agent visits in some ticks, beginning with its own.
fn walk(world: &mut TestWorld, agent: Entity, ticks: u64) -> Vec<Cell> {
    let mut cells = vec![world.cell(agent)];
    for _ in 0..ticks {
        world.tick(1);
        let cell = world.cell(agent);
        if cells.last() != Some(&cell) {
            cells.push(cell);
        }
    }
    cells
}

#[test]
fn archers_step_back() {
    let mut world = open_with_behaviours(40, 21);
    let player = world.target((30, 10));
    let npc = archer(&mut world, (10, 10), player, 0);
    world.seconds(8);
    assert_eq!(world.cell(npc), Cell::new(24, 10));
    // The player comes within a cell of it. It goes to four steps away and no further, one step a
    // move tick.
    world.put(player, (25, 10));
    let way = walk(&mut world, npc, 5 * STEP_TICKS);
    let straight_back = [24, 23, 22, 21].map(|x| Cell::new(x, 10));
    assert_eq!(way, straight_back);
    assert_eq!(
        world.arrivals(npc).len(),
        1,
        "it was within reach all along"
    );
}

#[test]
fn no_steps_to_and_fro() {
    for hysteresis in [0, 3] {
        let mut world = open_with_behaviours(60, 21);
        let player = world.target((30, 10));
        let npc = archer(&mut world, (12, 10), player, hysteresis);
        world.seconds(8);
        for x in [28, 26, 27, 29, 26] {
            world.put(player, (x, 10));
            let way = walk(&mut world, npc, 60);
            // Either each step leads away from the target, or each leads toward it.
            let away: Vec<u16> = way
                .iter()
                .map(|at| at.chebyshev(Cell::new(x, 10)))
                .collect();
            let is_straight = away.is_sorted() || away.iter().rev().is_sorted();
            assert!(is_straight, "{away:?} at {x}, hysteresis {hysteresis}");
            let still = walk(&mut world, npc, 100);
            assert_eq!(still.len(), 1, "{still:?} at {x}, hysteresis {hysteresis}");
            let far = still[0].chebyshev(Cell::new(x, 10));
            assert!(
                (4..=6 + hysteresis).contains(&far),
                "{far} at {x}, hysteresis {hysteresis}"
            );
        }
    }
}

#[test]
fn cornered_archers_stay() {
    let mut world = with_behaviours(&[
        "##########", //
        "#........#",
        "#.######.#",
        "#.#....#.#",
        "##########",
    ]);
    // The corridor on the left is two cells deep.
    let player = world.target((6, 1));
    let npc = archer(&mut world, (3, 1), player, 0);
    world.seconds(4);
    assert_eq!(world.cell(npc), Cell::new(2, 1));
    world.put(player, (2, 1));
    world.tick(1);
    world.put(player, (4, 1));
    world.seconds(5);
    let cornered = Cell::new(1, 3);
    world.put(player, (1, 1));
    world.seconds(5);
    assert_eq!(world.cell(npc), cornered);
    let still = walk(&mut world, npc, 200);
    assert_eq!(still, [cornered]);
}

#[test]
fn target_behind_wall() {
    let mut world = with_behaviours(&[
        "............", //
        ".#########..",
        "............",
        "............",
    ]);
    // Two cells apart in a straight line, and far by steps.
    let player = world.target((3, 0));
    let tuning = Chaser {
        stop_distance: 20,
        ..Chaser::default()
    };
    let npc = world.chaser_with(tuning, (3, 2), player);
    world.insert(npc, KeepDistance { least: 5 });
    let still = walk(&mut world, npc, 100);
    assert_eq!(still, [Cell::new(3, 2)]);
}

#[test]
fn target_stays_in_sight() {
    let mut world = with_behaviours(&[
        "...........#....", //
        "...........#....",
        "................",
        "...........#....",
        "...........#....",
    ]);
    let player = world.target((5, 2));
    let tuning = Chaser {
        stop_distance: 8,
        reach: Reach::Sight,
        ..Chaser::default()
    };
    let npc = world.chaser_with(tuning, (15, 0), player);
    world.insert(npc, KeepDistance { least: 6 });
    world.seconds(8);
    let sees = |world: &TestWorld| {
        let (from, to) = (world.cell(npc), world.cell(player));
        let query = PathQuery::new(from, to).with_rules(Rules::default());
        LineOfSight::new(world.grid(), &query).sees(from, to)
    };
    for at in [(8, 2), (9, 2), (10, 1), (9, 3)] {
        world.put(player, at);
        let mut saw = sees(&world);
        for tick in 0..100 {
            world.tick(1);
            let sees = sees(&world);
            assert!(
                sees || !saw,
                "stepped out of sight of {at:?} in tick {tick}"
            );
            saw = sees;
        }
        assert!(saw, "does not see {at:?} from {}", world.cell(npc));
    }
}

#[test]
fn archers_with_bodies() {
    let mut world = open_with_behaviours(60, 41);
    let player = world.target((30, 20));
    let pack: Vec<Entity> = (0..16)
        .map(|n| {
            let npc = archer(&mut world, (4 + n % 4, 16 + n / 4), player, 2);
            world.insert(npc, Body::default());
            npc
        })
        .collect();
    world.seconds(15);
    // The player steps into their midst; all stand on one side.
    world.put(player, (25, 20));
    world.seconds(15);
    for &npc in &pack {
        let far = world.cell(npc).chebyshev(Cell::new(25, 20));
        assert!((4..=8).contains(&far), "{far} at {}", world.cell(npc));
    }
    let before: Vec<Cell> = pack.iter().map(|&npc| world.cell(npc)).collect();
    world.seconds(10);
    let after: Vec<Cell> = pack.iter().map(|&npc| world.cell(npc)).collect();
    assert_eq!(before, after, "they come to rest");
}

#[test]
fn large_archer_backs_off() {
    let mut world = open_with_behaviours(40, 20);
    let player = world.target((30, 10));
    let npc = archer(&mut world, (10, 9), player, 0);
    world.insert(npc, Body::solid(Footprint::new(3).unwrap()));
    world.seconds(10);
    assert_eq!(world.cell(npc), Cell::new(22, 9), "six steps from its edge");
    world.put(player, (26, 10));
    world.seconds(5);
    assert_eq!(world.cell(npc), Cell::new(20, 9));
}

#[test]
fn chased_archer() {
    let mut world = open_with_behaviours(40, 21);
    let player = world.target((20, 10));
    let npc = archer(&mut world, (15, 10), player, 0);
    let pet = world.chaser((30, 10), npc);
    world.insert(pet, Body::default());
    world.insert(npc, Body::default());
    world.put(player, (17, 10));
    world.seconds(6);
    assert!(world.is_beside(pet, npc));
    assert_eq!(world.cell(npc).chebyshev(Cell::new(17, 10)), 4);
}

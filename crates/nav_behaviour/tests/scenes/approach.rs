//! Sides from which chasers approach: behind, beside and in front of a target with a heading.

use super::scene::{STEP_TICKS, TestWorld, open_with_behaviours, with_behaviours};
use bevy_ecs::prelude::*;
use nav::{Body, ChaseState, Chaser, Heading};
use nav_behaviour::{Approach, ApproachSide, Intercept};
use nav_grid::Cell;

const SIDES: [ApproachSide; 3] = [
    ApproachSide::Behind,
    ApproachSide::Beside,
    ApproachSide::InFront,
];

/// Where a player stands that came from the west.
const PLAYER: (u16, u16) = (30, 20);

/// Places of chasers around it, further away than they head for a side.
const AROUND: [(u16, u16); 8] = [
    (42, 20),
    (42, 32),
    (30, 32),
    (18, 32),
    (18, 20),
    (18, 8),
    (30, 8),
    (42, 8),
];

/// Moves a player east to its place while chasers wait, which then come.
fn come_to(world: &mut TestWorld, player: Entity, chasers: &[Entity]) {
    for x in PLAYER.0 - 5..=PLAYER.0 {
        world.put(player, (x, PLAYER.1));
        world.tick(1);
    }
    world.tick_until(|world| {
        let has_arrived = |&npc: &Entity| world.cursor(npc).state() == ChaseState::Reached;
        chasers.iter().all(has_arrived)
    });
}

/// Columns east of the player, and rows south of it.
fn offset(world: &TestWorld, npc: Entity) -> (i32, i32) {
    let at = world.cell(npc);
    let (x, y) = PLAYER;
    (
        i32::from(at.x) - i32::from(x),
        i32::from(at.y) - i32::from(y),
    )
}

fn is_on(side: ApproachSide, offset: (i32, i32)) -> bool {
    match side {
        ApproachSide::Behind => offset.0 == -1,
        ApproachSide::Beside => offset.0 == 0,
        ApproachSide::InFront => offset.0 == 1,
    }
}

#[test]
fn sides_from_all_around() {
    for (from, side) in AROUND
        .into_iter()
        .flat_map(|from| SIDES.map(|side| (from, side)))
    {
        let mut world = open_with_behaviours(60, 40);
        let player = world.target((PLAYER.0 - 6, PLAYER.1));
        let npc = world.chaser(from, player);
        world.insert(npc, Approach::new(side));
        come_to(&mut world, player, &[npc]);
        let offset = offset(&world, npc);
        assert!(is_on(side, offset), "{side:?} from {from:?}: {offset:?}");
        world.tick(1);
        assert_eq!(world.get::<Approach>(npc).aim(), None);
        assert_eq!(world.get::<Heading>(npc).cell(), None);
    }
}

#[test]
fn archers_behind() {
    for from in AROUND {
        let mut world = open_with_behaviours(60, 40);
        let player = world.target((PLAYER.0 - 6, PLAYER.1));
        let chaser = Chaser {
            stop_distance: 4,
            ..Chaser::default()
        };
        let npc = world.chaser_with(chaser, from, player);
        world.insert(npc, Approach::default());
        come_to(&mut world, player, &[npc]);
        let (dx, dy) = offset(&world, npc);
        assert!(dx == -4 && dy.abs() <= 4, "from {from:?}: {dx}, {dy}");
    }
}

#[test]
fn bodies_share_a_side() {
    let mut world = open_with_behaviours(60, 40);
    let player = world.target((PLAYER.0 - 6, PLAYER.1));
    world.insert(player, Body::default());
    let pack: Vec<Entity> = (0..8).map(|n| world.chaser((42, 16 + n), player)).collect();
    for &npc in &pack {
        world.insert(npc, (Body::default(), Approach::default()));
    }
    come_to(&mut world, player, &pack);
    let behind = pack.iter().filter(|&&npc| offset(&world, npc).0 == -1);
    assert_eq!(behind.count(), 3, "eight bodies fill all around");
}

#[test]
fn wall_leaves_the_front() {
    let mut rows = vec!["#".repeat(60); 40];
    rows[20].replace_range(24..59, &".".repeat(35));
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    for side in SIDES {
        let mut world = with_behaviours(&rows);
        let player = world.target((PLAYER.0 - 6, PLAYER.1));
        let npc = world.chaser((42, 20), player);
        world.insert(npc, Approach::new(side));
        come_to(&mut world, player, &[npc]);
        assert_eq!(offset(&world, npc), (1, 0), "{side:?}");
        assert!(world.failures(npc).is_empty());
    }
}

/// Returns the ticks until a chaser is within reach of a standing player, and its cell there.
fn to_standing(approach: Option<Approach>) -> (u64, Cell) {
    let mut world = open_with_behaviours(60, 40);
    let player = world.target(PLAYER);
    let npc = world.chaser((42, 24), player);
    if let Some(approach) = approach {
        world.insert(npc, approach);
    }
    let ticks = world.tick_until(|world| world.cursor(npc).state() == ChaseState::Reached);
    (ticks, world.cell(npc))
}

#[test]
fn without_heading_as_before() {
    for side in SIDES {
        assert_eq!(to_standing(Some(Approach::new(side))), to_standing(None));
    }
}

#[test]
fn runner_is_caught() {
    for (side, cuts_off) in SIDES
        .into_iter()
        .flat_map(|side| [(side, false), (side, true)])
    {
        let mut world = open_with_behaviours(120, 40);
        let runner = world.target((10, 20));
        let npc = world.chaser((40, 22), runner);
        world.insert(npc, Approach::new(side));
        if cuts_off {
            world.insert(npc, Intercept::new(20));
        }
        let mut is_caught = false;
        for x in 11..100 {
            world.put(runner, (x, 20));
            // Slower than the chaser.
            world.tick(STEP_TICKS + 3);
            is_caught |= world.is_beside(npc, runner);
        }
        assert!(is_caught, "{side:?}, cuts off {cuts_off}");
        world.seconds(1);
        assert!(world.is_beside(npc, runner), "{side:?}");
    }
}

#[test]
fn removed_on_the_way() {
    let mut world = open_with_behaviours(60, 40);
    let player = world.target((PLAYER.0 - 6, PLAYER.1));
    let npc = world.chaser((42, 20), player);
    world.insert(npc, Approach::default());
    for x in PLAYER.0 - 5..=PLAYER.0 {
        world.put(player, (x, PLAYER.1));
        world.tick(1);
    }
    world.tick_until(|world| world.get::<Approach>(npc).aim().is_some());
    assert_eq!(
        world.get::<Heading>(npc).cell(),
        world.get::<Approach>(npc).aim()
    );
    world.world().entity_mut(npc).remove::<Approach>();
    assert_eq!(world.get::<Heading>(npc).cell(), None);
    world.seconds(4);
    assert_eq!(offset(&world, npc).0, 1, "it came on the straight way");
}

#[test]
fn two_chase_each_other() {
    for approach in [None, Some(SIDES[0]), Some(SIDES[1]), Some(SIDES[2])] {
        let mut world = open_with_behaviours(60, 40);
        let one = world.target((10, 20));
        let other = world.chaser((40, 23), one);
        world.world().entity_mut(one).insert(Chaser::default());
        world.chase(one, other);
        for npc in [one, other] {
            world.insert(npc, Body::default());
            if let Some(side) = approach {
                world.insert(npc, Approach::new(side));
            }
        }
        world.seconds(15);
        assert!(world.is_beside(one, other), "{approach:?}");
        let steps = world.diagnostics().total.steps;
        world.seconds(20);
        assert_eq!(world.diagnostics().total.steps, steps, "{approach:?}");
    }
}

//! Doors that are occupied, and doors that open.

use super::scene::{guard, not_in_reach, prepare, tuned, tunings, work_of};
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, ChaseState, Chaser, Chasing};
use nav_grid::{Cell, Grid, Limits, Method, query::Fallback, rules::BodyPolicy};
use nav_tests::{STEP_TICKS, TICK_RATE, TestWorld, apart::Bodies, pairs, sample};

/// Makes a wall at column 20 with a door at row 10 and another `apart` rows below.
fn wall(apart: u16) -> Grid {
    Grid::from_fn(41, 31, |cell| {
        cell.x != 20 || cell.y == 10 || cell.y == 10 + apart
    })
    .unwrap()
}

/// Sets up a wall whose near door is occupied throughout, a target behind it, and a pack in front.
fn at_guarded_door(
    apart: u16,
    count: u16,
    (method, policy): (Method, BodyPolicy),
) -> (Bodies, Entity, Vec<Entity>) {
    let mut bodies = Bodies::on(TestWorld::on(wall(apart)));
    prepare(&mut bodies.world, method);
    guard(&mut bodies, (20, 10));
    let target = bodies.world.target((26, 10));
    let chaser = tuned(method, policy);
    let pack: Vec<Entity> = (0..count)
        .map(|n| {
            let at = (12 + n % 3, 9 + n / 3);
            bodies.spawn(chaser, Body::default(), at, target)
        })
        .collect();
    (bodies, target, pack)
}

/// Returns the cells of the chasers that are not beside the target within a minute.
fn left_behind(apart: u16, count: u16, tuning: (Method, BodyPolicy)) -> Vec<String> {
    let (mut bodies, target, pack) = at_guarded_door(apart, count, tuning);
    let waits = |bodies: &Bodies| !not_in_reach(&bodies.world, &pack, target).is_empty();
    bodies.tick_while(1_200, waits);
    not_in_reach(&bodies.world, &pack, target)
}

fn assert_none(wrong: &[String]) {
    let scenes = wrong.len();
    assert!(scenes == 0, "{scenes} scenes:\n{}", wrong.join("\n"));
}

fn check_doors(tunings: impl Iterator<Item = (Method, BodyPolicy)>, counts: &[u16]) {
    let mut wrong = Vec::new();
    for tuning in tunings {
        for apart in 3..=8 {
            for &count in counts {
                let left = left_behind(apart, count, tuning);
                if !left.is_empty() {
                    let (method, policy) = tuning;
                    wrong.push(format!(
                        "{method} {policy:?}, next door {apart} on: {} of {count} at {left:?}",
                        left.len()
                    ));
                }
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn body_in_near_door() {
    check_doors(
        [(Method::Auto, BodyPolicy::Ignore)].into_iter(),
        &[1, 2, 3, 4, 8],
    );
}

#[test]
fn body_in_door_of_avoiders() {
    let avoid = tunings().filter(|&(_, policy)| policy != BodyPolicy::Ignore);
    check_doors(sample(avoid, 3), &[1, 6]);
}

#[test]
fn body_in_door_every_method() {
    let other = |&(method, policy): &(Method, BodyPolicy)| {
        policy == BodyPolicy::Ignore && method != Method::Auto
    };
    check_doors(sample(tunings().filter(other), 2), &[1, 6]);
}

/// Returns the cells of the chasers that do not get through the wall in a minute and a half, while
/// their target walks to and fro behind it.
fn left_behind_by_a_walker(apart: u16, count: u16, tuning: (Method, BodyPolicy)) -> Vec<String> {
    let (mut bodies, target, pack) = at_guarded_door(apart, count, tuning);
    walk_about(&mut bodies, target);
    left_outside(&bodies, &pack)
}

/// Moves a target to and fro behind the wall for a minute and a half.
fn walk_about(bodies: &mut Bodies, target: Entity) {
    for n in 0..180_u16 {
        let turn = (n % 8).abs_diff(4);
        bodies.world.put(target, (25 + turn, 10));
        bodies.tick(TICK_RATE / 2);
    }
}

/// Returns the cells of the chasers that are not through the wall.
fn left_outside(bodies: &Bodies, pack: &[Entity]) -> Vec<String> {
    let outside = pack.iter().map(|&npc| bodies.world.cell(npc));
    let outside = outside.filter(|cell| cell.x <= 20);
    outside.map(|cell| cell.to_string()).collect()
}

#[test]
fn body_in_door_walking_target() {
    let mut wrong = Vec::new();
    let doors = [(3, 1), (5, 2), (8, 6)];
    for (tuning, (apart, count)) in sample(pairs(tunings(), doors), 11) {
        let left = left_behind_by_a_walker(apart, count, tuning);
        if !left.is_empty() {
            wrong.push(format!(
                "{tuning:?}, next door {apart} on, {count}: {left:?}"
            ));
        }
    }
    assert_none(&wrong);
}

/// Sets up a target, a chaser that waits for it in the near door because guards stand behind, and
/// two chasers that come later.
fn waits_in_door() -> (Bodies, Entity, Entity, Vec<Entity>) {
    let mut bodies = Bodies::on(TestWorld::on(wall(5)));
    for y in 9..=11 {
        guard(&mut bodies, (21, y));
    }
    bodies.world.edit((20, 15), false);
    let target = bodies.world.target((26, 10));
    let first = bodies.solid((20, 10), target);
    for n in 0..6 {
        bodies.world.put(target, (25 + n % 2, 10));
        bodies.tick(TICK_RATE / 2);
    }
    assert_eq!(bodies.world.cell(first), Cell::new(20, 10));
    bodies.world.edit((20, 15), true);
    let others = (0..2).map(|n| bodies.solid((12, 9 + n), target)).collect();
    (bodies, target, first, others)
}

#[test]
fn chase_ended_in_door() {
    let (mut bodies, target, first, others) = waits_in_door();
    bodies.world.world().entity_mut(first).remove::<Chasing>();
    walk_about(&mut bodies, target);
    assert_none(&left_outside(&bodies, &others));
}

#[test]
fn chased_while_waiting_in_door() {
    let (mut bodies, target, first, others) = waits_in_door();
    bodies.world.chaser((2, 10), first);
    walk_about(&mut bodies, target);
    assert_none(&left_outside(&bodies, &others));
}

#[test]
fn guard_leaves_door() {
    // Door 0 rows below: the wall has only one door.
    for tuning in sample(tunings(), 4) {
        let mut bodies = Bodies::on(TestWorld::on(wall(0)));
        prepare(&mut bodies.world, tuning.0);
        let sentry = guard(&mut bodies, (20, 10));
        let target = bodies.world.target((26, 10));
        let chaser = tuned(tuning.0, tuning.1);
        let pack: Vec<Entity> = (0..4)
            .map(|n| bodies.spawn(chaser, Body::default(), (12, 8 + n), target))
            .collect();
        bodies.tick(600);
        bodies.agents.retain(|&agent| agent != sentry);
        bodies.world.world().despawn(sentry);
        bodies.tick(200);
        let left = not_in_reach(&bodies.world, &pack, target);
        assert!(left.is_empty(), "{tuning:?}: {left:?} ten seconds later");
    }
}

#[test]
fn far_avoider_after_body_left() {
    for policy in [BodyPolicy::AvoidAll, BodyPolicy::AvoidNear(20)] {
        let grid = Grid::from_fn(81, 9, |cell| cell.x != 20 || cell.y == 4).unwrap();
        let mut bodies = Bodies::on(TestWorld::on(grid));
        let passer_by = guard(&mut bodies, (20, 4));
        let target = bodies.world.target((70, 4));
        let mut chaser = tuned(Method::Auto, policy);
        chaser.limits.radius = 80;
        chaser.fallback = Fallback::None;
        let chaser = bodies.spawn(chaser, Body::default(), (8, 4), target);
        // While all stand still, the chaser knows the result of another search and makes none.
        bodies.tick(100);
        let work = work_of(&mut bodies, 30);
        assert_eq!(work, (0, 0), "{policy:?}: steps and searches");
        // It waits for five seconds at most, and takes four steps a second.
        let aside = CellPosition::new(22, 1);
        *bodies.world.get_mut::<CellPosition>(passer_by) = aside;
        bodies.tick((5 + 62 / 4 + 1) * TICK_RATE);
        let left = not_in_reach(&bodies.world, &[chaser], target);
        assert!(left.is_empty(), "{policy:?}: at {left:?}");
    }
}

/// Makes a wall at column 20 without a door, or with one far away in row 26.
fn closed(detour: bool) -> Grid {
    Grid::from_fn(41, 31, |cell| cell.x != 20 || (detour && cell.y == 26)).unwrap()
}

/// Opens a door at 20,10 after `wait` ticks. Describes the fault if none of the pack is in it a
/// second later, plus the time of the steps to it.
fn late_at_door(grid: &Grid, chaser: Chaser, count: u16, wait: u64) -> Option<String> {
    let door = Cell::new(20, 10);
    let mut world = TestWorld::on(grid.clone());
    let target = world.target((26, 10));
    let pack: Vec<Entity> = (0..count)
        .map(|n| world.chaser_with(chaser, (18, 9 + n % 3), target))
        .collect();
    world.tick(wait);
    let far = pack.iter().map(|&npc| world.cell(npc).chebyshev(door));
    let far = far.min().unwrap_or_default();
    world.edit(door, true);
    let bound = TICK_RATE + STEP_TICKS * u64::from(far + 1);
    for _ in 0..bound {
        world.tick(1);
        if pack.iter().any(|&npc| world.cell(npc) == door) {
            return None;
        }
    }
    let now = world.cell(pack[0]);
    Some(format!(
        "after {wait} ticks: {far} away, and {bound} later at {now}"
    ))
}

#[test]
fn opened_door_used_at_once() {
    let kinds = [
        ("default", Chaser::default()),
        ("classic", Chaser::classic()),
        (
            "without fallback",
            Chaser {
                fallback: Fallback::None,
                ..Chaser::default()
            },
        ),
        ("by A*", tuned(Method::AStar, BodyPolicy::Ignore)),
        ("avoiding", tuned(Method::Auto, BodyPolicy::AvoidAll)),
    ];
    let mut late = Vec::new();
    for (name, chaser) in kinds {
        // The door must not open just when the longest wait after failures ends.
        let waits = [20, 60, 100, 163, 317, 400, 423];
        for (count, wait) in sample(pairs([1, 6], waits), 9) {
            let mut far = chaser;
            far.limits = Limits::window(20);
            for chaser in [chaser, far] {
                if let Some(text) = late_at_door(&closed(false), chaser, count, wait) {
                    late.push(format!("{count} {name} {text}"));
                }
            }
        }
    }
    assert!(late.is_empty(), "{}:\n{}", late.len(), late.join("\n"));
}

#[test]
fn door_opened_during_detour() {
    let mut late = Vec::new();
    for (name, method) in [
        ("auto", Method::Auto),
        ("A*", Method::AStar),
        ("Dijkstra", Method::Dijkstra),
    ] {
        for count in [1, 6] {
            // Some of these moments lie in the middle of a re-path interval.
            for wait in sample([12, 17, 27, 34, 43, 52], 3) {
                let chaser = tuned(method, BodyPolicy::Ignore);
                if let Some(text) = late_at_door(&closed(true), chaser, count, wait) {
                    late.push(format!("{count} by {name} {text}"));
                }
            }
        }
    }
    assert!(late.is_empty(), "{}:\n{}", late.len(), late.join("\n"));
}

#[test]
fn edits_elsewhere_cost_no_search() {
    let mut world = TestWorld::on(closed(false));
    let target = world.target((26, 10));
    let chaser = world.chaser((18, 10), target);
    world.seconds(30);
    let before = world.searches(chaser).len();
    for n in 0..20 {
        world.edit((35, 25), n % 2 == 0);
        world.seconds(1);
    }
    // Each edit could have opened a way, so one search a second is allowed.
    let searches = world.searches(chaser).len() - before;
    assert!(searches <= 20, "{searches} searches in 20 s");
    assert_eq!(world.cursor(chaser).state(), ChaseState::Waiting);
}

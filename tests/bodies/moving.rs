//! Targets that move: a little, all the time, or onto their chaser.

use super::scene::{count_in_reach, not_in_reach};
use bevy_ecs::prelude::*;
use nav::{Body, BodyKind, Chaser};
use nav_grid::Cell;
use nav_tests::{STEP_TICKS, TICK_RATE, TestWorld, apart::Bodies, pairs, sample};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

#[test]
fn short_step_over_border() {
    let mut short = Vec::new();
    let packs = pairs([None, Some(Body::default())], [1, 3, 8, 20]);
    let steps = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (1.0, 1.0)];
    let packs = pairs(packs, steps).collect::<Vec<_>>();
    let cases = pairs([0.1, 0.5, 0.9, 1.5, 3.0], packs);
    for (repath_distance, ((body, count), (dx, dy))) in sample(cases, 13) {
        let mut world = TestWorld::open(40, 40);
        let target = world.target((20, 20));
        let chaser = Chaser {
            repath_distance,
            ..Chaser::default()
        };
        let pack: Vec<Entity> = (0..count)
            .map(|n| {
                let npc = world.chaser_with(chaser, (8 + n % 4, 18 + n / 4), target);
                if let Some(body) = body {
                    world.world().entity_mut(npc).insert(body);
                }
                npc
            })
            .collect();
        world.put_at(target, 20.0 + 0.3 * dx, 20.0 + 0.3 * dy);
        world.seconds(20);
        world.put_at(target, 20.0 + 0.7 * dx, 20.0 + 0.7 * dy);
        world.seconds(10);
        let near = count_in_reach(&world, &pack, target);
        let full = match body {
            Some(_) => usize::from(count).min(8),
            None => count.into(),
        };
        if near != full {
            short.push(format!(
                "repath_distance {repath_distance}, {count} with {body:?} by {dx}, {dy}: {:?}",
                not_in_reach(&world, &pack, target)
            ));
        }
    }
    assert!(
        short.is_empty(),
        "{} scenes:\n{}",
        short.len(),
        short.join("\n")
    );
}

/// A player flees from one chaser on open ground, `speed` cells a second. Returns the share of
/// ticks in which the chaser is beside it, and searches a second.
fn flight(speed: f64, turns: bool, body: Option<Body>) -> (f64, f64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut world = TestWorld::open(400, 400);
    let target = world.target((200, 200));
    let chaser = world.chaser((195, 200), target);
    if let Some(body) = body {
        world.world().entity_mut(chaser).insert(body);
    }
    let (mut x, mut y, mut angle) = (200.0, 200.0, 0.0_f64);
    let (mut near, mut ticks) = (0, 0);
    let mut searches = 0;
    let (mut at, mut stepped) = (world.cell(chaser), None);
    for tick in 0..60 * TICK_RATE {
        if turns && tick % 40 == 0 {
            angle += random.random_range(-2.0..2.0);
        }
        let step = speed / TICK_RATE as f64;
        x += angle.cos() * step;
        y += angle.sin() * step;
        world.put_at(target, x, y);
        world.tick(1);
        if std::mem::replace(&mut at, world.cell(chaser)) != at {
            let gap = stepped.replace(tick).map_or(STEP_TICKS, |last| tick - last);
            assert!(gap >= STEP_TICKS, "a step {gap} ticks after another");
        }
        if tick == 5 * TICK_RATE {
            searches = world.searches(chaser).len();
        }
        if tick >= 5 * TICK_RATE {
            ticks += 1;
            near += u32::from(world.is_within_reach(chaser, target));
        }
    }
    let searches = world.searches(chaser).len() - searches;
    (f64::from(near) / f64::from(ticks), searches as f64 / 55.0)
}

#[test]
fn fast_flight() {
    for body in [None, Some(Body::default())] {
        for turns in [false, true] {
            let (near, searches) = flight(3.0, turns, body);
            println!("{body:?}, turns {turns}: beside {near:.3}, {searches:.2} searches a second");
            assert!(
                near >= 0.95,
                "{body:?}, turns {turns}: beside {near:.3} of the time"
            );
            assert!(
                searches <= 2.0,
                "{body:?}, turns {turns}: {searches:.2} a second"
            );
        }
    }
}

#[test]
fn slow_flight() {
    for speed in sample([0.5, 1.0, 2.0], 2) {
        for turns in [false, true] {
            let (near, searches) = flight(speed, turns, None);
            assert!(
                near >= 0.95,
                "{speed} cells a second: beside {near:.3} of the time"
            );
            assert!(
                searches <= 2.0,
                "{speed} cells a second: {searches:.2} a second"
            );
        }
    }
}

#[test]
fn resting_chaser_keeps_pace() {
    for rest in [100, 101, 103, 107, 109] {
        for body in [None, Some(Body::default())] {
            let mut world = TestWorld::open(40, 40);
            let target = world.target((20, 20));
            let chaser = world.chaser((15, 20), target);
            if let Some(body) = body {
                world.world().entity_mut(chaser).insert(body);
            }
            world.tick(rest);
            assert!(world.is_within_reach(chaser, target));
            let before = world.cell(chaser);
            world.put(target, (24, 20));
            let ticks = world.tick_until(|world| world.cell(chaser) != before);
            assert!(
                ticks <= STEP_TICKS + 1,
                "{body:?} after {rest}: {ticks} ticks"
            );
        }
    }
}

#[test]
fn retargeted_chaser_keeps_pace() {
    let mut world = TestWorld::open(40, 40);
    let target = world.target((20, 20));
    let other = world.target((30, 20));
    let chaser = world.chaser((15, 20), target);
    world.tick(103);
    let before = world.cell(chaser);
    world.chase(chaser, other);
    let ticks = world.tick_until(|world| world.cell(chaser) != before);
    assert!(ticks <= STEP_TICKS + 1, "{ticks} ticks");
}

#[test]
fn player_steps_onto_chaser() {
    let bodies = [
        ("a ghost", None),
        (
            "soft",
            Some(Body {
                kind: BodyKind::Soft,
                ..Body::default()
            }),
        ),
        ("solid", Some(Body::default())),
    ];
    for (name, body) in bodies {
        for count in sample([8, 1, 3], 2) {
            let mut world = TestWorld::open(40, 40);
            let target = world.target((20, 20));
            let pack: Vec<Entity> = (0..count)
                .map(|n| {
                    let npc = world.chaser((14 + n % 2, 18 + n / 2), target);
                    if let Some(body) = body {
                        world.world().entity_mut(npc).insert(body);
                    }
                    npc
                })
                .collect();
            world.seconds(20);
            assert_eq!(
                count_in_reach(&world, &pack, target),
                usize::from(count),
                "{name}"
            );
            let onto = world.cell(pack[0]);
            world.put(target, onto);
            world.seconds(2);
            for &npc in &pack {
                assert_ne!(
                    world.cell(npc),
                    onto,
                    "{count} chasers, {name}: still inside"
                );
            }
            world.seconds(6);
            let near = count_in_reach(&world, &pack, target);
            assert_eq!(near, usize::from(count), "{name}: beside again");
        }
    }
}

#[test]
fn player_steps_onto_large_chaser() {
    for side in [2, 3] {
        let footprint = nav_grid::Footprint::new(side).expect("1 to 8");
        let mut bodies = Bodies::on(TestWorld::open(40, 40));
        let target = bodies.world.target((20, 20));
        let npc = bodies.spawn(Chaser::default(), Body::solid(footprint), (10, 20), target);
        bodies.tick(200);
        let at = bodies.world.cell(npc);
        bodies.world.put(target, at);
        bodies.tick(100);
        let area = footprint.area(bodies.world.cell(npc));
        assert!(!area.contains(at), "side {side}: still over {at}");
        assert!(bodies.world.is_within_reach(npc, target), "side {side}");
    }
}

#[test]
fn wandering_player_keeps_pack() {
    // A step every two seconds: time enough for the chasers behind it to walk round the others.
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut bodies = Bodies::on(TestWorld::open(160, 160));
    let target = bodies.world.target((80, 80));
    for n in 0..12 {
        bodies.solid((70 + n % 4, 78 + n / 4), target);
    }
    bodies.tick(400);
    let mut missing = 0;
    for _ in 0..60 {
        let from = bodies.world.cell(target);
        let taken = bodies.cells();
        let free = |cell: &Cell| !taken.contains_key(&(cell.floor, cell.y, cell.x));
        let ways = nav_grid::Direction::ALL
            .into_iter()
            .filter_map(|way| from.step(way));
        let ways: Vec<Cell> = ways.filter(free).collect();
        let to = match ways.len() {
            // The step leads onto a chaser of its pack.
            0 => Cell::new(from.x + 1, from.y + random.random_range(0..3) - 1),
            count => ways[random.random_range(0..count as u32) as usize],
        };
        bodies.world.put(target, to);
        bodies.tick(2 * TICK_RATE);
        missing += 8 - count_in_reach(&bodies.world, &bodies.agents, target).min(8);
    }
    // Out of 480 places.
    assert!(
        missing <= 72,
        "{missing} places are empty two seconds after a step"
    );
}

#[test]
fn target_stops_on_chaser() {
    let mut bodies = Bodies::new(&["..........", "##########"]);
    let target = bodies.world.target((0, 0));
    let front = bodies.solid((5, 0), target);
    // A body behind the chaser blocks its way back.
    let behind = bodies.solid((6, 0), target);
    bodies.tick(TICK_RATE);
    let last = bodies.world.cell(front).x;
    assert_eq!(last, 1, "beside the target");
    for x in 1..=last {
        bodies.world.put(target, (x, 0));
        bodies.tick(1);
    }
    bodies.tick(5 * TICK_RATE);
    for chaser in [front, behind] {
        let at = bodies.world.cell(chaser);
        assert_ne!(at, bodies.world.cell(target), "on the target");
    }
}

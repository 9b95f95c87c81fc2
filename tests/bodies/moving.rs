//! Targets that walk among their chasers, or onto one.

use super::scene::count_in_reach;
use bevy_ecs::prelude::*;
use nav::{Body, BodyKind, Chaser};
use nav_grid::Cell;
use nav_tests::{TICK_RATE, TestWorld, apart::Bodies, sample};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

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

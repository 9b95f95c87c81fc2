//! Bodies larger than a cell.

use super::scene::{could_be, not_in_reach, tuned, work_of};
use bevy_ecs::prelude::*;
use nav::{Body, Chaser, NavMap};
use nav_grid::{Cell, Footprint, Grid, Method, rules::BodyPolicy};
use nav_tests::{TestWorld, apart::Bodies};

#[test]
fn four_large_chasers_find_four_sides() {
    let mut out = Vec::new();
    for side in [2, 3, 5] {
        let footprint = Footprint::new(side).expect("1 to 8");
        let starts: [[(u16, u16); 4]; 3] = [
            [(13, 14), (13, 20), (13, 26), (13, 38)],
            [(14, 29), (20, 29), (14, 36), (20, 36)],
            [(14, 14), (44, 14), (14, 44), (44, 44)],
        ];
        for (start, from_all_sides) in starts.into_iter().zip([false, false, true]) {
            let mut bodies = Bodies::on(TestWorld::open(64, 64));
            let target = bodies.world.target((32, 32));
            let mut pack: Vec<Entity> = Vec::new();
            for at in start {
                pack.push(bodies.spawn(Chaser::default(), Body::solid(footprint), at, target));
            }
            bodies.tick(800);
            let far = |npc: &&Entity| !bodies.world.is_within_reach(**npc, target);
            for &npc in pack.iter().filter(far) {
                let at = bodies.world.cell(npc);
                // From all sides there is room for all; from one, those in front may stand wide.
                match could_be(&bodies, npc, target) {
                    Some(place) => out.push(format!("side {side}: {at} could be at {place}")),
                    None if from_all_sides => out.push(format!("side {side}: {at}")),
                    None => {}
                }
            }
            let (steps, _) = work_of(&mut bodies, 30);
            if steps > 0 {
                out.push(format!("side {side} from {start:?}: {steps} steps"));
            }
        }
    }
    assert!(out.is_empty(), "{}", out.join("\n"));
}

#[test]
fn small_and_large_chasers_share_a_ring() {
    // A 3×3 on each of two sides leaves room for small ones on the others.
    let mut bodies = Bodies::on(TestWorld::open(64, 64));
    let target = bodies.world.target((32, 32));
    let three = Body::solid(Footprint::new(3).expect("1 to 8"));
    let mut pack = Vec::new();
    for n in 0..2 {
        pack.push(bodies.spawn(Chaser::default(), three, (18, 26 + 6 * n), target));
        pack.push(bodies.solid((24, 28 + 4 * n), target));
    }
    bodies.tick(800);
    let far = not_in_reach(&bodies.world, &pack, target);
    assert!(far.is_empty(), "{far:?}");
}

#[test]
fn a_body_larger_than_its_rules_arrives_or_is_reported() {
    let three = Body::solid(Footprint::new(3).expect("1 to 8"));
    let open = Grid::open(41, 21).unwrap();
    let narrow = Grid::from_fn(41, 21, |cell| cell.x != 20 || cell.y == 10).unwrap();
    for (name, grid) in [("open", open), ("narrow", narrow)] {
        for count in [1, 4] {
            let mut bodies = Bodies::on(TestWorld::on(grid.clone()));
            let target = bodies.world.target((28, 10));
            let pack: Vec<Entity> = (0..count)
                .map(|n| bodies.spawn(Chaser::default(), three, (12, 1 + n * 4), target))
                .collect();
            bodies.tick(800);
            let cells: Vec<_> = pack
                .iter()
                .map(|&npc| bodies.world.cell(npc).to_string())
                .collect();
            println!("{name}: {cells:?}");
            for chaser in pack {
                let near = bodies.world.is_within_reach(chaser, target);
                let said = !bodies.world.failures(chaser).is_empty();
                let partial = bodies.world.found.iter().any(|(_, found)| {
                    let status = found.outcome.status;
                    found.chaser == chaser && status != nav_grid::Status::Found
                });
                let at = bodies.world.cell(chaser);
                assert!(
                    near || said || partial,
                    "{name}: {chaser} stands at {at}, silently"
                );
            }
        }
    }
}

#[test]
fn a_body_that_stands_in_a_wall_is_reported() {
    // Its anchor is on open ground, its other cells are not.
    let grid = Grid::from_fn(41, 21, |cell| cell.y != 11 && cell.y != 12).unwrap();
    let three = Body::solid(Footprint::new(3).expect("1 to 8"));
    let mut world = TestWorld::on(grid);
    let target = world.target((28, 5));
    let chaser = world.chaser(Cell::new(10, 10), target);
    world.world().entity_mut(chaser).insert(three);
    world.seconds(10);
    assert!(!world.failures(chaser).is_empty() || world.is_within_reach(chaser, target));
}

#[test]
fn who_is_too_large_for_the_door_stops_walking() {
    // Doors of one cell on all sides of the player's room.
    let centre = Cell::new(40, 40);
    let grid = Grid::from_fn(80, 80, |cell| {
        cell.chebyshev(centre) != 6 || cell.x == centre.x || cell.y == centre.y
    });
    let grid = grid.unwrap();
    let mut out = Vec::new();
    for method in [Method::Auto, Method::Portal] {
        for side in [2, 3] {
            let mut chaser = tuned(method, BodyPolicy::Ignore);
            let footprint = Footprint::new(side).expect("1 to 8");
            chaser.rules.footprint = footprint;
            chaser.limits.radius = 80;
            for n in (0..24).step_by(5) {
                let mut bodies = Bodies::on(TestWorld::on(grid.clone()));
                if method == Method::Portal {
                    let map = bodies.world.map;
                    let mut map = bodies.world.get_mut::<NavMap>(map);
                    map.build_portals(chaser.rules);
                }
                let target = bodies.world.target((37 + n % 7, 37 + n / 4));
                let at = (20 + n * 7 % 41, if n % 2 == 0 { 20 + n } else { 60 - n });
                bodies.spawn(chaser, Body::solid(footprint), at, target);
                bodies.tick(1_000);
                let (steps, searches) = work_of(&mut bodies, 60);
                if steps > 0 || searches > 1 {
                    out.push(format!(
                        "{method:?}, side {side} from {at:?}: {steps} steps, {searches} searches"
                    ));
                }
            }
        }
    }
    assert!(out.is_empty(), "{}", out.join("\n"));
}

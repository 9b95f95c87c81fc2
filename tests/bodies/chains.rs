//! Chains and circles of chasers.

use super::scene::{could_be, guard, work_of};
use bevy_ecs::prelude::*;
use nav_grid::Grid;
use nav_tests::{TestWorld, apart::Bodies};

/// Lists the faults after `seconds`: chasers with a free place that they do not take, and chasers
/// that move or search.
fn settle(bodies: &mut Bodies, chases: &[(Entity, Entity)], seconds: u64) -> Vec<String> {
    bodies.tick(seconds * nav_tests::TICK_RATE);
    let mut wrong = Vec::new();
    for &(chaser, target) in chases {
        if !bodies.world.is_within_reach(chaser, target)
            && let Some(place) = could_be(bodies, chaser, target)
        {
            let at = bodies.world.cell(chaser);
            wrong.push(format!("who is at {at} could be at {place}"));
        }
    }
    let (steps, searches) = work_of(bodies, 60);
    if steps > 0 || searches > chases.len() as u64 {
        wrong.push(format!("{steps} steps and {searches} searches in a minute"));
    }
    wrong
}

/// Counts the chasers within reach of their targets.
fn arrived(bodies: &Bodies, chases: &[(Entity, Entity)]) -> usize {
    let is_near = |chase: &&(Entity, Entity)| bodies.world.is_within_reach(chase.0, chase.1);
    chases.iter().filter(is_near).count()
}

#[test]
fn chains_pass_idle_bodies() {
    for count in [2, 8] {
        for guards in [1, 5] {
            let mut bodies = Bodies::on(TestWorld::on(Grid::open(30, 11).unwrap()));
            let mut before = bodies.world.target((25, 5));
            for n in 0..guards {
                guard(&mut bodies, (18, 5 - guards / 2 + n));
            }
            let mut chases = Vec::new();
            for n in 0..count {
                let chaser = bodies.solid((15 - n, 5), before);
                chases.push((chaser, before));
                before = chaser;
            }
            let wrong = settle(&mut bodies, &chases, 30);
            assert_eq!(arrived(&bodies, &chases), chases.len(), "{wrong:?}");
            assert!(wrong.is_empty(), "{wrong:?}");
        }
    }
}

#[test]
fn circle_of_chasers_rests() {
    for count in [2, 3, 8, 16] {
        let mut bodies = Bodies::on(TestWorld::on(Grid::open(30, 30).unwrap()));
        let nobody = bodies.world.target((15, 15));
        let at = |n: u16| (2 + n * 7 % 27, 2 + n * 11 % 27);
        let all: Vec<Entity> = (0..count).map(|n| bodies.solid(at(n), nobody)).collect();
        let mut chases = Vec::new();
        for (n, &chaser) in all.iter().enumerate() {
            let next = all[(n + 1) % all.len()];
            bodies.world.chase(chaser, next);
            chases.push((chaser, next));
        }
        let wrong = settle(&mut bodies, &chases, 30);
        assert_eq!(arrived(&bodies, &chases), all.len(), "{count}: {wrong:?}");
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

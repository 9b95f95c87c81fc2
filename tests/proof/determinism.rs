//! The contract: the same world and the same moves give the same digest in every tick.
//!
//! Entity ids, storage order, and the order of spawning numbered agents may differ and must not
//! matter. Threads are tested in `goldens.rs`, saving and loading in `saving`. If a test here
//! fails, something is ordered by `Entity`, by a query or by a hash map, and should be ordered by
//! [`AgentId`].

use bevy_ecs::prelude::*;
use nav::{AgentId, CellPosition, Chaser, Chasing, OnMap};
use nav_drawn::crowd::{crowd, digests, ticks};
use nav_grid::Cell;
use nav_tests::TestWorld;

/// Returns the digests of the crowd of a seed.
fn run(seed: u64) -> Vec<u64> {
    digests(crowd(seed), |_, _| {})
}

#[test]
fn equal_runs_and_other_seeds() {
    let first = run(1);
    assert!(first == run(1));
    let mut digests = [first, run(2)].concat();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), 2 * ticks(), "no digest comes twice");
}

#[derive(Component)]
struct Torch;

#[derive(Component)]
struct Hat;

#[test]
fn unrelated_entities() {
    let among_torches = digests(crowd(1), |crowd, tick| {
        let world = crowd.stage.world.world();
        let torches: Vec<Entity> = (0..tick % 7).map(|_| world.spawn(Torch).id()).collect();
        if let Some(&torch) = torches.first() {
            world.despawn(torch);
        }
    });
    assert!(among_torches == run(1));
}

#[test]
fn storage_order() {
    let with_hats = digests(crowd(1), |crowd, tick| {
        // Hats come and go, which moves their wearers from table to table.
        let chasers = &crowd.stage.npcs;
        let chaser = chasers[tick * 31 % chasers.len()];
        let mut wearer = crowd.stage.world.world().entity_mut(chaser);
        if wearer.contains::<Hat>() {
            wearer.remove::<Hat>();
        } else {
            wearer.insert(Hat);
        }
    });
    assert!(with_hats == run(1));
}

#[test]
fn spawn_order_of_numbered_agents() {
    let run = |order: &mut dyn Iterator<Item = u32>| {
        let mut world = TestWorld::open(24, 24);
        let map = world.map;
        let player = world.target((12, 12));
        let mut agents = [Entity::PLACEHOLDER; 40];
        for n in order {
            let at = Cell::new((n * 7 % 24) as u16, (n * 5 % 24) as u16);
            let agent = (
                Chaser::default(),
                AgentId(n + 1),
                CellPosition::at(at),
                OnMap(map),
            );
            agents[n as usize] = world.world().spawn(agent).id();
        }
        // In chains every other chaser targets its neighbour.
        for n in 0..40 {
            let target = if n % 2 == 0 { player } else { agents[n - 1] };
            world.world().entity_mut(agents[n]).insert(Chasing(target));
        }
        let digests: Vec<u64> = (0..200_u16)
            .map(|tick| {
                if tick % 10 == 0 {
                    world.put(player, (tick / 10, 12));
                }
                world.tick(1);
                world.digest()
            })
            .collect();
        let arrivals = world.reached.iter();
        let arrivals: Vec<(u64, AgentId)> = arrivals
            .map(|&(tick, message)| (tick, *world.get(message.chaser)))
            .collect();
        (digests, arrivals)
    };
    let (digests, arrivals) = run(&mut (0..40));
    let (reversed, arrivals_reversed) = run(&mut (0..40).rev());
    assert!(digests == reversed);
    assert_eq!(arrivals, arrivals_reversed);
}

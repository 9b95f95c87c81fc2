//! The cost of a tick.

use super::scene::{Watched, id_of};
use bevy_ecs::prelude::*;
use nav::{CellPosition, OnMap};
use nav_grid::Grid;
use nav_protocol::Update;
use nav_sync::Watcher;

#[test]
fn crowd_comes_into_view() {
    let mut watched = Watched::on(Grid::open(60, 40).unwrap(), (30, 20));
    watched.settings().budget = 100;
    let target = watched.world.target((30, 20));
    let chasers: Vec<Entity> = (0..200)
        .map(|n| watched.world.chaser((n % 60, n / 60 * 10), target))
        .collect();
    let mut first_paths = vec![None; chasers.len()];
    for tick in 0..200_u32 {
        for update in watched.ticks(1) {
            if let Update::Path(path) = update {
                let number = chasers.iter().position(|&chaser| id_of(chaser) == path.id);
                first_paths[number.unwrap()].get_or_insert(tick);
            }
        }
    }
    let counts = watched.counts();
    // The last path may exceed it by its length.
    assert!(counts.steps_most < 100 + 24, "{counts:?}");
    assert!(counts.put_off > 100, "{counts:?}");
    // 200 paths of 24 steps at most are 48 ticks of 100; paths of chasers that move meanwhile are
    // read once more.
    let latest = first_paths.iter().flatten().max();
    assert!(latest < Some(&100), "nobody starves: {latest:?}");
}

#[test]
fn busy_watchers_take_turns() {
    let mut watched = Watched::on(Grid::open(60, 40).unwrap(), (30, 20));
    watched.settings().looks = 30;
    let target = watched.world.target((30, 20));
    for n in 0..50 {
        watched.world.chaser((n, 5), target);
    }
    let map = watched.world.map;
    let others: Vec<Entity> = (0..5)
        .map(|n| {
            let watcher = (
                Watcher::default(),
                OnMap(map),
                CellPosition::new(20 + n, 20),
            );
            watched.world.world().spawn(watcher).id()
        })
        .collect();
    watched.ticks(7);
    for watcher in others {
        assert!(
            watched.world.get::<Watcher>(watcher).waiting() > 0,
            "{watcher} sees nothing"
        );
    }
}

#[test]
fn unseen_chasers_cost_nothing() {
    let mut watched = Watched::open(200, 40, (10, 10));
    let target = watched.world.target((180, 10));
    for n in 0..20 {
        watched.world.chaser((150, 10 + n), target);
    }
    watched.ticks(60);
    let counts = watched.counts();
    assert_eq!((counts.steps, counts.paths, counts.strays), (0, 0, 0));
}

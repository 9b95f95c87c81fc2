//! Targets far away, on a map with portals.

use crate::golden::{
    chance::{Chance, ground_around, near},
    recorder::Recorder,
};
use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{Body, Chaser, Guidance};
use nav_grid::{Cell, Limits, Rules};

pub fn far(recorder: &mut Recorder) {
    let grid = mapgen::generate(Kind::Rooms, 200, 120, 5).expect("a map of this size");
    let mut chance = Chance::new(4);
    let [left, right] = [(20, 60), (180, 60)].map(|(x, y)| near(&grid, x, y));
    let around = [left, right].map(|middle| ground_around(&grid, middle, 18));
    let between = ground_around(&grid, Cell::new(140, 60), 24);
    let mut scene = recorder.open(grid);
    scene.nav_map().build_portals(Rules::default());
    let targets = [left, right].map(|at| scene.target(at));
    let tuning = Chaser {
        limits: Limits::UNBOUNDED,
        ..Chaser::default()
    };
    let mut chasers: Vec<Entity> = Vec::new();
    for n in 0..240 {
        // Each chases the target at the other end. A fifth begins between the two, and comes to the
        // near field.
        let (at, target) = match n % 5 {
            4 => (chance.one_of(&between), targets[1]),
            _ => (chance.one_of(&around[n % 2]), targets[(n + 1) % 2]),
        };
        let chaser = scene.chaser_with(tuning, at, target);
        if n % 3 == 0 {
            scene.insert(chaser, Body::soft(nav_grid::Footprint::ONE));
        }
        chasers.push(chaser);
    }

    let (mut far, mut near) = (0, 0);
    for tick in 0..160 {
        for target in targets {
            if tick % 4 == 0 {
                chance.wander(&mut scene, target);
            }
        }
        if tick == 40 {
            scene.put(targets[0], chance.one_of(&around[0]));
        }
        recorder.tick(&mut scene);
        let follow = |way| {
            let follow = |&&chaser: &&Entity| scene.cursor(chaser).guidance() == Some(way);
            chasers.iter().filter(follow).count()
        };
        far = far.max(follow(Guidance::FarField));
        near = near.max(follow(Guidance::SharedField));
    }
    assert!(
        far > 100 && near > 5,
        "{far} follow a far field, {near} a near one"
    );
}

//! Solid bodies that close in on targets.

use crate::golden::{
    chance::{Chance, ground_around, near},
    recorder::Recorder,
};
use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{Body, ChaseState, Chaser, Guidance};

/// Bodies of each pack, and their stop distance: rings that fill, and others with room.
const PACKS: [(usize, u16); 4] = [(170, 1), (150, 6), (24, 2), (170, 6)];

pub fn crowd(recorder: &mut Recorder) {
    let kind = Kind::Clutter { percent: 15 };
    let grid = mapgen::generate(kind, 100, 130, 4).expect("a map of this size");
    let mut chance = Chance::new(2);
    let middles = [(25, 30), (75, 35), (30, 100), (70, 95)].map(|(x, y)| near(&grid, x, y));
    let mut scene = recorder.open(grid.clone());
    let targets = middles.map(|middle| scene.target(middle));
    let mut chasers = Vec::new();
    for (target, (middle, (count, stop_distance))) in
        targets.into_iter().zip(middles.into_iter().zip(PACKS))
    {
        // All begin on one side, so that later bodies have to go round the first ones.
        let mut ground = ground_around(&grid, middle, 20);
        ground.retain(|cell| cell.x > middle.x + 6);
        let tuning = Chaser {
            stop_distance,
            ..Chaser::default()
        };
        for at in chance.some_of(ground, count) {
            let chaser = scene.chaser_with(tuning, at, target);
            scene.insert(chaser, Body::default());
            chasers.push(chaser);
        }
    }

    let (mut detours, mut rests) = (0, 0);
    for tick in 0..200 {
        if tick % 12 == 11 {
            // Two targets stand and are surrounded; two walk.
            chance.wander(&mut scene, targets[0]);
            chance.wander(&mut scene, targets[1]);
        }
        recorder.tick(&mut scene);
        let cursors = chasers.iter().map(|&chaser| scene.cursor(chaser));
        let on_detour = cursors.filter(|cursor| cursor.guidance() == Some(Guidance::Detour));
        detours += on_detour.count();
        let reached = |&&chaser: &&Entity| scene.cursor(chaser).state() == ChaseState::Reached;
        rests = rests.max(chasers.iter().filter(reached).count());
    }
    assert!(
        detours > 50 && rests >= 16,
        "{detours} ticks on detours, {rests} beside their target"
    );
}

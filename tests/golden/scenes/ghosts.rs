//! Chasers without bodies, more than one thread takes.

use crate::golden::{
    chance::{Chance, ground_around, near},
    recorder::Recorder,
};
use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{Chaser, Guidance};

/// Chasers: three runs of rows.
const CHASERS: usize = 2200;

pub fn ghosts(recorder: &mut Recorder) {
    let kind = Kind::Clutter { percent: 20 };
    let grid = mapgen::generate(kind, 128, 128, 11).expect("a map of this size");
    let mut chance = Chance::new(1);
    let middles = [(30, 30), (90, 34), (36, 92), (96, 96)].map(|(x, y)| near(&grid, x, y));
    let around = middles.map(|middle| ground_around(&grid, middle, 30));
    let mut scene = recorder.open(grid);
    let targets = middles.map(|middle| scene.target(middle));
    let chasers: Vec<Entity> = (0..CHASERS)
        .map(|n| {
            let at = chance.one_of(&around[n % 4]);
            scene.chaser_with(Chaser::default(), at, targets[n % 4])
        })
        .collect();

    let (mut sharing, mut alone) = (0, 0);
    for tick in 0..120 {
        // The last target stands, so that some come to rest beside it.
        for &target in &targets[..3] {
            if tick % 3 == 0 {
                chance.wander(&mut scene, target);
            }
        }
        recorder.tick(&mut scene);
        let follow = |way| {
            let follow = |&&chaser: &&Entity| scene.cursor(chaser).guidance() == Some(way);
            chasers.iter().filter(follow).count()
        };
        sharing = sharing.max(follow(Guidance::SharedField));
        alone = alone.max(follow(Guidance::OwnPath));
    }
    assert!(
        sharing > 1000 && alone > 32,
        "{sharing} share a field, {alone} have a path"
    );
    assert!(scene.reached.len() > 100, "{}", scene.reached.len());
}

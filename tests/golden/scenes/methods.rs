//! Every search method under every metric and heuristic, and chasers that are chased themselves.

use crate::golden::{
    chance::{Chance, ground_around},
    recorder::Recorder,
};
use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{Chaser, Chasing};
use nav_grid::{
    Cell, CornerRule, Footprint, Limits, Method, Metric, Rules, query::Fallback, rules::Heuristic,
};
use std::collections::BTreeSet;

pub fn methods(recorder: &mut Recorder) {
    let kind = Kind::Clutter { percent: 25 };
    let grid = mapgen::generate(kind, 80, 80, 12).expect("a map of this size");
    let mut chance = Chance::new(9);
    let ground = ground_around(&grid, Cell::new(40, 40), 34);
    let mut scene = recorder.open(grid);
    let mut map = scene.nav_map();
    for corners in [CornerRule::Strict, CornerRule::Cut] {
        map.build_jumps(Rules::new(Metric::Unit, corners));
    }
    map.build_mosaic(Footprint::ONE);
    map.build_portals(Rules::default());
    let row: Vec<Cell> = ground.iter().copied().filter(|cell| cell.y == 40).collect();
    map.insert_roads(Rules::default(), row)
        .expect("roads on the map");
    let targets: Vec<Entity> = (0..90)
        .map(|_| scene.target(chance.one_of(&ground)))
        .collect();
    let mut chasers: Vec<Entity> = Vec::new();
    for n in 0..270 {
        let method = Method::ALL[n % 9];
        let rules = Rules::new(
            [Metric::Unit, Metric::Octile, Metric::Grid][n / 9 % 3],
            [CornerRule::Strict, CornerRule::Cut][n / 27 % 2],
        );
        let tuning = match method {
            // Their indexes are prepared for default rules, and answer in wide windows.
            Method::Portal | Method::Mosaic | Method::Trunk => Chaser {
                limits: Limits {
                    expansions: 1000,
                    ..Limits::window(100)
                },
                ..Chaser::default()
            },
            _ => Chaser {
                rules,
                heuristic: [Heuristic::default(), Heuristic::Manhattan][n / 54 % 2],
                fallback: [Fallback::ClosestReached, Fallback::None][n / 5 % 2],
                limits: [Limits::default(), Limits::window(28)][n / 7 % 2],
                ..Chaser::default()
            },
        };
        let tuning = Chaser { method, ..tuning };
        // Three to a target, too few for a field; every eighth chases another chaser.
        let target = match chasers.get(n / 2) {
            Some(&chaser) if n % 8 == 7 => chaser,
            _ => targets[n / 3],
        };
        chasers.push(scene.chaser_with(tuning, chance.one_of(&ground), target));
    }

    for tick in 0..120 {
        for n in 0..9 {
            chance.wander(&mut scene, targets[(tick * 9 + n) % 90]);
        }
        if tick % 10 == 9 {
            // Some chasers get another target.
            let (chaser, target) = (chance.one_of(&chasers), chance.one_of(&targets));
            scene.insert(chaser, Chasing(target));
        }
        recorder.tick(&mut scene);
    }
    let asked = scene.found.iter().map(|(_, found)| {
        let chaser: &Chaser = scene.get(found.chaser);
        chaser.method.name()
    });
    let asked: BTreeSet<&str> = asked.collect();
    assert_eq!(asked.len(), Method::ALL.len(), "only {asked:?} found a way");
}

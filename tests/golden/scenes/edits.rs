//! Maps that change around moving chasers.

use crate::golden::{
    chance::{Chance, ground_around, near},
    recorder::Recorder,
};
use mapgen::Kind;
use nav::{Body, Chaser};
use nav_grid::{Area, Cell, Footprint, Limits, Rules};

pub fn edits(recorder: &mut Recorder) {
    let grid = mapgen::generate(Kind::Rooms, 130, 90, 9).expect("a map of this size");
    let mut chance = Chance::new(8);
    let rules = Rules::default();
    let middles = [(30, 45), (100, 45)].map(|(x, y)| near(&grid, x, y));
    let ground = ground_around(&grid, Cell::new(65, 45), 65);
    let mut scene = recorder.open(grid);
    let mut map = scene.nav_map();
    map.build_regions(rules);
    map.build_jumps(rules);
    map.build_portals(rules);
    map.build_mosaic(Footprint::ONE);
    let targets = middles.map(|middle| scene.target(middle));
    for n in 0..300 {
        let tuning = Chaser {
            limits: [Limits::default(), Limits::UNBOUNDED][n / 2 % 2],
            ..Chaser::default()
        };
        let chaser = scene.chaser_with(tuning, chance.one_of(&ground), targets[n % 2]);
        if n % 3 == 0 {
            scene.insert(chaser, Body::soft(Footprint::ONE));
        }
    }

    for tick in 0..120_usize {
        let cell = chance.one_of(&ground);
        let open = chance.below(5) < 2;
        scene.edit(cell, open);
        match tick % 8 {
            1 => scene.set_cost(cell, 1 + chance.below(9) as u8),
            3 => {
                // A wall across, later a breach in it.
                let x = chance.one_of(&ground).x;
                let wall = Area::new(Cell::new(x, 20), Cell::new(x, 70));
                scene.edit(wall, tick % 16 == 3);
            }
            5 => {
                let (from, to) = (chance.one_of(&ground), chance.one_of(&ground));
                if from != to {
                    scene.link(from, to, 2);
                }
                if tick % 16 == 5 {
                    scene.nav_map().remove_link(from, to);
                }
            }
            7 => chance.wander(&mut scene, targets[tick / 8 % 2]),
            _ => {}
        }
        recorder.tick(&mut scene);
    }
    let map: &nav::NavMap = scene.get(scene.map);
    assert!(
        map.indexes().regions_for(rules).is_some()
            && map.indexes().portals_for(rules).is_some()
            && map.indexes().mosaic().is_some()
    );
    let counts = (scene.broken.len(), scene.failed.len(), scene.found.len());
    assert!(
        counts.0 > 5 && counts.1 > 0 && counts.2 > 20,
        "{counts:?} paths broken, failed, found"
    );
}

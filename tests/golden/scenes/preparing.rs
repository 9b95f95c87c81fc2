//! A map that prepares itself while it changes.

use crate::golden::{
    chance::{Chance, ground_around},
    recorder::Recorder,
};
use mapgen::Kind;
use nav_grid::Cell;

pub fn preparing(recorder: &mut Recorder) {
    let clutter = Kind::Clutter { percent: 20 };
    let grid = mapgen::generate(clutter, 512, 512, 3).expect("a map of this size");
    let mut chance = Chance::new(11);
    let ground = ground_around(&grid, Cell::new(256, 256), 250);
    let mut scene = recorder.open(grid);
    let targets = [(); 4].map(|()| {
        let at = chance.one_of(&ground);
        scene.target(at)
    });
    for n in 0..200 {
        scene.chaser(chance.one_of(&ground), targets[n % 4]);
    }
    let mut due = Vec::new();
    for tick in 0..100 {
        for _ in 0..3 {
            let (cell, open) = (chance.one_of(&ground), chance.below(5) < 3);
            scene.edit(cell, open);
        }
        chance.wander(&mut scene, targets[tick % 4]);
        recorder.tick(&mut scene);
        due.push(scene.diagnostics().map_parts_due);
    }
    let under_way = due.iter().filter(|&&due| due > 0).count();
    assert!(
        under_way > 5 && due.ends_with(&[0]),
        "{due:?} parts are due"
    );
}

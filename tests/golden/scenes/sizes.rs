//! Bodies of several sizes, solid and soft.

use crate::golden::{
    chance::{Chance, near},
    recorder::Recorder,
};
use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{Body, Chaser};
use nav_grid::{Cell, Footprint};
use std::collections::BTreeSet;

pub fn sizes(recorder: &mut Recorder) {
    let kind = Kind::Clutter { percent: 4 };
    let grid = mapgen::generate(kind, 90, 90, 6).expect("a map of this size");
    let mut chance = Chance::new(3);
    let ground: Vec<Cell> = grid.walkable_cells().collect();
    let mut scene = recorder.open(grid.clone());
    let targets = [(20, 45), (70, 45)].map(|(x, y)| scene.target(near(&grid, x, y)));
    let mut taken = BTreeSet::new();
    let mut agents: Vec<(u8, Entity, Cell)> = Vec::new();
    while agents.len() < 180 {
        let side = [1, 2, 1, 3][agents.len() % 4];
        let footprint = Footprint::new(side).expect("1 to 8");
        let at = chance.one_of(&ground);
        let cells = || footprint.area(at).cells();
        if !cells().all(|cell| grid.is_walkable(cell) && !taken.contains(&cell)) {
            continue;
        }
        taken.extend(cells());
        let mut tuning = Chaser::default();
        tuning.rules.footprint = footprint;
        let agent = scene.chaser_with(tuning, at, targets[agents.len() % 2]);
        let body = match agents.len() % 9 {
            8 => Body::soft(footprint),
            _ => Body::solid(footprint),
        };
        scene.insert(agent, body);
        agents.push((side, agent, at));
    }
    for tick in 0..160 {
        if tick % 10 == 9 {
            chance.wander(&mut scene, targets[0]);
        }
        recorder.tick(&mut scene);
    }
    for side in [1, 2, 3] {
        let moved = agents
            .iter()
            .filter(|&&(of, agent, at)| of == side && scene.cell(agent) != at);
        let moved = moved.count();
        assert!(moved > 20, "{moved} of side {side} moved");
    }
}

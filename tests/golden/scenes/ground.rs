//! Ground with costs, ledges and exits.

use crate::golden::{
    chance::{Chance, ground_around, near},
    recorder::Recorder,
};
use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{Body, Chaser, Pace};
use nav_grid::{Area, Cell, CornerRule, Direction, Directions, Limits, Metric, Rules};

pub fn ground(recorder: &mut Recorder) {
    let mut grid = mapgen::generate(Kind::Mixed, 110, 110, 3).expect("a map of this size");
    let mut chance = Chance::new(5);
    let costs = (0..grid.size().cells()).map(|cell| match cell % 110 / 8 % 4 {
        0 => 1 + (cell * 7 % 5) as u8,
        1 => 12,
        _ => 1,
    });
    grid.set_cost_bytes(costs.collect())
        .expect("costs in range");
    // Row 50 cannot be left upward except in every ninth column.
    let up: Directions = [Direction::NorthWest, Direction::North, Direction::NorthEast]
        .into_iter()
        .collect();
    for x in (0..110).filter(|x| x % 9 != 0) {
        let cell = Cell::new(x, 50);
        grid.set_exits(Area::new(cell, cell), Directions(!up.0))
            .expect("on the map");
    }
    let middles = [(40, 42), (70, 60)].map(|(x, y)| near(&grid, x, y));
    let around = middles.map(|middle| ground_around(&grid, middle, 16));
    let mut scene = recorder.open(grid);
    let targets = middles.map(|middle| scene.target(middle));
    let limits = Limits {
        expansions: 1500,
        ..Limits::window(20)
    };
    let mut chasers: Vec<Entity> = Vec::new();
    for n in 0..260 {
        let metric = [Metric::Unit, Metric::Octile, Metric::Grid][n % 3];
        let corners = [CornerRule::Strict, CornerRule::Cut][n / 3 % 2];
        let tuning = Chaser {
            rules: Rules::new(metric, corners),
            limits,
            pace: [Pace::Even, Pace::ByCost][n / 6 % 2],
            ..Chaser::default()
        };
        let chaser = scene.chaser_with(tuning, chance.one_of(&around[n % 2]), targets[n % 2]);
        if n % 5 == 0 {
            scene.insert(chaser, Body::default());
        }
        chasers.push(chaser);
    }

    // Paths that cost more than the same number of steps on even ground.
    let mut dear = 0;
    for tick in 0..120 {
        if tick % 6 == 5 {
            chance.wander(&mut scene, targets[tick / 6 % 2]);
        }
        let before = scene.found.len();
        recorder.tick(&mut scene);
        for (_, found) in &scene.found[before..] {
            let rules = scene.get::<Chaser>(found.chaser).rules;
            let steps = scene.cursor(found.chaser).path().iter().count() as u16 + 1;
            dear += u32::from(found.outcome.cost > rules.metric.open_ground(steps, steps));
        }
    }
    assert!(scene.grid().has_costs());
    assert!(dear > 5, "{dear} paths over dear ground");
    let total = scene.diagnostics().total;
    assert!(total.fields > 2 && total.reached > 10, "{total:?}");
}

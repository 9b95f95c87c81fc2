//! More searches than ticks have room for.

use crate::golden::{
    chance::{Chance, ground_around, near},
    recorder::Recorder,
};
use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{ChaseState, Chaser, NavBudget};
use nav_grid::{Cell, Limits};

/// Work a tick.
const BUDGET: u32 = 400;

pub fn budget(recorder: &mut Recorder) {
    let grid = mapgen::generate(Kind::Caves, 120, 120, 8).expect("a map of this size");
    let mut chance = Chance::new(7);
    let ground = ground_around(&grid, Cell::new(60, 60), 30);
    let distant = near(&grid, 115, 115);
    let mut scene = recorder.open(grid);
    scene.world().insert_resource(NavBudget::Units(BUDGET));
    let targets: Vec<Entity> = (0..40)
        .map(|_| scene.target(chance.one_of(&ground)))
        .collect();
    let distant = scene.target(distant);
    let chasers: Vec<Entity> = (0..150)
        .map(|n| {
            // Some chasers have targets of their own, many share one, and a few are far away.
            let (target, limits) = match n % 10 {
                0..=4 => (targets[n % 40], Limits::default()),
                5..=8 => (targets[0], Limits::default()),
                _ => (distant, Limits::UNBOUNDED),
            };
            let tuning = Chaser {
                limits,
                ..Chaser::default()
            };
            scene.chaser_with(tuning, chance.one_of(&ground), target)
        })
        .collect();

    let (mut queued, mut used) = (0, 0);
    for tick in 0..160 {
        chance.wander(&mut scene, targets[tick % 40]);
        if tick % 3 == 0 {
            chance.wander(&mut scene, targets[0]);
        }
        recorder.tick(&mut scene);
        let taken = scene.diagnostics().last_tick.expanded;
        assert!(taken <= BUDGET.into(), "{taken} in tick {tick}");
        used += u32::from(taken * 10 >= u64::from(BUDGET) * 8);
        let waits = |&&chaser: &&Entity| scene.cursor(chaser).state() == ChaseState::Queued;
        queued += chasers.iter().filter(waits).count();
    }
    assert!(
        queued > 100 && used > 10,
        "{queued} waits for the budget, which {used} ticks used up"
    );
}

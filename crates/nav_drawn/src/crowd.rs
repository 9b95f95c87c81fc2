//! A crowd on a drawn map, for tests that compare two runs.

use crate::{Draw, Kind, Mix, Npc, Scene, Session, Stage, Target, stage::app};
use bevy_app::App;
use nav_grid::Cell;
use nav_judge::by_tier;

/// The ticks of a run: ten seconds in the soak tier.
pub fn ticks() -> usize {
    by_tier(110, 200)
}

const CHASERS: usize = 300;
const TARGETS: usize = 12;

/// Makes the crowd of a seed in an app with the plugin: 300 chasers of 12 walking targets. Some
/// chasers chase each other, agents are put elsewhere, and doors close and open.
///
/// # Panics
///
/// Never: a map of this size can be made.
pub fn crowd_in(app: App, seed: u64) -> Session {
    crowd_on(seed, |scene| scene.stage_in(app))
}

/// Makes the same crowd on a stage of the test's own.
///
/// # Panics
///
/// As [`crowd_in`].
pub fn crowd_on(seed: u64, stage: impl FnOnce(&Scene) -> Stage) -> Session {
    let mut draw = Draw::new(seed);
    let grid = mapgen::generate(mapgen::Kind::Mixed, 96, 96, seed).expect("a map of this size");
    let ground: Vec<Cell> = grid.walkable_cells().collect();
    let mut scene = Scene::on(seed, grid);
    let targets = (0..TARGETS).map(|_| Target::at(draw.one_of(&ground)));
    scene.targets = targets.collect();
    let chasers = (0..CHASERS).map(|n| Npc::at(draw.one_of(&ground), n % TARGETS));
    scene.npcs = chasers.collect();
    let mix = Mix::walks(8).with(&[(20, Kind::Door), (5, Kind::Teleport)]);
    let stage = stage(&scene);
    let mut crowd = Session::on(scene, stage, draw.seed(), mix);
    for n in (9..CHASERS).step_by(10) {
        let (chaser, chased) = (crowd.stage.npcs[n], crowd.stage.npcs[n / 2]);
        crowd.stage.world.chase(chaser, chased);
    }
    crowd
}

/// Makes the same crowd in an app with nothing but the plugin.
pub fn crowd(seed: u64) -> Session {
    crowd_in(app(false), seed)
}

/// Returns the digest after each of [`ticks`] of a crowd. `before` runs before each tick.
pub fn digests(mut crowd: Session, mut before: impl FnMut(&mut Session, usize)) -> Vec<u64> {
    let digests = (0..ticks()).map(|tick| {
        before(&mut crowd, tick);
        crowd.digest_after_frame()
    });
    digests.collect()
}

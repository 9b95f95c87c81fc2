//! Everyone who can arrive does once its target stands, whatever happened before.

use super::{check, verdict_of};
use nav_tests::drawn::{Game, Scene, Verdict, judge_stage};

/// Games that are drawn where the environment says nothing.
const GAMES: usize = 250;

#[test]
fn everyone_who_can_arrive_does_after_a_game() {
    check(GAMES, |seed| Game::new(seed).scene, run);
}

/// The game of a seed, and how it ended.
fn run(seed: u64) -> (Scene, Verdict) {
    let mut game = Game::new(seed);
    let verdict = verdict_of(|| {
        let stage = game.play();
        judge_stage(&game.scene, stage)
    });
    (game.scene, verdict)
}

//! After any game, every chaser that can arrive does so once its target stands.

use super::{check, verdict_of};
use nav_drawn::{Game, Scene, Verdict, judge_stage};
use nav_tests::by_tier;

#[test]
fn drawn_games() {
    check(by_tier(30, 250), |seed| Game::new(seed).scene, run);
}

/// Plays the game of a seed and judges how it ends.
fn run(seed: u64) -> (Scene, Verdict) {
    let mut game = Game::new(seed);
    let verdict = verdict_of(|| {
        let stage = game.play();
        judge_stage(&game.scene, stage)
    });
    (game.scene, verdict)
}

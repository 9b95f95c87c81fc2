//! Everyone who can arrive does once its target stands, whatever happened before.

use super::{Report, run_all, show};
use nav_tests::drawn::{Failure, Game, Scene, Verdict, judge_stage, number_in, or_panic};

/// Games that are drawn where the environment says nothing.
const GAMES: usize = 250;

#[test]
fn everyone_who_can_arrive_does_after_a_game() {
    if let Some(seed) = number_in("NAV_SEED") {
        let (scene, verdict) = run(seed);
        println!("{}", show(&scene, &verdict));
        assert!(verdict.failure.is_none(), "see above");
        return;
    }
    let games = number_in("NAV_WORLDS").map_or(GAMES, |number| number as usize);
    let first = number_in("NAV_FIRST").unwrap_or(0);
    let report: Report = run_all(first, games, |seed| Game::new(seed).scene, run);
    println!("{}", report.text());
    let failures = report.failures.len();
    assert!(failures == 0, "{failures} of {games} games failed");
    // What is not judged proves nothing.
    let judged = report.arrived + report.waiting;
    assert!(report.excused * 50 < judged, "{} excused", report.excused);
}

/// The game of a seed, and how it ended.
fn run(seed: u64) -> (Scene, Verdict) {
    let mut game = Game::new(seed);
    let verdict = or_panic(|| {
        let stage = game.play();
        judge_stage(&game.scene, stage)
    });
    let verdict = verdict.unwrap_or_else(|text| Verdict {
        failure: Some(Failure::Broken(text)),
        ..Verdict::default()
    });
    (game.scene, verdict)
}

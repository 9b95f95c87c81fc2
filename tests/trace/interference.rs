//! Whatever a game does between ticks, a replay does it again.

use super::{
    game::{Game, Kind},
    tape::{Tape, replay},
};
use nav_tests::drawn::{Draw, number_in};

/// A game that does whatever can be done, by a seed.
fn drawn(seed: u64) -> Kind {
    let mut draw = Draw::new(seed ^ 0x5eed);
    Kind {
        bodies: draw.percent(50),
        costs: draw.percent(40),
        links: draw.percent(40),
        far: draw.percent(30),
        budget: draw.percent(30).then_some(300),
        behaviours: draw.percent(50),
        edits: draw.below(40) as u32,
        comings: draw.below(40) as u32,
        meddling: draw.below(60) as u32,
        jumps: draw.percent(60),
    }
}

/// With teleports, pauses, disabled agents, other tunings, maps and budgets as well, for as many seeds as
/// `TRACE_SEEDS` says.
#[test]
fn drawn_games_replay_alike() {
    replay_alike(0..number_in("TRACE_SEEDS").unwrap_or(40));
}

/// Targets got the slots of others, or their own again, whose fields were still there.
#[test]
fn slots_of_targets_that_are_used_again() {
    replay_alike([25, 76, 78]);
}

fn replay_alike(seeds: impl IntoIterator<Item = u64>) {
    let mut wrong = Vec::new();
    for seed in seeds {
        let mut game = Game::new(drawn(seed), seed);
        let tape = Tape::start(&mut game.app);
        game.begin(40);
        game.run(300);
        let (trace, totals) = tape.finish(&mut game.app);
        match replay(&trace) {
            Ok(ticks) => assert_eq!(ticks, totals.ticks, "seed {seed}"),
            Err(difference) => wrong.push(format!("seed {seed}: {difference}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

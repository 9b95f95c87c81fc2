//! A replay repeats everything that a game does between ticks.

use nav_drawn::tape::{recorded, replay};
use nav_drawn::{Draw, Rooms, number_in};
use nav_tests::by_tier;

/// Draws a game with changes of all kinds, by a seed.
fn drawn(seed: u64) -> Rooms {
    let mut draw = Draw::new(seed ^ 0x5eed);
    Rooms {
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

/// The games have teleports, pauses, disabled agents, other tunings, maps and budgets as well.
/// `NAV_WORLDS` sets the number of seeds. Slots of targets are reused in most of them.
#[test]
fn drawn_sessions() {
    let seeds = number_in("NAV_WORLDS").unwrap_or(by_tier(4, 60));
    let mut wrong = Vec::new();
    for seed in 0..seeds {
        let recorded = recorded(drawn(seed), 40, 300, seed);
        match replay(&recorded.trace) {
            Ok(ticks) => assert_eq!(ticks, recorded.totals.ticks, "seed {seed}"),
            Err(difference) => wrong.push(format!("seed {seed}: {difference}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! Games that are saved at any tick and restored go on as if nothing had happened.

use super::game::{Game, Kind};
use nav::digest;
use nav_tests::drawn::Draw;

/// Games of a kind, and the frames for which the two are compared.
const GAMES: u64 = 12;
const FRAMES: u32 = 80;

/// Plays games, saves and restores each at a drawn frame, and compares both from then on.
fn goes_on(kind: Kind) {
    let mut wrong = Vec::new();
    for seed in 0..GAMES {
        let mut game = Game::new(kind, seed);
        game.begin(60);
        let at = 1 + Draw::new(seed).below(150);
        game.run(at);
        game.shuffle();
        let mut other = game.restored();
        for frame in 0..=FRAMES {
            if digest(game.app.world_mut()) != digest(other.app.world_mut()) {
                wrong.push(format!(
                    "seed {seed}, saved at {at}: differs {frame} frames later"
                ));
                break;
            }
            game.frame();
            other.frame();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn far_targets() {
    goes_on(Kind {
        far: true,
        ..Kind::default()
    });
}

#[test]
fn far_targets_beyond_links() {
    goes_on(Kind {
        far: true,
        links: true,
        ..Kind::default()
    });
}

#[test]
fn far_targets_on_ground_that_is_edited() {
    goes_on(Kind {
        far: true,
        links: true,
        bodies: true,
        edits: 20,
        ..Kind::default()
    });
}

#[test]
fn far_targets_under_a_budget() {
    goes_on(Kind {
        far: true,
        links: true,
        budget: Some(300),
        ..Kind::default()
    });
}

#[test]
fn behaviours() {
    goes_on(Kind {
        bodies: true,
        behaviours: true,
        comings: 20,
        ..Kind::default()
    });
}

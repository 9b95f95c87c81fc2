//! Games of every kind are recorded and replayed.

use super::{
    game::{Game, Kind},
    tape::{Tape, with_behaviours, replay},
};
use nav::digest;

/// Plays a game from its beginning, and once more from the middle, and replays both.
fn plays(kind: Kind) {
    for seed in 0..3 {
        println!("seed {seed}");
        let mut game = Game::new(kind, seed);
        let tape = Tape::start(&mut game.app);
        game.begin(60);
        game.run(400);
        let (trace, totals) = tape.finish(&mut game.app);
        assert_eq!(totals.ticks, 400);
        same(&trace, 400);

        // After the tick in which it begins.
        let mut game = Game::new(kind, seed);
        game.begin(60);
        game.run(50);
        game.shuffle();
        let tape = Tape::start(&mut game.app);
        // It begins after a tick.
        game.run(151);
        let end = digest(game.app.world_mut());
        let (trace, _) = tape.finish(&mut game.app);
        same(&trace, 150);
        let mut replay = nav_trace::Replay::open_with(&trace[..], with_behaviours).unwrap();
        while replay.tick().unwrap().is_some() {}
        assert_eq!(digest(replay.world_mut()), end);
    }
}

fn same(trace: &[u8], ticks: u64) {
    match replay(trace) {
        Ok(replayed) => assert_eq!(replayed, ticks),
        Err(difference) => panic!("{difference}"),
    }
}

#[test]
fn ghosts() {
    plays(Kind::default());
}

#[test]
fn solid_bodies() {
    plays(Kind {
        bodies: true,
        ..Kind::default()
    });
}

#[test]
fn costs() {
    plays(Kind {
        costs: true,
        ..Kind::default()
    });
}

#[test]
fn floors_and_links() {
    plays(Kind {
        links: true,
        bodies: true,
        ..Kind::default()
    });
}

#[test]
fn far_targets() {
    plays(Kind {
        far: true,
        ..Kind::default()
    });
}

#[test]
fn edits() {
    plays(Kind {
        edits: 20,
        bodies: true,
        costs: true,
        ..Kind::default()
    });
}

#[test]
fn edits_of_links_and_far_targets() {
    plays(Kind {
        edits: 20,
        links: true,
        far: true,
        ..Kind::default()
    });
}

#[test]
fn a_budget() {
    plays(Kind {
        budget: Some(300),
        ..Kind::default()
    });
}

#[test]
fn a_budget_and_far_targets() {
    plays(Kind {
        budget: Some(300),
        far: true,
        ..Kind::default()
    });
}

#[test]
fn behaviours() {
    plays(Kind {
        behaviours: true,
        ..Kind::default()
    });
}

#[test]
fn behaviours_of_bodies() {
    plays(Kind {
        behaviours: true,
        bodies: true,
        edits: 5,
        ..Kind::default()
    });
}

#[test]
fn spawns_and_despawns() {
    plays(Kind {
        comings: 30,
        bodies: true,
        ..Kind::default()
    });
}

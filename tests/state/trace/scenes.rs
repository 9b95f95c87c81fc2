//! Sessions of every kind are recorded and replayed.

use nav_drawn::tape::{Tape, recorded, replay, with_behaviours};
use nav_drawn::{Draw, Rooms};
use nav_tests::by_tier;
use nav_trace::{Replay, TracePlugin};

/// Records sessions from the beginning, and others from the middle, and replays both.
fn plays(rooms: Rooms) {
    let frames = by_tier(200, 400);
    for seed in 0..by_tier(1, 3) {
        println!("seed {seed}");
        let recorded = recorded(rooms, 60, frames, seed);
        assert_eq!(recorded.totals.ticks, frames as u64);
        same(&recorded.trace, frames as u64);

        let mut app = rooms.app();
        app.add_plugins(TracePlugin::default());
        let mut session = rooms.session(app, 60, seed);
        session.run(50);
        session.stage.shuffle(&mut Draw::new(seed));
        let tape = Tape::start(&mut session.stage.world.app);
        // The recording begins after the tick in which it is started.
        session.run(151);
        let end = session.stage.world.digest();
        let (trace, _) = tape.finish(&mut session.stage.world.app);
        same(&trace, 150);
        let mut replay = Replay::open_with(&trace[..], with_behaviours).unwrap();
        while replay.tick().unwrap().is_some() {}
        assert_eq!(nav::digest(replay.world_mut()), end);
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
    plays(Rooms::default());
}

#[test]
fn floors_and_links() {
    plays(Rooms {
        links: true,
        bodies: true,
        ..Rooms::default()
    });
}

#[test]
fn edits_links_and_far_targets() {
    plays(Rooms {
        edits: 20,
        links: true,
        far: true,
        ..Rooms::default()
    });
}

#[test]
fn budget_and_far_targets() {
    plays(Rooms {
        budget: Some(300),
        far: true,
        ..Rooms::default()
    });
}

#[test]
fn behaviours_of_bodies() {
    plays(Rooms {
        behaviours: true,
        bodies: true,
        edits: 5,
        ..Rooms::default()
    });
}

//! All golden scenes by name, and a function that plays one.

use super::{recorder::Recorder, scenes};
use bevy_app::App;

/// A scene whose digests are written down.
pub struct GoldenScene {
    /// Its name in the table.
    pub name: &'static str,
    /// What it covers; the scene asserts that.
    pub about: &'static str,
    run: fn(&mut Recorder),
}

/// All golden scenes.
pub const SCENES: &[GoldenScene] = &[
    GoldenScene {
        name: "ghosts",
        about: "2,200 chasers without bodies: fields that they share, and paths of their own",
        run: scenes::ghosts,
    },
    GoldenScene {
        name: "crowd",
        about: "600 solid bodies around four targets: reservations, waits, detours, pushes",
        run: scenes::crowd,
    },
    GoldenScene {
        name: "sizes",
        about: "bodies of one to three columns among each other",
        run: scenes::sizes,
    },
    GoldenScene {
        name: "far",
        about: "targets beyond the window: far fields over portals, near ones at their end",
        run: scenes::far,
    },
    GoldenScene {
        name: "ground",
        about: "ground of different cost, ledges, paces by cost",
        run: scenes::ground,
    },
    GoldenScene {
        name: "storeys",
        about: "three floors with stairs, ladders, a hole, a player in world coordinates",
        run: scenes::storeys,
    },
    GoldenScene {
        name: "budget",
        about: "more searches than a tick has room for: waits, slices, fields put off",
        run: scenes::budget,
    },
    GoldenScene {
        name: "requests",
        about: "path requests, near and far, beside chasers, under a budget, on a map that changes",
        run: scenes::requests,
    },
    GoldenScene {
        name: "edits",
        about: "doors, mud, walls and links that change under those on the way, and all indexes",
        run: scenes::edits,
    },
    GoldenScene {
        name: "preparing",
        about: "a map that prepares itself for far ways while its cells change in every tick",
        run: scenes::preparing,
    },
    GoldenScene {
        name: "methods",
        about: "each method, metric and heuristic, and chasers that are chased",
        run: scenes::methods,
    },
    GoldenScene {
        name: "behaviour",
        about: "notice, calls, leashes, searches, flights, walks, patrols, homes, pauses, distance",
        run: scenes::behaviour,
    },
    GoldenScene {
        name: "squad",
        about: "formations of every shape that catch up, and chasers that cut runners off and take sides",
        run: scenes::squad,
    },
];

/// Returns the scene of a name.
pub fn scene(name: &str) -> Option<&'static GoldenScene> {
    SCENES.iter().find(|scene| scene.name == name)
}

/// Plays a scene in an app that `set_up` prepares before anything runs. Returns the digest after
/// each tick.
///
/// # Panics
///
/// When the scene did not cover its subject.
pub fn play(scene: &GoldenScene, set_up: &dyn Fn(&mut App)) -> Vec<u64> {
    let mut recorder = Recorder::new(set_up);
    (scene.run)(&mut recorder);
    recorder.into_digests()
}

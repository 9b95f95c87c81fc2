//! A replay is equal whatever plugins either app has that do nothing.

use bevy_app::{App, FixedUpdate, Update};
use bevy_ecs::prelude::*;
use nav::{
    CellPosition, Chaser, Chasing, MoveTimer, NavMap, NavPlugin, OnMap,
    state::{StateAppExt, StateRole},
};
use nav_behaviour::BehaviourPlugins;
use nav_drawn::tape::Tape;
use nav_grid::Grid;
use nav_trace::Replay;

/// Plugins of an app, in the schedule of its navigation.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Plugins {
    None,
    /// A component of the game that no agent has.
    Registered,
    Behaviours,
}

/// A component that no agent has.
#[derive(Component, Clone, Debug, Hash, serde::Serialize, serde::Deserialize)]
struct Unused;

impl Plugins {
    const ALL: [Self; 3] = [Self::None, Self::Registered, Self::Behaviours];

    fn add(self, app: &mut App, behaviours: BehaviourPlugins) {
        match self {
            Self::None => {}
            Self::Registered => {
                app.register_saved_state::<Unused>("Unused", StateRole::Decides);
            }
            Self::Behaviours => drop(app.add_plugins(behaviours)),
        }
    }
}

/// Records two chasers of one target. The second one has the given timer, if any.
fn recorded(plugins: Plugins, timer: Option<MoveTimer>, in_one_bundle: bool) -> Vec<u8> {
    let mut app = nav_testing::app();
    app.add_plugins(NavPlugin::default());
    plugins.add(&mut app, BehaviourPlugins::new(FixedUpdate));
    let tape = Tape::start(&mut app);
    let world = app.world_mut();
    let map = OnMap(world.spawn(NavMap::new(Grid::open(40, 20).unwrap())).id());
    let target = world.spawn((map, CellPosition::new(30, 10))).id();
    for (row, timer) in [(5, None), (12, timer)] {
        let npc = (Chaser::default(), map, CellPosition::new(2, row));
        match timer {
            Some(timer) if in_one_bundle => drop(world.spawn((npc, Chasing(target), timer))),
            Some(timer) => drop(world.spawn((npc, Chasing(target))).insert(timer)),
            None => drop(world.spawn((npc, Chasing(target)))),
        }
    }
    for _ in 0..60 {
        app.update();
    }
    tape.finish(&mut app).0
}

fn replay(trace: &[u8], plugins: Plugins) -> Result<u64, String> {
    let add = |app: &mut App| plugins.add(app, BehaviourPlugins::new(Update));
    let mut replay = Replay::open_with(trace, add).map_err(|error| error.to_string())?;
    while let Some(replayed) = replay.tick().map_err(|error| error.to_string())? {
        if let Some(difference) = replayed.difference {
            return Err(difference.to_string());
        }
    }
    Ok(replay.ticks())
}

#[test]
fn idle_plugins() {
    let timer = MoveTimer::default();
    let timers = [
        None,
        Some(timer.staggered(MoveTimer::TURN)),
        Some(
            timer
                .staggered(2 * MoveTimer::TURN)
                .with_chasing(std::time::Duration::from_millis(70)),
        ),
    ];
    let mut wrong = Vec::new();
    for (recorder, timer) in nav_tests::pairs(Plugins::ALL, timers) {
        for in_one_bundle in [true, false] {
            let trace = recorded(recorder, timer, in_one_bundle);
            for player in Plugins::ALL {
                // A replay needs the components that the trace names.
                if recorder != Plugins::None && player != recorder {
                    continue;
                }
                let ticks = replay(&trace, player);
                if ticks != Ok(59) {
                    wrong.push(format!(
                        "{recorder:?}, {timer:?}, {in_one_bundle}, then {player:?}: {ticks:?}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

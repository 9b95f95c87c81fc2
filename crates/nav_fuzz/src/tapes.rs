//! Traces that the corpus begins with: small worlds, of which as much is changed from outside as can be.

use crate::worlds::{behaving, hunt};
use bevy_app::App;
use bevy_ecs::{entity_disabling::Disabled, prelude::*};
use nav::{AgentId, Body, Chaser, NavBudget, NavClock, NavMap, NavPlugin, Paused, Period};
use nav_behaviour::{GoTo, Home, Patrol, PatrolOrder, PatrolStop};
use nav_grid::{Cell, Footprint, Grid, Rules};
use nav_testing::{Scene, app};
use nav_trace::{TracePlugin, finish, rewrite, start};
use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

/// A trace in memory.
#[derive(Clone, Default)]
struct Tape(Arc<Mutex<Vec<u8>>>);

impl Write for Tape {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("one thread").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Tape {
    fn start(app: &mut App) -> Self {
        let tape = Self::default();
        start(app.world_mut(), tape.clone()).expect("nothing is recorded yet");
        tape
    }

    fn finish(self, app: &mut App) -> Vec<u8> {
        finish(app.world_mut()).expect("memory can be written to");
        std::mem::take(&mut self.0.lock().expect("one thread"))
    }
}

/// An app that can be recorded.
fn traced() -> App {
    let mut app = app();
    app.add_plugins(TracePlugin::default());
    app
}

/// Traces as they are written, and longer ones without sketches, which the target puts in.
pub(crate) fn tapes() -> Vec<Vec<u8>> {
    let without_sketches = |trace: Vec<u8>| {
        let trace = rewrite(&trace, |_, state| state.sketch.clear());
        trace.expect("short records")
    };
    let mut tapes = vec![chased(hunt(traced()), 2), led(behaving(traced()), 1)];
    tapes.extend(
        [
            chased(hunt(traced()), 30),
            led(behaving(traced()), 30),
            from_nothing(),
        ]
        .map(without_sketches),
    );
    tapes
}

/// Edits, settings, and a chain whose target jumps about.
fn chased(mut scene: Scene, ticks: usize) -> Vec<u8> {
    let tape = Tape::start(&mut scene.app);
    // A trace of a world with agents begins after a tick.
    for tick in 0..=ticks {
        match tick {
            1 => scene.put('T', Cell::new(7, 0)),
            2 => scene.edit(Cell::new(4, 2), true),
            5 => scene.set_cost(Cell::new(5, 2), 7),
            8 => scene.link(Cell::new(0, 0), Cell::new(11, 4), 3),
            10 => scene.world().insert_resource(NavBudget {
                expansions: Some(40),
            }),
            12 => scene.stop('B'),
            15 => scene.chase('B', 'D'),
            17 => scene.tune('A', |chaser| chaser.stop_distance = 3),
            20 => scene.put_at('T', 2.25, 3.5),
            22 => drop(scene.nav_map().remove_portals()),
            24 => scene.insert('C', Disabled),
            26 => scene.insert('D', Body::soft(Footprint::ONE)),
            _ => {}
        }
        scene.tick(1);
    }
    tape.finish(&mut scene.app)
}

/// Agents that are given other things to do, come and go.
fn led(mut scene: Scene, ticks: usize) -> Vec<u8> {
    let tape = Tape::start(&mut scene.app);
    let mut guest = Entity::PLACEHOLDER;
    for tick in 0..=ticks {
        match tick {
            1 => scene.insert('A', GoTo(Cell::new(9, 3))),
            4 => guest = scene.chaser(Cell::new(5, 3), 'T'),
            7 => {
                let stops = [Cell::new(1, 1), Cell::new(8, 1)].map(|cell| PatrolStop {
                    cell,
                    wait: Period::from_millis(100),
                });
                scene.insert(
                    'B',
                    (
                        Patrol::new(PatrolOrder::PingPong, stops),
                        Home(stops[0].cell),
                    ),
                );
            }
            11 => {
                let now = *scene.world().resource::<NavClock>();
                scene.insert('C', Paused::for_period(&now, Period::from_millis(300)));
            }
            15 => drop(scene.world().despawn(guest)),
            18 => scene.put('T', Cell::new(0, 0)),
            23 => {
                let agent = scene.agent('C');
                scene.world().entity_mut(agent).remove::<Chaser>();
            }
            _ => {}
        }
        scene.tick(1);
    }
    tape.finish(&mut scene.app)
}

/// A world that fills and empties while it is recorded.
fn from_nothing() -> Vec<u8> {
    let mut app = traced();
    app.add_plugins(NavPlugin::default());
    let tape = Tape::start(&mut app);
    let mut map = NavMap::new(Grid::open(9, 7).expect("a small map"));
    map.build_regions(Rules::default());
    let mut scene = Scene::with_app(app, Grid::open(9, 7).expect("a small map"));
    let target = scene.target(Cell::new(8, 6));
    let chaser = scene.chaser(Cell::new(0, 0), target);
    for tick in 0..12 {
        match tick {
            2 => drop(scene.world().entity_mut(chaser).insert(AgentId(70))),
            4 => {
                let plain = scene.map;
                scene.world().entity_mut(plain).insert(map.clone());
            }
            7 => drop(scene.world().despawn(target)),
            9 => drop(scene.world().despawn(chaser)),
            10 => drop(scene.target(Cell::new(3, 3))),
            _ => {}
        }
        scene.tick(1);
    }
    tape.finish(&mut scene.app)
}

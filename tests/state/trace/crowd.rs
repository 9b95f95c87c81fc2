//! A trace of ten thousand chasers for a minute: its size, and a changed bit that is found.

use bevy_app::Update;
use bevy_ecs::prelude::*;
use nav::NavSystems;
use nav_drawn::tape::{Tape, replay, replay_with};
use nav_sim::{Scenario, Silent, maps, sim};
use nav_trace::TracePlugin;
use std::path::Path;

/// The most bytes of such a trace.
const BYTES_MAX: usize = 5 << 20;

#[test]
#[ignore = "a minute in release"]
fn bit_among_ten_thousand() {
    let scenario = Scenario::named(Path::new("crowd-10k")).unwrap();
    let map = maps::load(scenario.map.as_ref()).unwrap();
    let tape = Tape::default();
    let start = |app: &mut bevy_app::App| {
        app.add_plugins(TracePlugin::default());
        nav_trace::start(app.world_mut(), tape.clone()).unwrap();
    };
    let ticks = scenario.ticks();
    let report = sim::run_with(&scenario, map, &mut Silent, start, |tick, simulation| {
        if tick == ticks {
            nav_trace::finish(simulation.world_mut()).unwrap();
        }
        Ok::<(), sim::SimError>(())
    });
    report.unwrap();
    let trace = tape.bytes();
    assert!(trace.len() <= BYTES_MAX, "{} bytes", trace.len());
    assert_eq!(replay(&trace), Ok(ticks));

    let id = 7_000;
    let difference = replay_with(&trace, |app| {
        let flip = super::named::flip(id);
        app.add_systems(
            Update,
            flip.after(NavSystems::Step).before(NavSystems::Report),
        );
    });
    super::named::assert_names(&difference.unwrap_err(), id);
}

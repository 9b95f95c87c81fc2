//! Times each set of the plugin.

use crate::{clock::Stopwatch, report::SETS};
use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use std::time::Duration;

/// Wall clock time of each set in the last tick, in the order of [`SETS`].
#[derive(Resource)]
pub(super) struct Laps {
    stopwatch: Stopwatch,
    times: [Duration; SETS.len()],
}

impl Laps {
    pub(super) const fn times(&self) -> [Duration; SETS.len()] {
        self.times
    }
}

/// The set of the system that starts the first lap, before the first set of the plugin.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Start;

/// Adds a system before the first set, and one after each.
pub(super) fn add(app: &mut App) {
    app.insert_resource(Laps {
        stopwatch: Stopwatch::start(),
        times: [Duration::ZERO; SETS.len()],
    });
    app.add_systems(FixedUpdate, start.in_set(Start).before(SETS[0].1));
    for (index, (_, set)) in SETS.into_iter().enumerate() {
        let lap = move |mut laps: ResMut<Laps>| laps.times[index] = laps.stopwatch.lap();
        match SETS.get(index + 1) {
            Some((_, next)) => app.add_systems(FixedUpdate, lap.after(set).before(*next)),
            None => app.add_systems(FixedUpdate, lap.after(set)),
        };
    }
}

fn start(mut laps: ResMut<Laps>) {
    laps.stopwatch = Stopwatch::start();
}

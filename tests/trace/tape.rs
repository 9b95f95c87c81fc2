//! Traces in memory, and how they are recorded and replayed.

use bevy_app::{App, Update};
use nav_behaviour::BehaviourPlugins;
use nav_trace::{Difference, Replay, TracePlugin, TraceTotals};
use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

/// A trace in memory.
#[derive(Clone, Default)]
pub struct Tape(Arc<Mutex<Vec<u8>>>);

impl Write for Tape {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Tape {
    /// Begins to record an app, which has no [`TracePlugin`] yet.
    pub fn start(app: &mut App) -> Self {
        let tape = Self::default();
        app.add_plugins(TracePlugin::default());
        nav_trace::start(app.world_mut(), tape.clone()).unwrap();
        tape
    }

    /// What was recorded.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().clone()
    }

    /// Ends the recording, and returns it.
    pub fn finish(self, app: &mut App) -> (Vec<u8>, TraceTotals) {
        let totals = nav_trace::finish(app.world_mut()).unwrap();
        let bytes = std::mem::take(&mut *self.0.lock().unwrap());
        assert_eq!(totals.bytes, bytes.len() as u64);
        (bytes, totals)
    }
}

/// Adds the behaviours that games have to the app of a replay.
pub fn with_behaviours(app: &mut App) {
    app.add_plugins(BehaviourPlugins::new(Update));
}

/// Replays a trace to the first difference, and returns how many ticks it has.
pub fn replay(trace: &[u8]) -> Result<u64, Difference> {
    replay_with(trace, |_| {})
}

/// The same with something more in the app.
pub fn replay_with(trace: &[u8], add: impl FnOnce(&mut App)) -> Result<u64, Difference> {
    let replay = Replay::open_with(trace, |app| {
        with_behaviours(app);
        add(app);
    });
    let mut replay = replay.unwrap();
    while let Some(replayed) = replay.tick().unwrap() {
        if let Some(difference) = replayed.difference {
            return Err(difference);
        }
    }
    Ok(replay.ticks())
}

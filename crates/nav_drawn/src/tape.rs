//! Traces in memory: recording and replaying them.

use crate::{Rooms, Session};
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
        self.0
            .lock()
            .expect("no panic while it is held")
            .write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Tape {
    /// Begins to record an app. Adds [`TracePlugin`] unless it is there.
    ///
    /// # Panics
    ///
    /// When it is being recorded already.
    pub fn start(app: &mut App) -> Self {
        let tape = Self::default();
        if !app.is_plugin_added::<TracePlugin>() {
            app.add_plugins(TracePlugin::default());
        }
        nav_trace::start(app.world_mut(), tape.clone()).expect("nothing is recorded yet");
        tape
    }

    /// Returns the recorded bytes.
    ///
    /// # Panics
    ///
    /// When a thread panicked while it wrote.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.lock().expect("no panic while it is held").clone()
    }

    /// Ends the recording, and returns it.
    ///
    /// # Panics
    ///
    /// When nothing is recorded.
    pub fn finish(self, app: &mut App) -> (Vec<u8>, TraceTotals) {
        let totals = nav_trace::finish(app.world_mut()).expect("memory can be written to");
        let bytes = std::mem::take(&mut *self.0.lock().expect("no panic while it is held"));
        assert_eq!(totals.bytes, bytes.len() as u64);
        (bytes, totals)
    }
}

/// Replays a trace to its end, and returns the number of its ticks.
///
/// # Errors
///
/// The first difference.
///
/// # Panics
///
/// When the trace is not whole.
pub fn replay(trace: &[u8]) -> Result<u64, Difference> {
    replay_with(trace, |_| {})
}

/// Replays a trace in an app with something more in it.
///
/// # Errors
///
/// As [`replay`].
///
/// # Panics
///
/// As [`replay`].
pub fn replay_with(trace: &[u8], add: impl FnOnce(&mut App)) -> Result<u64, Difference> {
    let replay = Replay::open_with(trace, |app| {
        with_behaviours(app);
        add(app);
    });
    let mut replay = replay.expect("a trace");
    while let Some(replayed) = replay.tick().expect("a whole trace") {
        if let Some(difference) = replayed.difference {
            return Err(difference);
        }
    }
    Ok(replay.ticks())
}

/// Adds to the app of a replay the behaviours that sessions have.
pub fn with_behaviours(app: &mut App) {
    app.add_plugins(BehaviourPlugins::new(Update));
}

/// Returns a trace of a session from its beginning, and the session after it.
pub fn recorded(rooms: Rooms, chasers: usize, frames: usize, seed: u64) -> Recorded {
    let mut app = rooms.app();
    let tape = Tape::start(&mut app);
    let mut session = rooms.session(app, chasers, seed);
    session.run(frames);
    let (trace, totals) = tape.finish(&mut session.stage.world.app);
    Recorded {
        session,
        trace,
        totals,
    }
}

/// The result of [`recorded`].
pub struct Recorded {
    /// The session after its last frame.
    pub session: Session,
    /// The trace.
    pub trace: Vec<u8>,
    /// Its size and number of ticks.
    pub totals: TraceTotals,
}

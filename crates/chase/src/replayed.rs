//! Replays traces, and reports whether they run as they were recorded.

use bevy_app::Update;
use nav::saving::NavSave;
use nav_behaviour::BehaviourPlugins;
use nav_sim::{report::Digest, sim};
use nav_trace::{Difference, DifferentPart, Replay, TraceError};
use serde::Serialize;
use std::{fmt, io::Read};

/// The result of a replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReplayReport {
    /// Ticks replayed.
    pub ticks: u64,
    /// Whether all of them equal the recorded ones.
    pub equal: bool,
    /// Digest of the state after the last tick.
    pub digest: Digest,
    /// The first difference, if any.
    pub difference: Option<FirstDifference>,
}

/// The first tick that differs from the recorded one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FirstDifference {
    /// The tick, from 1.
    pub tick: u64,
    /// Recorded digest.
    pub recorded: Digest,
    /// Digest of the replay.
    pub replayed: Digest,
    /// The parts that differ, as far as known.
    pub parts: Vec<PartRow>,
    /// Sums of parts that differ and are not in `parts`.
    pub untold: usize,
    /// The same as text, with a line for the tick and for each part.
    #[serde(skip)]
    text: String,
}

/// A component that differs, or another part of the state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartRow {
    /// Number of the agent, if it has one.
    pub agent: Option<u32>,
    /// The entity in the recorded game.
    pub entity: Option<String>,
    /// Name of the component.
    pub component: String,
    /// Recorded value, if known.
    pub recorded: Option<String>,
    /// Value in the replay.
    pub replayed: Option<String>,
}

/// The part of a trace to replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayRange {
    /// Last tick to replay; all for `None`.
    pub until: Option<u64>,
    /// Tick after which the state is returned; 0 is the start. The replay continues to it even if
    /// earlier ticks differ. Without it, the replay ends at the first difference.
    pub dump: Option<u64>,
    /// Number of threads.
    pub threads: u32,
}

/// Replays a trace. Returns the result and the requested state.
///
/// # Errors
///
/// [`TraceError`].
pub fn replay(
    trace: impl Read,
    range: ReplayRange,
) -> Result<(ReplayReport, Option<NavSave>), TraceError> {
    let ReplayRange {
        until,
        dump,
        threads,
    } = range;
    let mut replay = Replay::open_with(trace, |app| {
        app.add_plugins(BehaviourPlugins::new(Update));
        sim::add_threads(app, threads);
    })?;
    let mut difference = None;
    let mut state = None;
    loop {
        let ticks = replay.ticks();
        if dump == Some(ticks) {
            state = Some(replay.save());
        }
        let is_wanted = dump.is_some_and(|dump| dump > ticks);
        let is_over = until.is_some_and(|until| ticks >= until) || difference.is_some();
        if is_over && !is_wanted {
            break;
        }
        let Some(tick) = replay.tick()? else {
            break;
        };
        difference = difference.or(tick.difference);
    }
    let report = ReplayReport {
        ticks: replay.ticks(),
        equal: difference.is_none(),
        digest: Digest(nav::digest(replay.world_mut())),
        difference: difference.map(FirstDifference::from),
    };
    Ok((report, state))
}

impl From<Difference> for FirstDifference {
    fn from(difference: Difference) -> Self {
        let text = difference.to_string();
        let Difference {
            tick,
            recorded,
            replayed,
            parts,
            untold,
        } = difference;
        Self {
            tick,
            recorded: Digest(recorded),
            replayed: Digest(replayed),
            parts: parts.into_iter().map(PartRow::from).collect(),
            untold,
            text,
        }
    }
}

impl From<DifferentPart> for PartRow {
    fn from(part: DifferentPart) -> Self {
        Self {
            agent: part.agent.map(|agent| agent.0),
            entity: part.entity.map(|entity| entity.to_string()),
            component: part.part,
            recorded: part.recorded,
            replayed: part.replayed,
        }
    }
}

impl fmt::Display for ReplayReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.difference {
            Some(difference) => f.write_str(&difference.text),
            None => writeln!(
                f,
                "{} ticks as they were recorded, digest {}",
                self.ticks, self.digest
            ),
        }
    }
}

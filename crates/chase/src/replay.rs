//! Replays traces and reports whether they go as they were recorded.

use crate::{report::Digest, sim};
use bevy_app::Update;
use nav::saving::NavSave;
use nav_behaviour::BehaviourPlugins;
use nav_trace::{Difference, DifferentPart, Replay, TraceError};
use serde::Serialize;
use std::{fmt, io::Read};

/// How a replay went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReplayReport {
    /// Ticks that were replayed.
    pub ticks: u64,
    /// Whether all of them went as they were recorded.
    pub equal: bool,
    /// The digest of the state after the last one.
    pub digest: Digest,
    /// The first tick that did not.
    pub difference: Option<FirstDifference>,
}

/// The first tick that did not go as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FirstDifference {
    /// The tick, from 1 on.
    pub tick: u64,
    /// The digest that was recorded.
    pub recorded: Digest,
    /// That of the replay.
    pub replayed: Digest,
    /// What differs, as far as it is known.
    pub parts: Vec<PartRow>,
    /// Sums of parts that differ by more than that.
    pub untold: usize,
    /// The same as text, a line for the tick and for each part.
    #[serde(skip)]
    text: String,
}

/// A component, or a part of the state beside components, that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartRow {
    /// The number of the agent, if it has one.
    pub agent: Option<u32>,
    /// The entity where the trace was recorded.
    pub entity: Option<String>,
    /// The name of the component.
    pub component: String,
    /// Its value where the trace was recorded, if that is known.
    pub recorded: Option<String>,
    /// Its value in the replay.
    pub replayed: Option<String>,
}

/// What of a trace is replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayRange {
    /// The last tick; all if there is none.
    pub until: Option<u64>,
    /// The tick after which the state is wanted; 0 is the start. The replay goes on to it even if ticks
    /// before it differ, and else ends with the first one that does.
    pub dump: Option<u64>,
    /// Number of threads.
    pub threads: u32,
}

/// Replays a trace, and returns how that went and the state that is wanted.
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

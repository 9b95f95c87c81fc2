//! The searches of the plugin: the last one of each chaser, their numbers by method, and the work
//! of a second.

use crate::messages::SearchDetails;
use bevy_ecs::prelude::*;
use nav::{NavDiagnostics, PathFailed, PathFailure, PathFound};
use nav_grid::Outcome;
use std::{collections::BTreeMap, mem::take};

/// The searches that the plugin reports. It does not report one that fails as the previous one did,
/// so numbers by method do not count all. Those by outcome are complete.
#[derive(Resource, Default)]
pub(crate) struct SearchLog {
    hz: u32,
    last: BTreeMap<Entity, LastSearch>,
    /// Since the start.
    by_method: BTreeMap<&'static str, u64>,
    /// The last complete second, and the one that runs.
    complete: Second,
    running: Second,
}

/// A search, or the reason why there was none.
#[derive(Clone, Copy)]
struct LastSearch {
    /// The tick of the search.
    tick: u64,
    answer: Result<Outcome, PathFailure>,
}

/// Searches and work of a second of simulated time.
#[derive(Clone, Default)]
pub(crate) struct Second {
    pub(crate) searches: u64,
    pub(crate) by_method: BTreeMap<&'static str, u64>,
    pub(crate) work: u64,
    /// Work of the busiest tick.
    pub(crate) work_max: u64,
}

impl SearchLog {
    /// Creates it without searches, for `hz` ticks per second.
    pub(crate) fn new(hz: u32) -> Self {
        Self {
            hz,
            ..Self::default()
        }
    }

    /// Returns the numbers of searches since the start by the method that answered.
    pub(crate) const fn by_method(&self) -> &BTreeMap<&'static str, u64> {
        &self.by_method
    }

    /// Returns the last complete second.
    pub(crate) const fn last_second(&self) -> &Second {
        &self.complete
    }

    /// Returns the last search of a chaser. `ticks` is the current tick.
    pub(crate) fn last(&self, chaser: Entity, ticks: u64) -> Option<SearchDetails> {
        let LastSearch { tick, answer } = self.last.get(&chaser)?;
        let outcome = match answer {
            Ok(outcome) | Err(PathFailure::Search(outcome)) => Some(outcome),
            Err(_) => None,
        };
        Some(SearchDetails {
            ticks_ago: ticks.saturating_sub(*tick),
            method: outcome.map(|outcome| outcome.method.name()),
            outcome: match answer {
                Ok(outcome) => outcome.status.to_string(),
                Err(failure) => failure.to_string(),
            },
            cost: outcome.map(|outcome| outcome.cost),
            expanded: outcome.map(|outcome| outcome.counters.expanded),
            work: outcome.map(|outcome| outcome.counters.work()),
        })
    }
}

/// Records the searches of a tick.
pub(crate) fn note_searches(
    diagnostics: Res<NavDiagnostics>,
    mut found: MessageReader<PathFound>,
    mut failed: MessageReader<PathFailed>,
    mut log: ResMut<SearchLog>,
) {
    let log = &mut *log;
    let (tick, counts) = (diagnostics.ticks, &diagnostics.last_tick);
    let answers = found.read().map(|it| (it.chaser, Ok(it.outcome)));
    let failures = failed.read().map(|it| (it.chaser, Err(it.reason)));
    for (chaser, answer) in answers.chain(failures) {
        if let Ok(outcome) | Err(PathFailure::Search(outcome)) = answer
            && outcome.status.was_searched()
        {
            for by_method in [&mut log.by_method, &mut log.running.by_method] {
                *by_method.entry(outcome.method.name()).or_default() += 1;
            }
        }
        log.last.insert(chaser, LastSearch { tick, answer });
    }
    log.running.searches += counts.searched();
    log.running.work += counts.expanded;
    log.running.work_max = log.running.work_max.max(counts.expanded);
    if tick.is_multiple_of(log.hz.into()) {
        log.complete = take(&mut log.running);
    }
}

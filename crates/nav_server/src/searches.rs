//! The last search of each chaser, and searches by method, from the messages of the plugin.

use crate::said::SearchSays;
use bevy_ecs::prelude::*;
use nav::{NavDiagnostics, PathFailed, PathFailure, PathFound};
use nav_grid::Outcome;
use std::collections::BTreeMap;

/// The last search of each chaser, and searches by method, since the start.
///
/// The plugin does not report a search that fails as the previous one did, so these are not all
/// searches. The counts by outcome are complete.
#[derive(Resource, Default)]
pub(crate) struct ReportedSearches {
    last: BTreeMap<Entity, LastSearch>,
    by_method: BTreeMap<&'static str, u64>,
}

/// A search, or the reason why there was none.
#[derive(Clone, Copy)]
struct LastSearch {
    /// The tick of the search.
    tick: u64,
    answer: Result<Outcome, PathFailure>,
}

impl ReportedSearches {
    /// Returns searches by the method that answered.
    pub(crate) const fn by_method(&self) -> &BTreeMap<&'static str, u64> {
        &self.by_method
    }

    /// Returns the last search of a chaser in the form of messages. `ticks` is the current tick.
    pub(crate) fn last(&self, chaser: Entity, ticks: u64) -> Option<SearchSays> {
        let LastSearch { tick, answer } = self.last.get(&chaser)?;
        let outcome = match answer {
            Ok(outcome) | Err(PathFailure::Search(outcome)) => Some(outcome),
            Err(_) => None,
        };
        Some(SearchSays {
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
    mut searches: ResMut<ReportedSearches>,
) {
    let found = found.read().map(|found| (found.chaser, Ok(found.outcome)));
    let failed = failed.read();
    let failed = failed.map(|failed| (failed.chaser, Err(failed.reason)));
    for (chaser, answer) in found.chain(failed) {
        if let Ok(outcome) | Err(PathFailure::Search(outcome)) = answer
            && outcome.status.was_searched()
        {
            *searches.by_method.entry(outcome.method.name()).or_default() += 1;
        }
        let tick = diagnostics.ticks;
        searches.last.insert(chaser, LastSearch { tick, answer });
    }
}

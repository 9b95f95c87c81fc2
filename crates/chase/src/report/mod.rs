//! What a run did and what it cost.
//!
//! A [`Recorder`] is told everything as it happens and is turned into a [`Report`] at the end.
//! A report prints as JSON with `serde_json`, and for people with [`Report::summary`].
//!
//! All of it but times, [`Report::threads`] and memory is the same for the same scenario on
//! every machine.

mod digest;
mod expansions;
mod nav_state;
mod recorder;
mod sets;
mod slots;
mod summary;
mod tick_times;

pub use digest::Digest;
pub use expansions::{Bucket, ExpansionCounts, Expansions};
pub use nav_state::NavState;
pub use recorder::Recorder;
pub use sets::{SETS, SetTime, Sets};
pub use tick_times::TickTimes;

use nav_grid::{Method, Status};
use serde::{Deserialize, Serialize};

/// What a run did and what it cost. Its JSON is one object with the fields below.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// Ticks done.
    pub ticks: u64,
    /// Ticks per simulated second.
    pub hz: u32,
    /// Chasers at the start.
    pub chasers: u32,
    /// Targets at the start.
    pub targets: u32,
    /// Seed of the scenario.
    pub seed: u64,
    /// Threads the run could use.
    pub threads: u32,
    /// Method that the chasers' searches were answered by.
    pub method: Method,
    /// Expansions that all searches of a tick might take together; `null` without a bound.
    pub budget: Option<u32>,
    /// Most expansions that searches and fields of a tick took together.
    pub expanded_max: u64,
    /// Wall clock time it took to place the agents and to prepare the map for their searches, in
    /// milliseconds.
    pub setup_ms: f64,
    /// Wall clock time of ticks.
    pub tick_ms: TickTimes,
    /// Wall clock time of ticks by what was done in it.
    pub sets: Sets,
    /// Searches by how they ended.
    pub searches: Searches,
    /// What the first search that was not supported lacked, in words; `null` if all were.
    pub refusal: Option<String>,
    /// Expansions of searches.
    pub expansions: Expansions,
    /// Fields made for targets that several chase; a field answers all of them without a search.
    pub fields: u64,
    /// Steps that chasers took.
    pub steps: u64,
    /// Times that a chaser came within reach of its target.
    pub reached: u64,
    /// Fingerprint of the final state.
    pub digest: Digest,
    /// Most memory the process held at one time, in bytes; `null` where the system does not
    /// tell.
    pub peak_rss_bytes: Option<u64>,
    /// Memory that the process holds at the end, in bytes; `null` as above.
    pub rss_bytes: Option<u64>,
    /// What the process holds at the end beyond what it held when the map was there and the
    /// agents were not, in bytes for each chaser; `null` as above, and without chasers.
    pub bytes_per_chaser: Option<f64>,
    /// What the plugin keeps at the end.
    pub nav: NavState,
}

/// Numbers of searches by how they ended; see [`Status`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Searches {
    /// The path leads to the goal.
    pub found: u64,
    /// The path leads nearer to the goal.
    pub partial: u64,
    /// Nothing leads to the goal inside the window.
    pub unreachable: u64,
    /// The goal is outside the window.
    pub too_far: u64,
    /// The limit on expansions was reached.
    pub budget_spent: u64,
    /// Start and goal are one cell.
    pub already_there: u64,
    /// An end of the query cannot be stood on, or the search ended in a way that this program
    /// does not know.
    pub invalid: u64,
    /// The method cannot serve the map or the query; [`Report::refusal`] says why.
    pub unsupported: u64,
}

impl Searches {
    /// Counts one search.
    pub fn count(&mut self, status: Status) {
        let counter = match status {
            Status::Found => &mut self.found,
            Status::Partial(_) => &mut self.partial,
            Status::Unreachable => &mut self.unreachable,
            Status::TooFar => &mut self.too_far,
            Status::BudgetSpent => &mut self.budget_spent,
            Status::AlreadyThere => &mut self.already_there,
            Status::Unsupported(_) => &mut self.unsupported,
            _ => &mut self.invalid,
        };
        *counter += 1;
    }

    /// Number of searches.
    pub fn total(&self) -> u64 {
        self.rows().iter().map(|(_, count)| count).sum()
    }

    /// All outcomes with the words that people read.
    fn rows(&self) -> [(&'static str, u64); 8] {
        let Self {
            found,
            partial,
            unreachable,
            too_far,
            budget_spent,
            already_there,
            invalid,
            unsupported,
        } = *self;
        [
            ("found", found),
            ("partial", partial),
            ("unreachable", unreachable),
            ("too far", too_far),
            ("budget spent", budget_spent),
            ("already there", already_there),
            ("invalid", invalid),
            ("unsupported", unsupported),
        ]
    }
}

/// The smallest rank, from 1, that is not below `percent` of `count`: the nearest-rank
/// definition of a percentile. 0 if there is nothing to rank.
pub(crate) fn nearest_rank(count: u64, percent: u64) -> u64 {
    (u128::from(count) * u128::from(percent)).div_ceil(100) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::query::{Fault, Feature, QueryEnd, Stopped};

    #[test]
    fn ranks_are_rounded_up() {
        assert_eq!(nearest_rank(0, 50), 0);
        assert_eq!(nearest_rank(1, 50), 1);
        assert_eq!(nearest_rank(1, 99), 1);
        assert_eq!(nearest_rank(5, 50), 3);
        assert_eq!(nearest_rank(200, 99), 198);
        assert_eq!(nearest_rank(201, 99), 199);
        assert_eq!(nearest_rank(u64::MAX, 100), u64::MAX);
    }

    #[test]
    fn every_status_has_a_counter_of_its_own() {
        let mut searches = Searches::default();
        for status in [
            Status::Found,
            Status::Partial(Stopped::BudgetSpent),
            Status::Unreachable,
            Status::TooFar,
            Status::BudgetSpent,
            Status::AlreadyThere,
            Status::Invalid(QueryEnd::Start, Fault::Blocked),
            Status::Unsupported(Feature::Window),
        ] {
            searches.count(status);
        }
        assert!(searches.rows().iter().all(|&(_, count)| count == 1));
        assert_eq!(searches.total(), 8);
    }
}

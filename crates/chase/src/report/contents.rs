//! The report itself: every number that a run ends with.

use super::{
    digest::Digest, ends::Ends, expansions::Expansions, nav_state::NavState, searches::Searches,
    sets::Sets, tick_times::TickTimes, ways::WaysAt,
};
use nav_grid::Method;
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
    /// Method that answered the searches of chasers.
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
    /// Of those that were found, the ones that were answered without any expansion, such as straight
    /// ways.
    pub found_at_once: u64,
    /// Why the first search that the method could not serve was refused, as a sentence; `null` if
    /// there was none.
    pub refusal: Option<String>,
    /// Expansions of searches.
    pub expansions: Expansions,
    /// Fields made for targets that several chase; a field answers all of them without a search.
    pub fields: u64,
    /// Steps that chasers took.
    pub steps: u64,
    /// Times that a chaser came within reach of its target.
    pub reached: u64,
    /// How the chases stand at the end.
    pub ends: Ends,
    /// What chasers followed after 1, 2, 4, 8 seconds, and so on.
    pub ways: Vec<WaysAt>,
    /// Fingerprint of the final state.
    pub digest: Digest,
    /// Most memory the process held at one time, in bytes; `null` where the system does
    /// not count it.
    pub peak_rss_bytes: Option<u64>,
    /// Memory that the process holds at the end, in bytes; `null` as above.
    pub rss_bytes: Option<u64>,
    /// How much the process has grown since the map was ready and before agents were spawned, in
    /// bytes for each chaser; `null` as above, and without chasers.
    pub bytes_per_chaser: Option<f64>,
    /// What the plugin keeps at the end.
    pub nav: NavState,
}

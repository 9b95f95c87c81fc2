//! The report: all results of a run.

use super::{
    digest::Digest,
    expansions::Expansions,
    nav_state::NavState,
    searches::Searches,
    sets::Sets,
    ways::{Ends, WaysAt},
};
use crate::percentile::Spread;
use nav_grid::Method;
use serde::{Deserialize, Serialize};

/// The results and costs of a run. Its JSON is one object with the fields below.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// Threads available to the run.
    pub threads: u32,
    /// Method that answered the searches of chasers.
    pub method: Method,
    /// Expansions allowed for all searches of a tick together; `null` without a limit.
    pub budget: Option<u32>,
    /// Most expansions of searches and fields in a tick.
    pub expanded_max: u64,
    /// Wall clock time to place the agents and to prepare the map for searches, in milliseconds.
    pub setup_ms: f64,
    /// Wall clock time of ticks, in milliseconds.
    pub tick_ms: Spread,
    /// Wall clock time of ticks by set.
    pub sets: Sets,
    /// Searches by outcome.
    pub searches: Searches,
    /// Found paths that needed no expansion, such as straight lines.
    pub found_at_once: u64,
    /// Why the method refused a search, as a sentence, for the first refusal; `null` without one.
    pub refusal: Option<String>,
    /// Expansions of searches.
    pub expansions: Expansions,
    /// Fields computed for targets with several chasers. A field answers all of them without a
    /// search.
    pub fields: u64,
    /// Steps of chasers.
    pub steps: u64,
    /// Times that a chaser came within reach of its target.
    pub reached: u64,
    /// State of the chases at the end.
    pub ends: Ends,
    /// The guidance of chasers after 1, 2, 4, 8 seconds, and so on.
    pub ways: Vec<WaysAt>,
    /// Digest of the final state.
    pub digest: Digest,
    /// Most memory that the process held at one time, in bytes; `null` where the system does not
    /// count it.
    pub peak_rss_bytes: Option<u64>,
    /// Memory that the process holds at the end, in bytes; `null` as above.
    pub rss_bytes: Option<u64>,
    /// Growth of the process since the map was ready and before agents were spawned, in bytes per
    /// chaser; `null` as above, and without chasers.
    pub bytes_per_chaser: Option<f64>,
    /// Memory that the plugin keeps at the end.
    pub nav: NavState,
}

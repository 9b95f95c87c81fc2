//! The recorder, which collects the events of a run into a report.

use super::{
    contents::Report,
    digest::Digest,
    expansions::ExpansionCounts,
    nav_state::NavState,
    searches::Searches,
    sets::{SETS, SetCounts},
    tick_times::TickTimes,
    ways::{Ends, WaysAt},
};
use crate::{Scenario, memory, scenario::limits};
use nav_grid::{Method, Status, query::Feature};
use std::time::Duration;

/// Collects the events of a run, and makes a [`Report`] of them.
///
/// # Memory
///
/// 8 bytes per tick and 100 KiB.
///
/// # Example
///
/// ```
/// use nav_sim::{
///     Recorder, Scenario,
///     report::{Digest, SETS},
/// };
/// use nav_grid::Status;
/// use std::time::Duration;
///
/// let scenario = Scenario::default();
/// let mut recorder = Recorder::new(&scenario);
/// recorder.search(Status::Found, 12);
/// recorder.steps(1);
/// recorder.tick(Duration::from_micros(800), [Duration::from_micros(100); SETS.len()]);
/// let report = recorder.finish(Digest(7));
/// assert_eq!((report.ticks, report.searches.found, report.steps), (1, 1, 1));
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    hz: u32,
    chasers: u32,
    targets: u32,
    seed: u64,
    threads: u32,
    method: Method,
    budget: Option<u32>,
    expanded_max: u64,
    setup: Duration,
    tick_ms: Vec<f64>,
    sets: SetCounts,
    rss_before: Option<u64>,
    /// Most memory so far, and memory at the end.
    memory: Option<(Option<u64>, Option<u64>)>,
    searches: Searches,
    found_at_once: u64,
    unsupported: Option<Feature>,
    expansions: ExpansionCounts,
    fields: u64,
    steps: u64,
    reached: u64,
    ends: Ends,
    ways: Vec<WaysAt>,
    nav: NavState,
}

impl Recorder {
    /// Creates a recorder for a run of `scenario`, with room for its ticks.
    pub fn new(scenario: &Scenario) -> Self {
        Self {
            hz: scenario.hz,
            chasers: scenario.chasers,
            targets: scenario.targets,
            seed: scenario.seed,
            threads: scenario.threads_or_all(),
            method: scenario.method,
            budget: scenario.budget,
            expanded_max: 0,
            setup: Duration::ZERO,
            tick_ms: Vec::with_capacity(scenario.ticks().min(limits::TICKS_MAX) as usize),
            sets: SetCounts::default(),
            rss_before: None,
            memory: None,
            searches: Searches::default(),
            found_at_once: 0,
            unsupported: None,
            expansions: ExpansionCounts::default(),
            fields: 0,
            steps: 0,
            reached: 0,
            ends: Ends::default(),
            ways: Vec::new(),
            nav: NavState::default(),
        }
    }

    /// Records the setup time before the first tick, and the bytes that the process held before
    /// agents were spawned; `None` if the system does not count them.
    pub const fn ready(&mut self, time: Duration, rss_bytes: Option<u64>) {
        self.setup = time;
        self.rss_before = rss_bytes;
    }

    /// Records a tick that took `time`, and the part of it in each set of [`SETS`].
    pub fn tick(&mut self, time: Duration, sets: [Duration; SETS.len()]) {
        self.tick_ms.push(time.as_secs_f64() * 1000.0);
        self.sets.count(time, sets);
    }

    /// Records a search.
    pub fn search(&mut self, status: Status, expansions: u32) {
        self.searches.count(status);
        self.found_at_once += u64::from(status == Status::Found && expansions == 0);
        if let Status::Unsupported(feature) = status {
            self.unsupported.get_or_insert(feature);
        }
        self.expansions.count(expansions);
    }

    /// Records the expansions of all searches and fields of a tick.
    pub fn expanded(&mut self, expansions: u64) {
        self.expanded_max = self.expanded_max.max(expansions);
    }

    /// Records computed fields.
    pub fn fields(&mut self, fields: u64) {
        self.fields += fields;
    }

    /// Records steps of chasers.
    pub fn steps(&mut self, steps: u64) {
        self.steps += steps;
    }

    /// Records chasers that came within reach of their target.
    pub fn reached(&mut self, reached: u64) {
        self.reached += reached;
    }

    /// Records what chasers follow at a moment.
    pub fn ways(&mut self, ways: WaysAt) {
        self.ways.push(ways);
    }

    /// Records the state of the chases at the end. Replaces an earlier record.
    pub const fn ends(&mut self, ends: Ends) {
        self.ends = ends;
    }

    /// Records the current memory of the process as that at the end. Without it, memory is read
    /// when the report is made.
    pub fn memory(&mut self) {
        self.memory = Some((memory::peak_rss_bytes(), memory::rss_bytes()));
    }

    /// Records the memory of the plugin. Replaces an earlier record.
    pub const fn nav(&mut self, state: NavState) {
        self.nav = state;
    }

    /// Returns the report of a run whose final state has this `digest`.
    pub fn finish(mut self, digest: Digest) -> Report {
        if self.memory.is_none() {
            self.memory();
        }
        let (peak_rss_bytes, rss_bytes) = self.memory.unwrap_or_default();
        let grown = rss_bytes
            .zip(self.rss_before)
            .filter(|_| self.chasers > 0)
            .map(|(after, before)| after.saturating_sub(before));
        Report {
            ticks: self.tick_ms.len() as u64,
            hz: self.hz,
            chasers: self.chasers,
            targets: self.targets,
            seed: self.seed,
            threads: self.threads,
            method: self.method,
            budget: self.budget,
            expanded_max: self.expanded_max,
            setup_ms: self.setup.as_secs_f64() * 1000.0,
            tick_ms: TickTimes::from_all(&mut self.tick_ms),
            sets: self.sets.summarize(self.tick_ms.len() as u64),
            searches: self.searches,
            found_at_once: self.found_at_once,
            refusal: self
                .unsupported
                .map(|feature| format!("the method {} cannot serve {feature}", self.method)),
            expansions: self.expansions.summarize(),
            fields: self.fields,
            steps: self.steps,
            reached: self.reached,
            ends: self.ends,
            ways: self.ways,
            digest,
            peak_rss_bytes,
            rss_bytes,
            bytes_per_chaser: grown.map(|bytes| bytes as f64 / f64::from(self.chasers)),
            nav: self.nav,
        }
    }
}

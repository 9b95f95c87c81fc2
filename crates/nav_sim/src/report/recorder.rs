//! The recorder, which collects the events of a run into a report.

use super::{
    contents::Report, digest::Digest, expansions::ExpansionCounts, sets::SETS, sets::SetCounts,
};
use crate::{Scenario, memory, percentile::Spread, scenario::limits};
use nav::diagnostics::NavCounts;
use nav_grid::{Status, query::Feature};
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
/// recorder.tick(Duration::from_micros(800), [Duration::from_micros(100); SETS.len()]);
/// let report = recorder.finish(Digest(7));
/// assert_eq!((report.ticks, report.searches.found), (1, 1));
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    /// The report so far, without what is summed up at the end: times, expansions and memory.
    pub report: Report,
    tick_ms: Vec<f64>,
    sets: SetCounts,
    rss_before: Option<u64>,
    unsupported: Option<Feature>,
    expansions: ExpansionCounts,
}

impl Recorder {
    /// Creates a recorder for a run of `scenario`, with room for its ticks.
    pub fn new(scenario: &Scenario) -> Self {
        let report = Report {
            hz: scenario.hz,
            chasers: scenario.chasers,
            targets: scenario.targets,
            seed: scenario.seed,
            threads: scenario.threads_or_all(),
            method: scenario.method,
            budget: scenario.budget,
            ..Report::default()
        };
        Self {
            report,
            tick_ms: Vec::with_capacity(scenario.ticks().min(limits::TICKS_MAX) as usize),
            sets: SetCounts::default(),
            rss_before: None,
            unsupported: None,
            expansions: ExpansionCounts::default(),
        }
    }

    /// Records the setup time before the first tick, and the bytes that the process held before
    /// agents were spawned; `None` if the system does not count them.
    pub const fn ready(&mut self, time: Duration, rss_bytes: Option<u64>) {
        self.report.setup_ms = time.as_secs_f64() * 1000.0;
        self.rss_before = rss_bytes;
    }

    /// Records a tick that took `time`, and the part of it in each set of [`SETS`].
    pub fn tick(&mut self, time: Duration, sets: [Duration; SETS.len()]) {
        self.tick_ms.push(time.as_secs_f64() * 1000.0);
        self.sets.count(time, sets);
    }

    /// Records a search.
    pub fn search(&mut self, status: Status, expansions: u32) {
        self.report.searches.count(status);
        self.report.found_at_once += u64::from(status == Status::Found && expansions == 0);
        if let Status::Unsupported(feature) = status {
            self.unsupported.get_or_insert(feature);
        }
        self.expansions.count(expansions);
    }

    /// Records what the plugin counted in a tick.
    pub fn counts(&mut self, tick: &NavCounts) {
        let report = &mut self.report;
        report.expanded_max = report.expanded_max.max(tick.expanded);
        report.fields += tick.fields;
        report.steps += tick.steps;
        report.reached += tick.reached;
    }

    /// Records the current memory of the process as that at the end. Without it, memory is read
    /// when the report is made.
    pub fn memory(&mut self) {
        self.report.peak_rss_bytes = memory::peak_rss_bytes();
        self.report.rss_bytes = memory::rss_bytes();
    }

    /// Returns the report of a run whose final state has this `digest`.
    pub fn finish(mut self, digest: Digest) -> Report {
        if self.report.rss_bytes.is_none() {
            self.memory();
        }
        let chasers = f64::from(self.report.chasers);
        let memory = self.report.rss_bytes.zip(self.rss_before);
        let grown = memory.map(|(after, before)| after.saturating_sub(before) as f64);
        let method = self.report.method;
        Report {
            ticks: self.tick_ms.len() as u64,
            tick_ms: Spread::of(&mut self.tick_ms),
            sets: self.sets.summarize(self.tick_ms.len() as u64),
            refusal: (self.unsupported)
                .map(|feature| format!("the method {method} cannot serve {feature}")),
            expansions: self.expansions.summarize(),
            digest,
            bytes_per_chaser: grown.filter(|_| chasers > 0.0).map(|bytes| bytes / chasers),
            ..self.report
        }
    }
}

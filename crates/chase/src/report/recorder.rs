//! Gathering a report while a run goes on.

use super::{Digest, ExpansionCounts, Report, Searches, TickTimes};
use crate::{Scenario, memory, scenario::limits};
use nav_grid::{Feature, Method, Status};
use std::time::Duration;

/// Is told what happens during a run and makes the [`Report`] of it.
///
/// # Memory
///
/// 8 bytes a tick and 14 KiB.
///
/// # Example
///
/// ```
/// use chase::{Recorder, Scenario, report::Digest};
/// use nav_grid::Status;
/// use std::time::Duration;
///
/// let scenario = Scenario::default();
/// let mut recorder = Recorder::new(&scenario);
/// recorder.search(Status::Found, 12);
/// recorder.steps(1);
/// recorder.tick(Duration::from_micros(800));
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
    tick_ms: Vec<f64>,
    searches: Searches,
    lacks: Option<Feature>,
    expansions: ExpansionCounts,
    steps: u64,
    reached: u64,
}

impl Recorder {
    /// A recorder for a run of `scenario`, with room for its ticks.
    pub fn new(scenario: &Scenario) -> Self {
        Self {
            hz: scenario.hz,
            chasers: scenario.chasers,
            targets: scenario.targets,
            seed: scenario.seed,
            threads: scenario.threads_or_all(),
            method: scenario.method,
            tick_ms: Vec::with_capacity(scenario.ticks().min(limits::TICKS_MAX) as usize),
            searches: Searches::default(),
            lacks: None,
            expansions: ExpansionCounts::default(),
            steps: 0,
            reached: 0,
        }
    }

    /// One tick is done, and took so long.
    pub fn tick(&mut self, time: Duration) {
        self.tick_ms.push(time.as_secs_f64() * 1000.0);
    }

    /// A chaser's search ended.
    pub fn search(&mut self, status: Status, expansions: u32) {
        self.searches.count(status);
        if let Status::Unsupported(feature) = status {
            self.lacks.get_or_insert(feature);
        }
        self.expansions.count(expansions);
    }

    /// Chasers took so many steps more.
    pub fn steps(&mut self, steps: u64) {
        self.steps += steps;
    }

    /// So many chasers more came within reach of their target.
    pub fn reached(&mut self, reached: u64) {
        self.reached += reached;
    }

    /// The run is over and left the world in the state that `digest` stands for.
    pub fn finish(mut self, digest: Digest) -> Report {
        Report {
            ticks: self.tick_ms.len() as u64,
            hz: self.hz,
            chasers: self.chasers,
            targets: self.targets,
            seed: self.seed,
            threads: self.threads,
            method: self.method,
            tick_ms: TickTimes::from_all(&mut self.tick_ms),
            searches: self.searches,
            refusal: self
                .lacks
                .map(|feature| format!("the method {} cannot serve {feature}", self.method)),
            expansions: self.expansions.summarize(),
            steps: self.steps,
            reached: self.reached,
            digest,
            peak_rss_bytes: memory::peak_rss_bytes(),
        }
    }
}

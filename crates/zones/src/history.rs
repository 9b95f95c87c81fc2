//! The history of the zones of a world, from the reports of their processes.

use crate::report::ZoneReport;
use nav_sim::percentile::nearest_rank;
use serde::Serialize;
use std::{
    collections::{BTreeMap, btree_map::Entry},
    time::Duration,
};

/// The reports of the processes of zones. Its size does not depend on how long a world runs.
#[derive(Default)]
pub(crate) struct History {
    zones: BTreeMap<u16, ZoneHistory>,
}

/// The reports of a zone, from all processes that had it.
struct ZoneHistory {
    last: ZoneReport,
    /// The one before that, if it is by the same process.
    before: Option<ZoneReport>,
    /// The time at which the last one arrived.
    arrived: Duration,
    reports: u64,
    /// Counts of processes that had the zone before. Those of each process start at 0.
    earlier: Counts,
    /// Milliseconds of all ticks.
    milliseconds: f64,
    /// The work of all reports so far; its other fields are filled in by [`ZoneHistory::summary`].
    summary: ZoneSummary,
}

/// Numbers that processes count from their beginning.
#[derive(Clone, Copy, Default)]
struct Counts {
    handed_over: u64,
    taken_over: u64,
    under_way: [u64; 9],
    bytes: u64,
    messages: u64,
    refused: u64,
}

/// Reports of a zone that do not count for its slowest ticks. In the first second all agents are
/// spawned and written to the ledger.
const UNSTEADY: u64 = 2;

/// The work of a zone.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ZoneSummary {
    /// The zone.
    pub zone: u16,
    /// Processes that had it.
    pub processes: u32,
    /// Agents in it at the end.
    pub agents: u64,
    /// Ticks that it ran.
    pub ticks: u64,
    /// Ticks left out because earlier ones took too long.
    pub left_out: u64,
    /// Mean milliseconds of a tick.
    pub mean: f64,
    /// Worst 99th percentile of a report, in milliseconds.
    pub p99: f64,
    /// Milliseconds of the longest tick.
    pub max: f64,
    /// Agents handed over to other zones.
    pub handed_over: u64,
    /// Agents taken over from other zones.
    pub taken_over: u64,
    /// Greatest lag in a report, in ticks.
    pub lag: u64,
    /// Bytes sent to other zones per tick.
    pub bytes_per_tick: f64,
    /// Messages sent to other zones per tick.
    pub messages_per_tick: f64,
    /// Refused messages.
    pub refused: u64,
}

/// The work of a world in zones.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WorldReport {
    /// Its name.
    pub world: String,
    /// Duration in seconds.
    pub seconds: f64,
    /// Its zones.
    pub zones: Vec<ZoneSummary>,
    /// Agents in all zones.
    pub agents: u64,
    /// Agents handed over per second.
    pub hand_overs_per_second: f64,
    /// Agents taken over by the ticks that they were under way: 0, 1, 2 and so on. The last is for
    /// all that took longer.
    pub under_way: [u64; 9],
    /// 99th percentile of these ticks.
    pub under_way_p99: u64,
    /// Faults made.
    pub faults: u32,
    /// Agents in the ledger, if it was compared with the statements of zones at the end.
    pub audited: Option<usize>,
    /// Agents in no zone then.
    pub lost: usize,
    /// Agents in two zones then.
    pub doubled: usize,
    /// Zones that were asked then.
    pub asked: usize,
    /// Zones that did not answer then.
    pub silent: Vec<u16>,
    /// Zones that had no process when the broker lost its store.
    pub unknown: Vec<u16>,
    /// Exit code that says so: see [`Check::code`](crate::Check::code).
    #[serde(skip)]
    pub code: u8,
}

impl History {
    pub(crate) fn note(&mut self, report: ZoneReport, now: Duration) {
        match self.zones.entry(report.zone) {
            Entry::Occupied(zone) => zone.into_mut().note(report, now),
            Entry::Vacant(zone) => {
                zone.insert(ZoneHistory::new(report, now));
            }
        }
    }

    /// Returns whether a process of a zone ever reported.
    pub(crate) fn has(&self, zone: u16) -> bool {
        self.zones.contains_key(&zone)
    }

    /// Returns the last report of each zone with its age.
    pub(crate) fn aged(&self, now: Duration) -> impl Iterator<Item = (&ZoneReport, Duration)> {
        let zones = self.zones.values();
        zones.map(move |zone| (&zone.last, now.saturating_sub(zone.arrived)))
    }

    /// Returns the report before the last one of a zone, if it is by the same process.
    pub(crate) fn before(&self, zone: u16) -> Option<&ZoneReport> {
        self.zones.get(&zone)?.before.as_ref()
    }

    /// Sums up all reports.
    pub(crate) fn report(&self, seconds: f64) -> WorldReport {
        let mut report = WorldReport {
            seconds,
            ..WorldReport::default()
        };
        let mut handed_over = 0;
        for (&number, zone) in &self.zones {
            let counts = zone.counts();
            handed_over += counts.handed_over;
            report.agents += zone.last.agents;
            for (sum, count) in report.under_way.iter_mut().zip(counts.under_way) {
                *sum += count;
            }
            report.zones.push(zone.summary(number, counts));
        }
        report.hand_overs_per_second = handed_over as f64 / seconds.max(1.0);
        report.under_way_p99 = p99(&report.under_way);
        report
    }
}

impl ZoneHistory {
    fn new(report: ZoneReport, now: Duration) -> Self {
        let mut zone = Self {
            last: report,
            before: None,
            arrived: now,
            reports: 0,
            earlier: Counts::default(),
            milliseconds: 0.0,
            summary: ZoneSummary {
                processes: 1,
                ..ZoneSummary::default()
            },
        };
        zone.count_ticks();
        zone
    }

    fn note(&mut self, report: ZoneReport, now: Duration) {
        let before = std::mem::replace(&mut self.last, report);
        // A process that had the zone twice began to count again, too.
        let goes_on = before.process == self.last.process
            && before.handed_over <= self.last.handed_over
            && before.bytes <= self.last.bytes;
        if !goes_on {
            self.earlier.add(&before);
            self.summary.processes += 1;
        }
        self.before = goes_on.then_some(before);
        self.arrived = now;
        self.count_ticks();
    }

    /// Adds the ticks of the last report.
    fn count_ticks(&mut self) {
        let (last, summary) = (&self.last, &mut self.summary);
        self.milliseconds += last.mean * last.ticks as f64;
        summary.ticks += last.ticks;
        summary.left_out += last.left_out;
        summary.max = summary.max.max(last.max);
        if self.reports >= UNSTEADY {
            summary.p99 = summary.p99.max(last.p99);
            summary.lag = summary.lag.max(last.lag);
        }
        self.reports += 1;
    }

    /// Returns the counts of all processes that had the zone.
    fn counts(&self) -> Counts {
        let mut counts = self.earlier;
        counts.add(&self.last);
        counts
    }

    fn summary(&self, zone: u16, counts: Counts) -> ZoneSummary {
        let ticks = self.summary.ticks.max(1) as f64;
        ZoneSummary {
            zone,
            agents: self.last.agents,
            mean: self.milliseconds / ticks,
            handed_over: counts.handed_over,
            taken_over: counts.taken_over,
            bytes_per_tick: counts.bytes as f64 / ticks,
            messages_per_tick: counts.messages as f64 / ticks,
            refused: counts.refused,
            ..self.summary
        }
    }
}

impl Counts {
    /// Adds those of a process.
    fn add(&mut self, last: &ZoneReport) {
        self.handed_over += last.handed_over;
        self.taken_over += last.taken_over;
        for (sum, count) in self.under_way.iter_mut().zip(last.under_way) {
            *sum += count;
        }
        self.bytes += last.bytes;
        self.messages += last.messages;
        self.refused += last.refused;
    }
}

/// Returns the ticks in which 99 of 100 agents arrived.
fn p99(under_way: &[u64]) -> u64 {
    let all: u64 = under_way.iter().sum();
    let wanted = nearest_rank(all, 99);
    let mut so_far = 0;
    let ticks = under_way.iter().position(|&count| {
        so_far += count;
        so_far >= wanted
    });
    ticks.unwrap_or_default() as u64
}

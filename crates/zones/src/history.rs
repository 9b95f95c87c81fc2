//! The history of the zones of a world, from the reports of their processes.

use crate::report::ZoneReport;
use chase::percentile::nearest_rank;
use nav::internals::WorldSum;
use serde::Serialize;
use std::{collections::BTreeMap, time::Duration};

/// The reports of the processes of zones.
#[derive(Default)]
pub(crate) struct History {
    /// The reports of each zone, from all processes that had it.
    zones: BTreeMap<u16, Vec<ZoneReport>>,
    /// When the last one of each zone arrived.
    arrived: BTreeMap<u16, Duration>,
}

/// What a zone did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ZoneSummary {
    /// The zone.
    pub zone: u16,
    /// Processes that had it.
    pub processes: u32,
    /// Agents in it at the end.
    pub agents: u64,
    /// Ticks run and ticks left out.
    pub ticks: u64,
    /// See above.
    pub left_out: u64,
    /// Milliseconds of a tick: the mean, the worst 99th percentile of a report, the maximum.
    pub mean: f64,
    /// See above.
    pub p99: f64,
    /// See above.
    pub max: f64,
    /// Agents handed over and taken over.
    pub handed_over: u64,
    /// See above.
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

/// What a world in zones did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WorldReport {
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
    /// Digest of the world at the end, if zones are in step.
    pub digest: Option<String>,
    /// Faults made.
    pub faults: u32,
    /// Agents in the ledger, if it was compared with the statements of zones at the end.
    pub audited: Option<usize>,
    /// Agents in no zone, agents in two zones, and zones that did not answer then.
    pub lost: usize,
    /// See above.
    pub doubled: usize,
    /// See above.
    pub silent: Vec<u16>,
    /// Exit code that says so: see [`Check::code`](crate::Check::code).
    #[serde(skip)]
    pub code: u8,
}

impl History {
    pub(crate) fn note(&mut self, report: ZoneReport, now: Duration) {
        self.arrived.insert(report.zone, now);
        self.zones.entry(report.zone).or_default().push(report);
    }

    /// Returns the time since the last report of a zone.
    pub(crate) fn age(&self, zone: u16, now: Duration) -> Duration {
        let arrived = self.arrived.get(&zone).copied();
        now.saturating_sub(arrived.unwrap_or_default())
    }

    /// Returns the last report of each zone.
    pub(crate) fn last(&self) -> impl Iterator<Item = &ZoneReport> {
        self.zones.values().filter_map(|reports| reports.last())
    }

    /// Returns the report before the last one of a zone, if it is by the same process.
    pub(crate) fn before(&self, report: &ZoneReport) -> Option<&ZoneReport> {
        let reports = self.zones.get(&report.zone)?;
        let before = reports.get(reports.len().checked_sub(2)?)?;
        (before.process == report.process).then_some(before)
    }

    /// Returns the state of all zones together, once all have reported it.
    pub(crate) fn sum(&self, zones: usize) -> Option<WorldSum> {
        let sums: Option<Vec<WorldSum>> = self.last().map(|report| report.sum.clone()).collect();
        let sums = sums.filter(|sums| sums.len() == zones)?;
        sums.into_iter().reduce(|mut all, sum| {
            all.merge(sum);
            all
        })
    }

    /// Sums up all reports.
    pub(crate) fn report(&self, seconds: f64) -> WorldReport {
        let mut report = WorldReport {
            seconds,
            ..WorldReport::default()
        };
        let mut handed_over = 0;
        for (&zone, reports) in &self.zones {
            let summary = summarize(zone, reports);
            handed_over += summary.handed_over;
            report.agents += summary.agents;
            for last in last_of_processes(reports) {
                for (sum, count) in report.under_way.iter_mut().zip(last.under_way) {
                    *sum += count;
                }
            }
            report.zones.push(summary);
        }
        report.hand_overs_per_second = handed_over as f64 / seconds.max(1.0);
        report.under_way_p99 = p99(&report.under_way);
        report
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

/// Returns the last report of each process that had a zone. The counts of each process start at 0.
fn last_of_processes(reports: &[ZoneReport]) -> impl Iterator<Item = &ZoneReport> {
    let processes = reports.chunk_by(|one, other| {
        one.process == other.process && one.handed_over <= other.handed_over
    });
    processes.filter_map(<[ZoneReport]>::last)
}

fn summarize(zone: u16, reports: &[ZoneReport]) -> ZoneSummary {
    let most = |number: fn(&ZoneReport) -> f64| reports.iter().map(number).fold(0.0, f64::max);
    let ticks: u64 = reports.iter().map(|report| report.ticks).sum();
    let milliseconds: f64 = reports
        .iter()
        .map(|report| report.mean * report.ticks as f64)
        .sum();
    let total =
        |number: fn(&ZoneReport) -> u64| last_of_processes(reports).map(number).sum::<u64>();
    let per_tick = |number: u64| number as f64 / ticks.max(1) as f64;
    // The first second spawns all agents and writes them to the ledger.
    let steady = || reports.iter().skip(2);
    ZoneSummary {
        zone,
        processes: last_of_processes(reports).count() as u32,
        agents: reports.last().map_or(0, |report| report.agents),
        ticks,
        left_out: reports.iter().map(|report| report.left_out).sum(),
        mean: milliseconds / ticks.max(1) as f64,
        p99: steady().map(|report| report.p99).fold(0.0, f64::max),
        max: most(|report| report.max),
        handed_over: total(|report| report.handed_over),
        taken_over: total(|report| report.taken_over),
        lag: steady().map(|report| report.lag).max().unwrap_or_default(),
        bytes_per_tick: per_tick(total(|report| report.bytes)),
        messages_per_tick: per_tick(total(|report| report.messages)),
        refused: total(|report| report.refused),
    }
}

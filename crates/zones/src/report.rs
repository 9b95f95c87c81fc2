//! The report of a process about its zone, once per second.

use nav_sim::percentile::Spread;
use nav_zones::{Format, KeeperStatus, Versioned, Zone, ZoneCounts};
use serde::{Deserialize, Serialize};

/// The report of a process about its zone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ZoneReport {
    /// The zone.
    pub zone: u16,
    /// Number of the process on its machine.
    pub process: u32,
    /// The tick.
    pub tick: u64,
    /// Agents that live in the zone.
    pub agents: u64,
    /// Mean time of ticks since the last report, in milliseconds.
    pub mean: f64,
    /// Their 99th percentile.
    pub p99: f64,
    /// Their maximum.
    pub max: f64,
    /// Ticks run since the last report.
    pub ticks: u64,
    /// Ticks left out since then because earlier ones took too long.
    pub left_out: u64,
    /// Agents handed over since the process began.
    pub handed_over: u64,
    /// Agents taken over.
    pub taken_over: u64,
    /// These by the ticks that they were under way: 0, 1, 2 and so on. The last is for all that
    /// took longer.
    pub under_way: [u64; 9],
    /// Ticks since the last message of another zone, the longest of all zones.
    pub lag: u64,
    /// Messages sent to other zones.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Refused messages.
    pub refused: u64,
    /// Messages that arrived damaged or in part.
    pub damaged: u64,
    /// Entries and snapshots that the broker has not confirmed yet.
    pub unwritten: u64,
    /// Milliseconds for which the process still holds the zone.
    pub lease_left: u64,
    /// Ticks since the last snapshot that the broker confirmed.
    pub snapshot_age: u64,
    /// Why the zone cannot be kept at present.
    pub trouble: Option<String>,
}

impl Versioned for ZoneReport {
    const FORMAT: Format = Format::MESSAGES;
}

/// Collects the values of a report.
#[derive(Default)]
pub(crate) struct Reporter {
    times: Vec<f64>,
    left_out: u64,
}

impl Reporter {
    pub(crate) fn tick(&mut self, milliseconds: f64, left_out: u64) {
        self.times.push(milliseconds);
        self.left_out += left_out;
    }

    /// Returns a report about the time since the last one.
    pub(crate) fn report(
        &mut self,
        (zone, kept): (&Zone, Option<KeeperStatus>),
        agents: u64,
    ) -> ZoneReport {
        let kept = kept.unwrap_or_default();
        let Spread { mean, p99, max, .. } = Spread::of(&mut self.times);
        let ZoneCounts {
            handed_over,
            taken_over,
            under_way,
            ..
        } = zone.counts();
        let (messages, bytes) = zone.sent();
        let report = ZoneReport {
            zone: zone.id().0,
            process: std::process::id(),
            tick: zone.tick(),
            agents,
            mean,
            p99,
            max,
            ticks: self.times.len() as u64,
            left_out: self.left_out,
            handed_over,
            taken_over,
            under_way,
            lag: lag(zone),
            messages,
            bytes,
            refused: zone.refused(),
            damaged: zone.damaged(),
            unwritten: kept.waiting,
            lease_left: kept.lease_left.as_millis() as u64,
            snapshot_age: zone.tick().saturating_sub(kept.snapshot),
            trouble: kept.trouble,
        };
        self.times.clear();
        self.left_out = 0;
        report
    }
}

/// Returns the greatest number of ticks since the last message of another zone.
fn lag(zone: &Zone) -> u64 {
    let others = zone.layout().zones().filter(|&other| other != zone.id());
    let lags = others.map(|other| zone.lag(other).unwrap_or(zone.tick()));
    lags.max().unwrap_or_default()
}

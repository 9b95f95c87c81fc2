//! What a process says of its zone, once a second.

use chase::percentile::Spread;
use nav::WorldSum;
use nav_zones::{Zone, ZoneCounts, ZoneId};
use serde::{Deserialize, Serialize};

/// What a process says of its zone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ZoneReport {
    /// The zone.
    pub zone: u16,
    /// Which process that is, by its number on its machine.
    pub process: u32,
    /// The tick.
    pub tick: u64,
    /// Agents that live in it.
    pub agents: u64,
    /// Milliseconds of ticks since the last report.
    pub mean: f64,
    /// 99 of 100 of them took no longer.
    pub p99: f64,
    /// The longest.
    pub max: f64,
    /// Ticks since the last report, and those that were left out since the ones before took too long.
    pub ticks: u64,
    /// See above.
    pub left_out: u64,
    /// Agents handed over since the process began.
    pub handed_over: u64,
    /// Agents taken over.
    pub taken_over: u64,
    /// Of those, how many were under way for 0, 1, 2 … ticks; the last is for all that took longer.
    pub under_way: [u64; 9],
    /// How many ticks ago the zone was sent what came last of another one, the longest of all.
    pub lag: u64,
    /// Messages sent to other zones.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Messages refused.
    pub refused: u64,
    /// The state of the zone at the end, if zones are in step.
    pub sum: Option<WorldSum>,
}

/// Collects what is reported.
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

    /// Reports what there was since the last time.
    pub(crate) fn report(&mut self, zone: &Zone, agents: u64, sum: Option<WorldSum>) -> ZoneReport {
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
            sum,
        };
        self.times.clear();
        self.left_out = 0;
        report
    }
}

/// The longest that nothing came from another zone, in ticks.
fn lag(zone: &Zone) -> u64 {
    let others = zone.layout().zones().filter(|&other| other != zone.id());
    let lag = |other: ZoneId| zone.lag(other).unwrap_or(zone.tick());
    others.map(lag).max().unwrap_or_default()
}

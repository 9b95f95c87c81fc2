//! Where the time of ticks goes.

use super::slots::Slots;
use nav::NavSystems;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The sets of the plugin that are timed, in the order in which they run.
pub const SETS: [NavSystems; 5] = [
    NavSystems::Observe,
    NavSystems::Decide,
    NavSystems::Search,
    NavSystems::Step,
    NavSystems::Report,
];

/// Wall clock time of the parts of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sets {
    /// [`NavSystems::Observe`].
    pub observe: SetTime,
    /// [`NavSystems::Decide`].
    pub decide: SetTime,
    /// [`NavSystems::Search`].
    pub search: SetTime,
    /// [`NavSystems::Step`].
    pub step: SetTime,
    /// [`NavSystems::Report`].
    pub report: SetTime,
    /// Everything else: targets that wander, and what the engine does.
    pub other: SetTime,
}

/// Wall clock time of one part of a tick; all 0 if there was no tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetTime {
    /// Average, in microseconds.
    pub mean_us: f64,
    /// 99 of 100 ticks took no longer, in microseconds; at most a 32nd too large.
    pub p99_us: f64,
    /// Part of the time of all ticks, 0 to 1.
    pub share: f64,
}

impl Sets {
    /// All parts by name.
    pub fn rows(&self) -> [(&'static str, SetTime); 6] {
        [
            ("observe", self.observe),
            ("decide", self.decide),
            ("search", self.search),
            ("step", self.step),
            ("report", self.report),
            ("other", self.other),
        ]
    }
}

/// Adds up times of sets, in constant memory.
#[derive(Clone, Debug, Default)]
pub(super) struct SetCounts {
    /// Tenths of a microsecond, for [`SETS`] and the rest.
    slots: [Slots; SETS.len() + 1],
    sums: [Duration; SETS.len() + 1],
}

impl SetCounts {
    /// Counts a tick that took `tick`, and `sets` of it in the sets.
    pub(super) fn count(&mut self, tick: Duration, sets: [Duration; SETS.len()]) {
        let [observe, decide, search, step, report] = sets;
        let rest = tick.saturating_sub(sets.iter().sum());
        let all = [observe, decide, search, step, report, rest];
        for ((slots, sum), time) in self.slots.iter_mut().zip(&mut self.sums).zip(all) {
            slots.count(u32::try_from(time.as_nanos() / 100).unwrap_or(u32::MAX));
            *sum += time;
        }
    }

    /// What was counted in `ticks` ticks.
    pub(super) fn summarize(&self, ticks: u64) -> Sets {
        let total: Duration = self.sums.iter().sum();
        let of = |set: usize| SetTime {
            mean_us: self.sums[set].as_secs_f64() * 1e6 / ticks.max(1) as f64,
            p99_us: f64::from(self.slots[set].at_percent(99)) / 10.0,
            share: if total.is_zero() {
                0.0
            } else {
                self.sums[set].div_duration_f64(total)
            },
        };
        Sets {
            observe: of(0),
            decide: of(1),
            search: of(2),
            step: of(3),
            report: of(4),
            other: of(5),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_whole_ticks() {
        let mut counts = SetCounts::default();
        let micros = |sets: [u64; 5]| sets.map(Duration::from_micros);
        counts.count(Duration::from_micros(100), micros([10, 20, 30, 5, 5]));
        counts.count(Duration::from_micros(100), micros([20, 20, 30, 5, 5]));
        let sets = counts.summarize(2);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} and {b}");
        near(sets.observe.mean_us, 15.0);
        near(sets.observe.p99_us, 20.0);
        near(sets.observe.share, 0.15);
        near(sets.other.mean_us, 25.0);
        near(sets.rows().iter().map(|(_, time)| time.share).sum(), 1.0);
    }

    #[test]
    fn no_tick_takes_no_time() {
        assert_eq!(SetCounts::default().summarize(0), Sets::default());
    }
}

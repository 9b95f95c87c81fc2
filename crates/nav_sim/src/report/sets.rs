//! Wall clock time of the parts of a tick: the sets of the plugin, and the rest.

use super::histogram::Histogram;
use nav::NavSystems;
use serde::{Deserialize, Serialize, Serializer};
use std::{collections::BTreeMap, time::Duration};

/// The timed sets of the plugin in running order, with their names in reports. A set added here is
/// timed, reported, summed up and listed.
pub const SETS: [(&str, NavSystems); 7] = [
    ("observe", NavSystems::Observe),
    ("aim_fields", NavSystems::AimFields),
    ("decide", NavSystems::Decide),
    ("join_fields", NavSystems::JoinFields),
    ("search", NavSystems::Search),
    ("step", NavSystems::Step),
    ("report", NavSystems::Report),
];

/// Name of the rest: targets that wander, and the engine.
const OTHER: &str = "other";

/// Number of parts of a tick.
const PARTS: usize = SETS.len() + 1;

/// Wall clock time of the parts of a tick. Its JSON is one object with a [`SetTime`] for each name
/// of [`SETS`], and one named `other` for the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "BTreeMap<String, SetTime>")]
pub struct Sets {
    /// In the order of [`SETS`], the rest last.
    times: [SetTime; PARTS],
}

/// Wall clock time of one part of a tick. All 0 without ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetTime {
    /// Mean, in microseconds.
    pub mean_us: f64,
    /// 99th percentile, in microseconds; at most a 32nd too large.
    pub p99_us: f64,
    /// Share of the time of all ticks, 0 to 1.
    pub share: f64,
}

impl Sets {
    /// Returns all parts with their names, in the order of [`SETS`], the rest last.
    pub fn rows(&self) -> [(&'static str, SetTime); PARTS] {
        std::array::from_fn(|part| (name(part), self.times[part]))
    }

    /// Replaces the time of the part named `wanted`.
    #[cfg(test)]
    pub(super) fn with(mut self, wanted: &str, time: SetTime) -> Self {
        let part = (0..PARTS).position(|part| name(part) == wanted).unwrap();
        self.times[part] = time;
        self
    }
}

/// Returns the name of a part.
fn name(part: usize) -> &'static str {
    SETS.get(part).map_or(OTHER, |&(name, _)| name)
}

impl Serialize for Sets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.rows())
    }
}

impl TryFrom<BTreeMap<String, SetTime>> for Sets {
    type Error = String;

    fn try_from(named: BTreeMap<String, SetTime>) -> Result<Self, String> {
        let mut keys = named.keys();
        if let Some(key) = keys.find(|key| (0..PARTS).all(|part| name(part) != *key)) {
            return Err(format!("there is no set {key:?}"));
        }
        let mut sets = Self::default();
        for (part, time) in sets.times.iter_mut().enumerate() {
            let name = name(part);
            let found = named.get(name).copied();
            *time = found.ok_or_else(|| format!("the set {name} is missing"))?;
        }
        Ok(sets)
    }
}

/// Sums up the times of sets, in constant memory.
#[derive(Clone, Debug, Default)]
pub(super) struct SetCounts {
    /// In tenths of a microsecond.
    times: [Histogram; PARTS],
    sums: [Duration; PARTS],
}

impl SetCounts {
    /// Counts a tick that took `tick`, with the times of its sets.
    pub(super) fn count(&mut self, tick: Duration, sets: [Duration; SETS.len()]) {
        let rest = tick.saturating_sub(sets.iter().sum());
        let parts = sets.into_iter().chain([rest]);
        for ((times, sum), time) in self.times.iter_mut().zip(&mut self.sums).zip(parts) {
            times.count(u32::try_from(time.as_nanos() / 100).unwrap_or(u32::MAX));
            *sum += time;
        }
    }

    /// Summarizes the counts of `ticks` ticks.
    pub(super) fn summarize(&self, ticks: u64) -> Sets {
        let total: Duration = self.sums.iter().sum();
        let times = std::array::from_fn(|part| SetTime {
            mean_us: self.sums[part].as_secs_f64() * 1e6 / ticks.max(1) as f64,
            p99_us: f64::from(self.times[part].at_percent(99)) / 10.0,
            share: if total.is_zero() {
                0.0
            } else {
                self.sums[part].div_duration_f64(total)
            },
        });
        Sets { times }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_whole_ticks() {
        let mut counts = SetCounts::default();
        // The first set takes 10 µs and then 20, the others 5 each.
        for first in [10, 20] {
            let mut sets = [Duration::from_micros(5); SETS.len()];
            sets[0] = Duration::from_micros(first);
            counts.count(Duration::from_micros(100), sets);
        }
        let rows = counts.summarize(2).rows();
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} and {b}");
        let (first, rest) = (rows[0].1, rows[PARTS - 1].1);
        near(first.mean_us, 15.0);
        near(first.p99_us, 20.0);
        near(first.share, 0.15);
        near(rest.mean_us, 85.0 - 5.0 * (SETS.len() as f64 - 1.0));
        near(rows.iter().map(|(_, time)| time.share).sum(), 1.0);
    }

    #[test]
    fn without_ticks_all_is_zero() {
        assert_eq!(SetCounts::default().summarize(0), Sets::default());
    }

    #[test]
    fn every_set_in_json() {
        let share = 0.25;
        let sets = Sets::default().with(
            OTHER,
            SetTime {
                share,
                ..SetTime::default()
            },
        );
        let json = serde_json::to_string(&sets).unwrap();
        assert_eq!(serde_json::from_str::<Sets>(&json).unwrap(), sets);
        let unknown = json.replace("other", "others");
        let error = serde_json::from_str::<Sets>(&unknown).unwrap_err();
        assert!(error.to_string().starts_with("there is no set \"others\""));
        let error = serde_json::from_str::<Sets>("{}").unwrap_err();
        assert!(
            error.to_string().starts_with("the set observe is missing"),
            "{error}"
        );
    }
}

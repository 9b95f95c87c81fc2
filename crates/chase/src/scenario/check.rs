//! What a scenario may ask for.

use super::{ChaserTuning, Scenario, Spawn};
use nav_grid::rules::COST_MAX;
use std::{fmt::Display, ops::RangeInclusive};

/// The greatest values that a scenario may ask for. They are generous: each only keeps a typing
/// mistake from eating the machine.
pub mod limits {
    use nav_grid::Grid;

    /// Chasers; several times what two cores can move in real time.
    pub const CHASERS_MAX: u32 = 5_000_000;
    /// Targets.
    pub const TARGETS_MAX: u32 = 1_000_000;
    /// Ticks per simulated second.
    pub const HZ_MAX: u32 = 1_000;
    /// Simulated time: one day.
    pub const SECONDS_MAX: f64 = 86_400.0;
    /// Ticks of a run. The time of each is kept, 8 bytes a tick, and a day at 100 Hz fits.
    pub const TICKS_MAX: u64 = 10_000_000;
    /// Threads.
    pub const THREADS_MAX: u32 = 1_024;
    /// Periods of timers, in seconds: one hour.
    pub const PERIOD_MAX: f64 = 3_600.0;
    /// Distances in cells: the greatest side of a map.
    pub const CELLS_MAX: u16 = Grid::SIDE_MAX;
}

/// A field of a scenario holds what it must not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} must be {expected}, not {value}")]
pub struct FieldError {
    /// The field, with the block it is in: `chaser.radius`.
    pub field: &'static str,
    /// What would be right.
    pub expected: String,
    /// What it holds.
    pub value: String,
}

impl Scenario {
    /// Whether every field holds what it may.
    ///
    /// # Errors
    ///
    /// [`FieldError`] for the first field, in the order of their declaration, that does not.
    pub fn check(&self) -> Result<(), FieldError> {
        if let Some(map) = &self.map {
            map.check()?;
        }
        within("chasers", self.chasers, 0..=limits::CHASERS_MAX)?;
        within("targets", self.targets, 1..=limits::TARGETS_MAX)?;
        above_zero("seconds", self.seconds, limits::SECONDS_MAX)?;
        within("hz", self.hz, 1..=limits::HZ_MAX)?;
        within(
            "seconds times hz, the number of ticks,",
            self.ticks(),
            1..=limits::TICKS_MAX,
        )?;
        if let Some(threads) = self.threads {
            within("threads", threads, 1..=limits::THREADS_MAX)?;
        }
        if let Some(budget) = self.budget {
            within("budget", budget, 1..=u32::MAX)?;
        }
        if let Spawn::Near { min, max } = self.spawn {
            within("spawn max", max, 1..=limits::CELLS_MAX)?;
            if !(1..=max).contains(&min) {
                return Err(FieldError {
                    field: "spawn min",
                    expected: format!("1 to max, which is {max}"),
                    value: min.to_string(),
                });
            }
        }
        self.chaser.check()?;
        above_zero(
            "target.step_seconds",
            self.target.step_seconds,
            limits::PERIOD_MAX,
        )
    }
}

impl ChaserTuning {
    fn check(&self) -> Result<(), FieldError> {
        within("chaser.radius", self.radius, 1..=limits::CELLS_MAX)?;
        within("chaser.expansions", self.expansions, 1..=u32::MAX)?;
        within("chaser.cost", self.cost, 1..=COST_MAX)?;
        within(
            "chaser.repath_seconds",
            self.repath_seconds,
            0.0..=limits::PERIOD_MAX,
        )?;
        within(
            "chaser.displacement",
            self.displacement,
            0.0..=f64::from(limits::CELLS_MAX),
        )?;
        within("chaser.stop_distance", self.stop_distance, 1..=u16::MAX)?;
        above_zero("chaser.step_seconds", self.step_seconds, limits::PERIOD_MAX)?;
        above_zero("chaser.idle_seconds", self.idle_seconds, limits::PERIOD_MAX)
    }
}

/// NaN lies in no range, so it is refused without a word about it.
pub(super) fn within<T: PartialOrd + Display + Copy>(
    field: &'static str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), FieldError> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(FieldError {
        field,
        expected: format!("{} to {}", range.start(), range.end()),
        value: value.to_string(),
    })
}

fn above_zero(field: &'static str, value: f64, max: f64) -> Result<(), FieldError> {
    if value > 0.0 && value <= max {
        return Ok(());
    }
    Err(FieldError {
        field,
        expected: format!("above 0 and at most {max}"),
        value: value.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_scenario_passes() {
        assert_eq!(Scenario::default().check(), Ok(()));
    }

    #[test]
    fn each_mistake_gets_its_sentence() {
        type Spoil = fn(&mut Scenario);
        let cases: &[(Spoil, &str)] = &[
            (
                |s| s.chasers = 5_000_001,
                "chasers must be 0 to 5000000, not 5000001",
            ),
            (|s| s.targets = 0, "targets must be 1 to 1000000, not 0"),
            (|s| s.hz = 0, "hz must be 1 to 1000, not 0"),
            (|s| s.hz = 1_001, "hz must be 1 to 1000, not 1001"),
            (
                |s| s.seconds = 0.0,
                "seconds must be above 0 and at most 86400, not 0",
            ),
            (
                |s| s.seconds = f64::NAN,
                "seconds must be above 0 and at most 86400, not NaN",
            ),
            (
                |s| s.seconds = f64::INFINITY,
                "seconds must be above 0 and at most 86400, not inf",
            ),
            (
                |s| s.seconds = 0.01,
                "seconds times hz, the number of ticks, must be 1 to 10000000, not 0",
            ),
            (
                |s| (s.seconds, s.hz) = (86_400.0, 1_000),
                "seconds times hz, the number of ticks, must be 1 to 10000000, not 86400000",
            ),
            (|s| s.threads = Some(0), "threads must be 1 to 1024, not 0"),
            (
                |s| s.budget = Some(0),
                "budget must be 1 to 4294967295, not 0",
            ),
            (
                |s| s.spawn = Spawn::Near { min: 9, max: 3 },
                "spawn min must be 1 to max, which is 3, not 9",
            ),
            (
                |s| s.spawn = Spawn::Near { min: 0, max: 3 },
                "spawn min must be 1 to max, which is 3, not 0",
            ),
            (
                |s| s.spawn = Spawn::Near { min: 0, max: 0 },
                "spawn max must be 1 to 16384, not 0",
            ),
            (
                |s| s.chaser.radius = 0,
                "chaser.radius must be 1 to 16384, not 0",
            ),
            (
                |s| s.chaser.expansions = 0,
                "chaser.expansions must be 1 to 4294967295, not 0",
            ),
            (
                |s| s.chaser.repath_seconds = -0.5,
                "chaser.repath_seconds must be 0 to 3600, not -0.5",
            ),
            (
                |s| s.chaser.displacement = f64::NAN,
                "chaser.displacement must be 0 to 16384, not NaN",
            ),
            (
                |s| s.chaser.stop_distance = 0,
                "chaser.stop_distance must be 1 to 65535, not 0",
            ),
            (
                |s| s.chaser.step_seconds = 0.0,
                "chaser.step_seconds must be above 0 and at most 3600, not 0",
            ),
            (
                |s| s.chaser.idle_seconds = -1.0,
                "chaser.idle_seconds must be above 0 and at most 3600, not -1",
            ),
            (
                |s| s.target.step_seconds = f64::INFINITY,
                "target.step_seconds must be above 0 and at most 3600, not inf",
            ),
        ];
        for (spoil, sentence) in cases {
            let mut scenario = Scenario::default();
            spoil(&mut scenario);
            assert_eq!(scenario.check().unwrap_err().to_string(), *sentence);
        }
    }
}

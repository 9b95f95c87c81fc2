//! Checks that every field of a scenario has an allowed value.

use super::{
    definition::{ChaserTuning, Scenario, Spawn},
    error::{FieldError, above_zero, within},
    limits,
};
use nav_grid::{
    Footprint, Frame,
    map::{FloorHeights, FrameError},
    rules::COST_MAX,
};

impl Scenario {
    /// Checks every field.
    ///
    /// # Errors
    ///
    /// [`FieldError`] for the first field, in order of declaration, with a value that is not
    /// allowed.
    pub fn check(&self) -> Result<(), FieldError> {
        if let Some(map) = &self.map {
            map.check()?;
        }
        if let Some(heights) = &self.heights {
            check_heights(heights)?;
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
                let expected = format!("1 to max, which is {max}");
                return Err(FieldError::new("spawn min", expected, min));
            }
        }
        if let Spawn::Within { first, last } = self.spawn
            && first.floor != last.floor
        {
            let expected = format!("on floor {}, as first is", first.floor);
            let value = format!("on floor {}", last.floor);
            return Err(FieldError::new("spawn last", expected, value));
        }
        within(
            "sizes, their number,",
            self.sizes.len(),
            1..=limits::SIZES_MAX,
        )?;
        for &side in &self.sizes {
            within("sizes", side, 1..=Footprint::SIDE_MAX)?;
        }
        self.chaser.check()?;
        above_zero(
            "target.step_seconds",
            self.target.step_seconds,
            limits::PERIOD_MAX,
        )
    }
}

/// Checks that heights can tell floors apart, for an origin at 0. Maps may have another origin.
fn check_heights(heights: &FloorHeights) -> Result<(), FieldError> {
    let Err(error) = Frame::default().with_heights(heights.clone()) else {
        return Ok(());
    };
    let (expected, value) = match error {
        FrameError::StoreyHeight(height) => (
            "Storeys of a height above 0 that tells 256 floors apart",
            height.to_string(),
        ),
        FrameError::HeightCount(count) => ("Each of 1 to 256 floors", count.to_string()),
        FrameError::Height { floor, height } => (
            "Each a number above that of the floor below",
            format!("{height} on floor {floor}"),
        ),
        other => ("heights of floors", other.to_string()),
    };
    Err(FieldError::new("heights", expected, value))
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
            "chaser.repath_distance",
            self.repath_distance,
            0.0..=f64::from(limits::CELLS_MAX),
        )?;
        within("chaser.stop_distance", self.stop_distance, 1..=u16::MAX)?;
        above_zero("chaser.step_seconds", self.step_seconds, limits::PERIOD_MAX)?;
        above_zero("chaser.idle_seconds", self.idle_seconds, limits::PERIOD_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::Cell;

    #[test]
    fn default_scenario_passes() {
        assert_eq!(Scenario::default().check(), Ok(()));
    }

    type Spoil = fn(&mut Scenario);

    fn check_sentences(cases: &[(Spoil, &str)]) {
        for (spoil, sentence) in cases {
            let mut scenario = Scenario::default();
            spoil(&mut scenario);
            assert_eq!(scenario.check().unwrap_err().to_string(), *sentence);
        }
    }

    #[test]
    fn mistakes_in_heights() {
        check_sentences(&[
            (
                |s| s.heights = Some(FloorHeights::Storeys(0.0)),
                "heights must be Storeys of a height above 0 that tells 256 floors apart, not 0",
            ),
            (
                |s| s.heights = Some(FloorHeights::Storeys(f64::NAN)),
                "heights must be Storeys of a height above 0 that tells 256 floors apart, not NaN",
            ),
            (
                |s| s.heights = Some(FloorHeights::Each(Vec::new())),
                "heights must be Each of 1 to 256 floors, not 0",
            ),
            (
                |s| s.heights = Some(FloorHeights::Each(vec![0.0, 4.0, 3.5])),
                "heights must be Each a number above that of the floor below, not 3.5 on floor 2",
            ),
        ]);
    }

    #[test]
    fn each_mistake_gets_its_sentence() {
        check_sentences(&[
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
                |s| {
                    let last = Cell::new(3, 3).on_floor(1);
                    s.spawn = Spawn::Within {
                        first: Cell::new(0, 0),
                        last,
                    };
                },
                "spawn last must be on floor 0, as first is, not on floor 1",
            ),
            (
                |s| s.sizes.clear(),
                "sizes, their number, must be 1 to 8, not 0",
            ),
            (|s| s.sizes.push(9), "sizes must be 1 to 8, not 9"),
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
                |s| s.chaser.repath_distance = f64::NAN,
                "chaser.repath_distance must be 0 to 16384, not NaN",
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
        ]);
    }
}

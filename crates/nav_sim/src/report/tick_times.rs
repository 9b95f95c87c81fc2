//! Wall clock time of ticks.

use crate::percentile::Spread;
use serde::{Deserialize, Serialize};

/// Wall clock time of ticks, in milliseconds. All 0 without ticks. Percentiles are by nearest rank,
/// so each is the time of a real tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TickTimes {
    /// Mean.
    pub mean: f64,
    /// Median.
    pub p50: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Maximum.
    pub max: f64,
}

impl TickTimes {
    /// Computes it from the times of all ticks, in any order. Sorts them.
    pub(super) fn from_all(milliseconds: &mut [f64]) -> Self {
        let Spread {
            mean,
            p50,
            p99,
            max,
        } = Spread::of(milliseconds);
        Self {
            mean,
            p50,
            p99,
            max,
        }
    }

    /// Returns the ticks per second that the machine could run; `None` if they took no time.
    pub(super) fn per_second(&self) -> Option<f64> {
        (self.mean > 0.0).then(|| 1000.0 / self.mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_ticks() {
        let mut times: Vec<f64> = (1..=200).rev().map(f64::from).collect();
        let ticks = TickTimes::from_all(&mut times);
        assert_eq!(
            ticks,
            TickTimes {
                mean: 100.5,
                p50: 100.0,
                p99: 198.0,
                max: 200.0,
            }
        );
    }

    #[test]
    fn one_tick_and_none() {
        let one = TickTimes::from_all(&mut [4.0]);
        assert_eq!((one.mean, one.p50, one.p99, one.max), (4.0, 4.0, 4.0, 4.0));
        assert_eq!(one.per_second(), Some(250.0));
        let none = TickTimes::from_all(&mut []);
        assert_eq!(none, TickTimes::default());
        assert_eq!(none.per_second(), None);
    }
}

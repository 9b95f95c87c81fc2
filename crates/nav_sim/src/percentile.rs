//! Mean and percentiles of measurements.

use serde::{Deserialize, Serialize};

/// Mean, median, 99th percentile and maximum of some numbers. All 0 without numbers.
///
/// Percentiles are by nearest rank, so each is one of the numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The median.
    pub p50: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The maximum.
    pub max: f64,
}

impl Spread {
    /// Computes them for numbers in any order. Sorts the numbers.
    pub fn of(numbers: &mut [f64]) -> Self {
        numbers.sort_unstable_by(f64::total_cmp);
        let [p50, p99, max] = [50, 99, 100].map(|percent| {
            let rank = nearest_rank(numbers.len() as u64, percent) as usize;
            let number = rank.checked_sub(1).and_then(|index| numbers.get(index));
            number.copied().unwrap_or_default()
        });
        Self {
            mean: numbers.iter().sum::<f64>() / numbers.len().max(1) as f64,
            p50,
            p99,
            max,
        }
    }
}

/// Returns the smallest rank, from 1, that is at least `percent` of `count`: the nearest-rank
/// definition of a percentile. 0 if `count` is 0.
pub fn nearest_rank(count: u64, percent: u64) -> u64 {
    (u128::from(count) * u128::from(percent)).div_ceil(100) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_rounded_up() {
        assert_eq!(nearest_rank(0, 50), 0);
        assert_eq!(nearest_rank(1, 50), 1);
        assert_eq!(nearest_rank(1, 99), 1);
        assert_eq!(nearest_rank(5, 50), 3);
        assert_eq!(nearest_rank(200, 99), 198);
        assert_eq!(nearest_rank(201, 99), 199);
        assert_eq!(nearest_rank(u64::MAX, 100), u64::MAX);
    }

    #[test]
    fn percentiles_of_the_list() {
        let mut numbers: Vec<f64> = (1..=200).rev().map(f64::from).collect();
        let expected = Spread {
            mean: 100.5,
            p50: 100.0,
            p99: 198.0,
            max: 200.0,
        };
        assert_eq!(Spread::of(&mut numbers), expected);
    }

    #[test]
    fn one_number_and_none() {
        let one = Spread::of(&mut [4.0]);
        assert_eq!((one.mean, one.p50, one.p99, one.max), (4.0, 4.0, 4.0, 4.0));
        assert_eq!(Spread::of(&mut []), Spread::default());
    }
}

//! Expansions of searches: mean, percentiles and a histogram.

use super::histogram::Histogram;
use serde::{Deserialize, Serialize};

/// Expansions of all searches, including searches without any. All 0 if there was no search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expansions {
    /// Mean of a search.
    pub mean: f64,
    /// Median, by nearest rank. This and `p99` are exact up to 1,023, and at most a 32nd too large
    /// above.
    pub p50: u32,
    /// 99th percentile.
    pub p99: u32,
    /// Maximum.
    pub max: u32,
    /// Numbers of searches by expansions, ascending. Bounds are always 0, then 1, 2, 5, 10 and so
    /// on to 1,000,000, with 150 (the default limit) between, and 4,294,967,295. Empty buckets at
    /// the end are left out.
    pub histogram: Vec<Bucket>,
}

/// One bar of the histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bucket {
    /// Greatest number of expansions in this bucket. The smallest is one more than in the bucket
    /// before.
    pub upto: u32,
    /// Number of searches.
    pub count: u64,
}

/// Upper bounds of the buckets.
const BOUNDS: [u32; 22] = [
    0,
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    150,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    200_000,
    500_000,
    1_000_000,
    u32::MAX,
];

/// Counts searches by their expansions, in a constant 14 KiB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpansionCounts {
    numbers: Histogram,
    buckets: [u64; BOUNDS.len()],
}

impl ExpansionCounts {
    /// Counts one search. O(1).
    pub fn count(&mut self, expansions: u32) {
        self.numbers.count(expansions);
        let bucket = BOUNDS.partition_point(|&upto| upto < expansions);
        self.buckets[bucket] += 1;
    }

    /// Summarizes the counts.
    pub fn summarize(&self) -> Expansions {
        let used = self.buckets.iter().rposition(|&count| count > 0);
        let histogram = BOUNDS
            .iter()
            .zip(&self.buckets)
            .take(used.map_or(0, |last| last + 1))
            .map(|(&upto, &count)| Bucket { upto, count })
            .collect();
        Expansions {
            mean: self.numbers.mean(),
            p50: self.numbers.at_percent(50),
            p99: self.numbers.at_percent(99),
            max: self.numbers.max(),
            histogram,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(numbers: impl IntoIterator<Item = u32>) -> ExpansionCounts {
        let mut counts = ExpansionCounts::default();
        numbers.into_iter().for_each(|number| counts.count(number));
        counts
    }

    #[test]
    fn small_numbers_are_exact() {
        let expansions = counted(1..=200).summarize();
        assert_eq!(
            (expansions.p50, expansions.p99, expansions.max),
            (100, 198, 200)
        );
        assert!((expansions.mean - 100.5).abs() < 1e-12);
    }

    #[test]
    fn large_numbers_are_nearly_exact() {
        let expansions = counted((1..=1000).map(|n| n * 1000)).summarize();
        assert!((500_000..=515_625).contains(&expansions.p50));
        assert!((990_000..=1_000_000).contains(&expansions.p99));
        assert_eq!(counted([u32::MAX; 3]).summarize().p50, u32::MAX);
    }

    #[test]
    fn buckets_end_at_their_bound() {
        let expansions = counted([0, 0, 1, 2, 3, 5, 6, 150, 151]).summarize();
        let expected = [
            (0, 2),
            (1, 1),
            (2, 1),
            (5, 2),
            (10, 1),
            (20, 0),
            (50, 0),
            (100, 0),
            (150, 1),
            (200, 1),
        ];
        assert_eq!(
            expansions.histogram,
            expected.map(|(upto, count)| Bucket { upto, count })
        );
    }

    #[test]
    fn without_searches_all_is_zero() {
        assert_eq!(counted([]).summarize(), Expansions::default());
    }
}

//! The measurements of a run.

use crate::{grid::Cell, scene::Course};
use std::time::Duration;

/// A chaser this near to its target counts as beside it, in columns or rows. One more than the
/// chasers ask for: a target that has just stepped on is still followed.
const BESIDE: u16 = 2;

/// The last ticks over which chasers beside their targets are counted: ten seconds, two steps of
/// each target and more.
const JUDGED: usize = 200;

/// Times of ticks, and the chasers beside their targets after each.
#[derive(Default)]
pub(crate) struct Meter {
    times: Vec<f64>,
    shares: Vec<f64>,
    before: Vec<Cell>,
    /// Steps onto blocked cells.
    pub(crate) into_walls: u64,
    /// Steps longer than a cell.
    pub(crate) jumps: u64,
}

impl Meter {
    /// Notes a tick that took `time` and ended with the chasers on `cells`.
    pub(crate) fn note(&mut self, time: Duration, course: &Course, tick: usize, cells: &[Cell]) {
        self.times.push(time.as_secs_f64() * 1e3);
        let targets = &course.targets[tick];
        let beside = |(chaser, cell): (&crate::Chaser, &Cell)| {
            cell.chebyshev(targets[chaser.target]) <= BESIDE
        };
        let beside = course
            .chasers
            .iter()
            .zip(cells)
            .filter(|&pair| beside(pair))
            .count();
        self.shares.push(beside as f64 / cells.len().max(1) as f64);
        for (&before, &after) in self.before.iter().zip(cells) {
            self.jumps += u64::from(before.chebyshev(after) > 1);
            self.into_walls += u64::from(before != after && !course.map.is_free(after));
        }
        self.before.clear();
        self.before.extend_from_slice(cells);
    }

    pub(crate) fn ticks(&self) -> usize {
        self.times.len()
    }

    /// Returns the mean time of a tick, that of the 99th percentile by nearest rank, and the
    /// longest, in milliseconds.
    pub(crate) fn times(&self) -> [f64; 3] {
        let mut sorted = self.times.clone();
        sorted.sort_by(f64::total_cmp);
        let rank = (sorted.len() * 99).div_ceil(100);
        let at = |rank: usize| sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0);
        let mean = sorted.iter().sum::<f64>() / sorted.len().max(1) as f64;
        [mean, at(rank), at(sorted.len())]
    }

    /// Returns the share of chasers beside their targets, a mean over the last ticks.
    pub(crate) fn share(&self) -> f64 {
        let last = &self.shares[self.shares.len().saturating_sub(JUDGED)..];
        last.iter().sum::<f64>() / last.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentile_is_one_of_the_times() {
        let meter = Meter {
            times: (1..=200).rev().map(f64::from).collect(),
            ..Meter::default()
        };
        assert_eq!(meter.times(), [100.5, 198.0, 200.0]);
        assert_eq!(Meter::default().times(), [0.0; 3]);
    }

    #[test]
    fn share_of_the_last_ticks() {
        let mut meter = Meter::default();
        meter.shares.extend([0.0; JUDGED]);
        meter.shares.extend([1.0; JUDGED]);
        assert_eq!(meter.share(), 1.0);
        assert_eq!(Meter::default().share(), 0.0);
    }
}

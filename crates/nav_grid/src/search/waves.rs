//! How a wave spreads over a window, 64 cells at a time.

use super::window_bits::{ExitPlanes, Rows};
use crate::{CornerRule, Direction, Metric};

/// What wave steps look at: where walkers may stand, which corners they may cut, and exits where
/// the window has some.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground<'a> {
    pub(crate) free: &'a Rows,
    pub(crate) exits: Option<&'a ExitPlanes>,
    pub(crate) corners: CornerRule,
}

/// The step costs of a wave in whole numbers as small as can be, which is what its time depends
/// on; `None` for the metrics that have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pace {
    pub(crate) straight: usize,
    /// 0 where there are no diagonal steps.
    pub(crate) diagonal: usize,
    /// What a unit of both is in the metric.
    pub(crate) unit: u32,
}

impl Pace {
    pub(crate) const fn of(metric: Metric) -> Option<Self> {
        let (straight, diagonal, unit) = match metric {
            Metric::Unit => (1, 1, 1),
            Metric::FourWay => (1, 0, 1),
            Metric::TwoThree => (2, 3, 1),
            Metric::Grid => (5, 7, 2),
            Metric::Octile => return None,
        };
        Some(Self {
            straight,
            diagonal,
            unit,
        })
    }
}

/// The cells that a wave came to at one cost: the rows from `first` to before `end`. Other rows
/// hold anything, but for two zero rows on either side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Front<'a> {
    pub(crate) rows: &'a Rows,
    pub(crate) first: usize,
    pub(crate) end: usize,
}

/// Straight steps out of a front into row `row`.
///
/// Sound for rows at most one away from the front's.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "the loops around it must become vectors"
)]
fn straight(f: [u64; 3]) -> u64 {
    let [above, here, below] = f;
    here << 1 | here >> 1 | above | below
}

/// Diagonal steps into the middle row from the ones above and below it.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "the loops around it must become vectors"
)]
fn diagonal<const STRICT: bool>(f: [u64; 3], free: [u64; 3]) -> u64 {
    let [above, _, below] = f;
    if STRICT {
        // Both cells beside a diagonal step must be free: the one in this row, which a straight
        // step comes to first, and the one in the other row.
        let (down, up) = (above & free[1], below & free[1]);
        (down << 1 | down >> 1) & free[0] | (up << 1 | up >> 1) & free[2]
    } else {
        above << 1 | above >> 1 | below << 1 | below >> 1
    }
}

impl Ground<'_> {
    /// Puts the cells that the steps out of two fronts newly come to, straight ones out of `by_straight`
    /// and diagonal ones out of `by_diagonal`, into `next`, and takes them out of `fresh`.
    /// Returns the rows that have any.
    pub(crate) fn spread(
        &self,
        by_straight: Option<Front<'_>>,
        by_diagonal: Option<Front<'_>>,
        fresh: &mut Rows,
        next: &mut Rows,
        window: &std::ops::Range<usize>,
    ) -> (usize, usize) {
        let fronts = || by_straight.iter().chain(&by_diagonal);
        let first = fronts().map(|front| front.first).min().unwrap_or(MIDDLE);
        let end = fronts().map(|front| front.end).max().unwrap_or(MIDDLE);
        let (first, end) = (window.start.max(first - 1), window.end.min(end + 1));
        next[first - 2..first].fill(0);
        next[end..end + 2].fill(0);
        let one_front = match (by_straight, by_diagonal) {
            (Some(a), Some(b)) => std::ptr::eq(a.rows, b.rows),
            _ => false,
        };
        match (self.exits, self.corners) {
            (None, CornerRule::Strict) if one_front => {
                self.spread_all::<true>(by_straight, fresh, next, first, end);
            }
            (None, CornerRule::Cut) if one_front => {
                self.spread_all::<false>(by_straight, fresh, next, first, end);
            }
            _ => self.spread_any(by_straight, by_diagonal, fresh, next, first, end),
        }
        let any = |row: &usize| next[*row] != 0;
        let first = (first..end).find(any).unwrap_or(end);
        let last = (first..end).rev().find(any).map_or(first, |last| last + 1);
        (first, last)
    }

    /// All eight steps out of one front, where nothing but walls stops them.
    fn spread_all<const STRICT: bool>(
        &self,
        front: Option<Front<'_>>,
        fresh: &mut Rows,
        next: &mut Rows,
        first: usize,
        end: usize,
    ) {
        let Some(front) = front else { return };
        let count = end - first;
        // Slices of one length let the compiler drop its checks and use vectors.
        let f = |offset: usize| &front.rows[first + offset - 1..][..count];
        let w = |offset: usize| &self.free[first + offset - 1..][..count];
        let (above, here, below) = (f(0), f(1), f(2));
        let (wall_above, wall_here, wall_below) = (w(0), w(1), w(2));
        let fresh = &mut fresh[first..][..count];
        let next = &mut next[first..][..count];
        for row in 0..count {
            let steps = [above[row], here[row], below[row]];
            let free = [wall_above[row], wall_here[row], wall_below[row]];
            let reached = (straight(steps) | diagonal::<STRICT>(steps, free)) & fresh[row];
            next[row] = reached;
            fresh[row] &= !reached;
        }
    }

    /// Steps out of two fronts, or of one, with exits or without.
    fn spread_any(
        &self,
        by_straight: Option<Front<'_>>,
        by_diagonal: Option<Front<'_>>,
        fresh: &mut Rows,
        next: &mut Rows,
        first: usize,
        end: usize,
    ) {
        for row in first..end {
            let free = [self.free[row - 1], self.free[row], self.free[row + 1]];
            let mut reached = 0;
            if let Some(front) = by_straight {
                reached |= match self.exits {
                    None => straight(front.around(row)),
                    Some(exits) => front.leaving_straight(row, exits),
                };
            }
            if let Some(front) = by_diagonal {
                let steps = front.around(row);
                reached |= match (self.exits, self.corners) {
                    (None, CornerRule::Strict) => diagonal::<true>(steps, free),
                    (None, CornerRule::Cut) => diagonal::<false>(steps, free),
                    (Some(exits), corners) => front.leaving_diagonal(row, exits, free, corners),
                };
            }
            reached &= fresh[row];
            next[row] = reached;
            fresh[row] &= !reached;
        }
    }
}

/// Some row of any window.
const MIDDLE: usize = 30;

impl Front<'_> {
    /// The front in the rows around `row`.
    fn around(&self, row: usize) -> [u64; 3] {
        [row - 1, row, row + 1].map(|row| self.row(row))
    }

    pub(crate) fn row(&self, row: usize) -> u64 {
        if (self.first..self.end).contains(&row) {
            self.rows[row]
        } else {
            0
        }
    }

    fn leaving_straight(&self, row: usize, exits: &ExitPlanes) -> u64 {
        let leaving = |row: usize, way: Direction| self.row(row) & exits.of(way)[row];
        leaving(row, Direction::East) << 1
            | leaving(row, Direction::West) >> 1
            | leaving(row - 1, Direction::South)
            | leaving(row + 1, Direction::North)
    }

    fn leaving_diagonal(
        &self,
        row: usize,
        exits: &ExitPlanes,
        free: [u64; 3],
        corners: CornerRule,
    ) -> u64 {
        let leaving = |row: usize, way: Direction| self.row(row) & exits.of(way)[row];
        let (here, above, below) = match corners {
            CornerRule::Strict => (free[1], free[0], free[2]),
            CornerRule::Cut => (u64::MAX, u64::MAX, u64::MAX),
        };
        let down = (leaving(row - 1, Direction::SouthEast) & here) << 1
            | (leaving(row - 1, Direction::SouthWest) & here) >> 1;
        let up = (leaving(row + 1, Direction::NorthEast) & here) << 1
            | (leaving(row + 1, Direction::NorthWest) & here) >> 1;
        down & above | up & below
    }
}

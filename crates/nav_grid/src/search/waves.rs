//! How a wave spreads over a window, 64 cells at a time.

use super::window_bits::{ExitPlanes, Place, Rows};
use crate::{CornerRule, Direction, Metric};

/// What wave steps look at: where walkers may stand, which corners they may cut, and exits where
/// the window has some.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Basin<'a> {
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
/// are zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Front<'a> {
    pub(crate) rows: &'a Rows,
    pub(crate) first: usize,
    pub(crate) end: usize,
}

/// Where a wave came to at each cost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waves {
    /// By cost, modulo how many of them are kept.
    fronts: Vec<Rows>,
    /// The rows of each front that have cells, by cost.
    spans: Vec<(usize, usize)>,
    kept: usize,
    /// The number of costs without a front since the last one with one.
    empty: usize,
}

impl Waves {
    /// More fronts than any step is long.
    pub(crate) const FEW: usize = 8;

    /// Begins at a place. Keeps all fronts, or so many of the last ones.
    pub(crate) fn start(&mut self, place: Place, kept: usize) {
        let mut root = [0; 64];
        root[place.row] = 1 << place.column;
        match self.fronts.first_mut() {
            Some(front) => *front = root,
            None => self.fronts.push(root),
        }
        self.spans.clear();
        self.spans.push((place.row, place.row + 1));
        self.kept = kept;
        self.empty = 0;
    }

    /// Goes on to the next cost and takes what is newly come to out of `fresh`. Returns whether
    /// there may be more to come to.
    pub(crate) fn advance(
        &mut self,
        pace: Pace,
        ground: Basin<'_>,
        fresh: &mut Rows,
        window: &std::ops::Range<usize>,
    ) -> bool {
        let cost = self.spans.len();
        let slot = cost % self.kept;
        if slot == self.fronts.len() {
            self.fronts.push([0; 64]);
        }
        let (before, rest) = self.fronts.split_at_mut(slot);
        let Some((next, behind)) = rest.split_first_mut() else {
            return false;
        };
        let front = |step: usize| -> Option<Front<'_>> {
            let at = cost.checked_sub(step).filter(|_| step > 0)?;
            let &(first, end) = self.spans.get(at)?;
            let at = at % self.kept;
            let rows = if at < slot {
                before.get(at)
            } else {
                behind.get(at - slot - 1)
            };
            let rows = rows.filter(|_| first < end)?;
            Some(Front { rows, first, end })
        };
        let (by_straight, by_diagonal) = (front(pace.straight), front(pace.diagonal));
        let span = if by_straight.is_none() && by_diagonal.is_none() {
            (0, 0)
        } else {
            ground.spread(by_straight, by_diagonal, fresh, next, window)
        };
        let news = span.0 < span.1;
        self.empty = if news { 0 } else { self.empty + 1 };
        self.spans.push(span);
        self.empty < pace.straight.max(pace.diagonal)
    }

    /// How many costs there are, those without a front too.
    pub(crate) fn count(&self) -> usize {
        self.spans.len()
    }

    /// The cells at a cost, if there are any and they are kept.
    pub(crate) fn front(&self, cost: Option<usize>) -> Option<Front<'_>> {
        let cost = cost?;
        let &(first, end) = self.spans.get(cost)?;
        let rows = self.fronts.get(cost % self.kept)?;
        (first < end).then_some(Front { rows, first, end })
    }

    /// Leaves of the last front only the cells that are among the given ones.
    pub(crate) fn hold_back(&mut self, among: &Rows) {
        let last = self.spans.len() - 1;
        let (first, end) = self.spans[last];
        let rows = first..end;
        for (row, among) in self.fronts[last % self.kept][rows.clone()]
            .iter_mut()
            .zip(&among[rows])
        {
            *row &= among;
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.fronts.capacity() * size_of::<Rows>()
            + self.spans.capacity() * size_of::<(usize, usize)>()
    }
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

impl Basin<'_> {
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
        next[..first].fill(0);
        next[end..].fill(0);
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
            (None, CornerRule::Strict) => {
                self.spread_two::<true>(by_straight, by_diagonal, fresh, next, first, end);
            }
            (None, CornerRule::Cut) => {
                self.spread_two::<false>(by_straight, by_diagonal, fresh, next, first, end);
            }
            (Some(exits), _) => {
                self.spread_fenced(by_straight, by_diagonal, exits, fresh, next, first..end);
            }
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

    /// Straight steps out of one front and diagonal ones out of another, where nothing but walls
    /// stops them.
    fn spread_two<'f, const STRICT: bool>(
        &self,
        by_straight: Option<Front<'f>>,
        by_diagonal: Option<Front<'f>>,
        fresh: &mut Rows,
        next: &mut Rows,
        first: usize,
        end: usize,
    ) {
        let count = end - first;
        let rows = |front: Option<Front<'f>>| front.map_or(&EMPTY, |front| front.rows);
        let (by_straight, by_diagonal) = (rows(by_straight), rows(by_diagonal));
        let straights = [0, 1, 2].map(|offset| &by_straight[first + offset - 1..][..count]);
        let diagonals = [0, 1, 2].map(|offset| &by_diagonal[first + offset - 1..][..count]);
        let walls = [0, 1, 2].map(|offset| &self.free[first + offset - 1..][..count]);
        let fresh = &mut fresh[first..][..count];
        let next = &mut next[first..][..count];
        for row in 0..count {
            let steps = straights.map(|rows| rows[row]);
            let slants = diagonals.map(|rows| rows[row]);
            let free = walls.map(|rows| rows[row]);
            let reached = (straight(steps) | diagonal::<STRICT>(slants, free)) & fresh[row];
            next[row] = reached;
            fresh[row] &= !reached;
        }
    }

    /// Steps out of two fronts, or of one, with exits.
    fn spread_fenced(
        &self,
        by_straight: Option<Front<'_>>,
        by_diagonal: Option<Front<'_>>,
        exits: &ExitPlanes,
        fresh: &mut Rows,
        next: &mut Rows,
        rows: std::ops::Range<usize>,
    ) {
        for row in rows {
            let free = [self.free[row - 1], self.free[row], self.free[row + 1]];
            let mut reached = 0;
            if let Some(front) = by_straight {
                reached |= front.leaving_straight(row, exits);
            }
            if let Some(front) = by_diagonal {
                reached |= front.leaving_diagonal(row, exits, free, self.corners);
            }
            reached &= fresh[row];
            next[row] = reached;
            fresh[row] &= !reached;
        }
    }
}

/// A front of nothing.
static EMPTY: Rows = [0; 64];

/// Some row of any window.
const MIDDLE: usize = 30;

impl Front<'_> {
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

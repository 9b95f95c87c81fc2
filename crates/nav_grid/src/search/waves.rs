//! How a wave spreads over a window, 64 cells at a time.

#![expect(
    clippy::inline_always,
    reason = "wide vectors are for what is inlined into `widely`"
)]

use super::window_bits::{CENTER, ExitPlanes, Place, RADIUS_MAX, Rows};
use crate::{
    CornerRule, Direction, Metric,
    wide::{Wide, widely},
};

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

    /// No step costs more.
    pub(crate) const fn longest(self) -> usize {
        if self.straight > self.diagonal {
            self.straight
        } else {
            self.diagonal
        }
    }
}

/// Where a wave from the [`CENTER`] of a window has been at each cost.
///
/// A board says which places can be reached at a cost *or less*. That is as good as which were
/// newly come to at it: a neighbour that is there a step's cost earlier is a way to come from,
/// and one that was there earlier still would have brought the wave here sooner. It needs no
/// second board of what is still to be reached, and rows that the wave has not come to stay
/// zero from search to search and need not be cleared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waves {
    /// What was reached when something new was, by number and modulo how many of them are kept.
    boards: Vec<Rows>,
    /// By cost, the number of the board that holds.
    numbers: Vec<u32>,
    /// The bits of a number that tell its place among the boards.
    kept: usize,
    /// The number of costs without anything new since the last one with something.
    quiet: usize,
}

impl Waves {
    /// Enough boards for any step to look back to where it comes from.
    const FEW: usize = 8;

    /// Begins at the center and keeps all boards. One `Waves` must not change to
    /// [keeping few](Self::start_keeping_few).
    pub(crate) fn start(&mut self) {
        self.kept = usize::MAX;
        self.root();
    }

    /// Begins at the center and keeps as many boards as steps look back to.
    pub(crate) fn start_keeping_few(&mut self) {
        self.kept = Self::FEW - 1;
        // Boards that took turns hold more than a new wave comes to.
        self.boards.clear();
        self.root();
    }

    fn root(&mut self) {
        if self.boards.is_empty() {
            let mut root = [0; 72];
            root[CENTER.row] = 1 << CENTER.column;
            self.boards.push(root);
        }
        self.numbers.clear();
        self.numbers.push(0);
        self.quiet = 0;
    }

    /// Goes on until a place is reached, at a cost of `last` or less. All boards must be kept.
    pub(crate) fn flood(
        &mut self,
        pace: Pace,
        ground: Basin<'_>,
        goal: Option<Place>,
        last: usize,
    ) -> FloodEnd {
        if pace.straight == 1 && pace.diagonal == 1 && ground.exits.is_none() {
            let waves = self;
            return widely(EvenFlood {
                waves,
                ground,
                goal,
                last,
            });
        }
        let mut more = true;
        loop {
            let reached = self.reached(self.count() - 1);
            if goal.is_some_and(|goal| goal.is_in(reached)) {
                return FloodEnd::Goal;
            }
            if !more {
                return FloodEnd::Dry;
            }
            if self.count() > last {
                return FloodEnd::Limit;
            }
            more = self.advance(pace, ground);
        }
    }

    /// Goes on to the next cost. Returns whether there may be more to come to.
    pub(crate) fn advance(&mut self, pace: Pace, ground: Basin<'_>) -> bool {
        let cost = self.numbers.len();
        let last = self.numbers[cost - 1];
        let changed = (self.is_new(cost, pace.straight) || self.is_new(cost, pace.diagonal))
            && self.spread(pace, ground);
        self.numbers.push(last + u32::from(changed));
        self.quiet = if changed { 0 } else { self.quiet + 1 };
        self.quiet < pace.longest()
    }

    /// Whether a wave came to something a step before a cost.
    fn is_new(&self, cost: usize, step: usize) -> bool {
        let at = cost.checked_sub(step).filter(|_| step > 0);
        at.is_some_and(|at| at == 0 || self.numbers[at - 1] != self.numbers[at])
    }

    /// Fills the board after the last one with what can be reached at the next cost or less.
    /// Returns whether that is more than before.
    fn spread(&mut self, pace: Pace, ground: Basin<'_>) -> bool {
        let cost = self.numbers.len();
        let last = self.numbers[cost - 1];
        let slot = (last as usize + 1) & self.kept;
        if slot == self.boards.len() {
            self.boards.push([0; 72]);
        }
        let (before, rest) = self.boards.split_at_mut(slot);
        let Some((next, behind)) = rest.split_first_mut() else {
            return false;
        };
        let board = |number: u32| {
            let at = number as usize & self.kept;
            before.get(at).or_else(|| behind.get(at - slot - 1))
        };
        let source = |step: usize| {
            let at = cost.checked_sub(step).filter(|_| step > 0);
            at.and_then(|at| board(self.numbers[at])).unwrap_or(&EMPTY)
        };
        let here = board(last).unwrap_or(&EMPTY);
        let rows = rows_of(last as usize + 1);
        widely(Spread {
            ground,
            here,
            from: [source(pace.straight), source(pace.diagonal)],
            next,
            rows,
        })
    }

    /// How many costs there are.
    pub(crate) fn count(&self) -> usize {
        self.numbers.len()
    }

    /// What can be reached at a cost or less; nothing for costs that are not kept.
    #[inline]
    pub(crate) fn reached(&self, cost: usize) -> &Rows {
        let number = self.numbers.get(cost).map(|&number| number as usize);
        let board = number.and_then(|number| self.boards.get(number & self.kept));
        board.unwrap_or(&EMPTY)
    }

    /// What can be reached a step before a cost; nothing if no step is so long.
    #[inline]
    pub(crate) fn before(&self, cost: usize, step: usize) -> &Rows {
        match cost.checked_sub(step) {
            Some(cost) if step > 0 => self.reached(cost),
            _ => &EMPTY,
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.boards.capacity() * size_of::<Rows>() + self.numbers.capacity() * size_of::<u32>()
    }
}

/// Why [`Waves::flood`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloodEnd {
    /// The place is reached.
    Goal,
    /// Nothing more can be reached.
    Dry,
    /// What more can be reached is dearer than it may be.
    Limit,
}

/// [`Waves::flood`] where all steps cost the same and nothing but walls stops them.
struct EvenFlood<'a> {
    waves: &'a mut Waves,
    ground: Basin<'a>,
    goal: Option<Place>,
    last: usize,
}

impl Wide for EvenFlood<'_> {
    type Answer = FloodEnd;

    #[inline(always)]
    fn run(self) -> FloodEnd {
        match self.ground.corners {
            CornerRule::Strict => self.run_by::<true>(),
            CornerRule::Cut => self.run_by::<false>(),
        }
    }
}

impl EvenFlood<'_> {
    #[inline(always)]
    fn run_by<const STRICT: bool>(self) -> FloodEnd {
        let Self {
            waves,
            ground,
            goal,
            last,
        } = self;
        let mut number = 0;
        loop {
            if waves.boards.len() == number + 1 {
                waves.boards.push([0; 72]);
            }
            let Some([here, next]) = waves.boards[number..].first_chunk_mut() else {
                return FloodEnd::Dry;
            };
            if goal.is_some_and(|goal| goal.is_in(here)) {
                return FloodEnd::Goal;
            }
            if number == last {
                return FloodEnd::Limit;
            }
            number += 1;
            let news = ground.spread_all::<STRICT>(here, next, rows_of(number));
            waves.numbers.push(number as u32);
            if !news {
                return FloodEnd::Dry;
            }
        }
    }
}

/// One wave's step, on boards. Says whether it leads to anything new.
pub(super) struct Spread<'a> {
    pub(super) ground: Basin<'a>,
    pub(super) here: &'a Rows,
    /// What straight and diagonal steps come from.
    pub(super) from: [&'a Rows; 2],
    pub(super) next: &'a mut Rows,
    pub(super) rows: std::ops::Range<usize>,
}

impl Wide for Spread<'_> {
    type Answer = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self {
            ground,
            here,
            from,
            next,
            rows,
        } = self;
        let one_front = from.iter().all(|from| std::ptr::eq(*from, here));
        match (ground.exits, ground.corners) {
            (None, CornerRule::Strict) if one_front => ground.spread_all::<true>(here, next, rows),
            (None, CornerRule::Cut) if one_front => ground.spread_all::<false>(here, next, rows),
            (None, CornerRule::Strict) => ground.spread_two::<true>(here, from, next, rows),
            (None, CornerRule::Cut) => ground.spread_two::<false>(here, from, next, rows),
            (Some(_), _) => {
                let mut changed = 0;
                for row in rows {
                    let reached = ground.stepping_into(row, from[0], from[1]);
                    next[row] = here[row] | reached & ground.free[row];
                    changed |= next[row] ^ here[row];
                }
                changed != 0
            }
        }
    }
}

/// A board of nothing.
pub(super) static EMPTY: Rows = [0; 72];

/// The rows that a board of a number may have anything in: one more on either side than the one
/// before. Rounded to fours, which leaves no rest behind vectors.
pub(super) fn rows_of(number: usize) -> std::ops::Range<usize> {
    let reach = number.min(RADIUS_MAX.into());
    (CENTER.row - reach) / 4 * 4..(CENTER.row + reach) / 4 * 4 + 4
}

/// Straight steps into a row out of it and the ones above and below.
#[inline(always)]
fn straight([above, here, below]: [u64; 3]) -> u64 {
    here << 1 | here >> 1 | above | below
}

/// Diagonal steps into the middle row from the ones above and below it.
#[inline(always)]
fn diagonal<const STRICT: bool>([above, _, below]: [u64; 3], free: [u64; 3]) -> u64 {
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
    /// All eight steps out of what was reached, where nothing but walls stops them. Returns
    /// whether they lead to something new.
    #[inline(always)]
    fn spread_all<const STRICT: bool>(
        &self,
        here: &Rows,
        next: &mut Rows,
        rows: std::ops::Range<usize>,
    ) -> bool {
        // Slices of one length let the compiler drop its checks and make vectors.
        let (first, count) = (rows.start, rows.len());
        let from = |offset: usize| &here[first + offset - 1..][..count];
        let free = |offset: usize| &self.free[first + offset - 1..][..count];
        let (from_above, from_here, from_below) = (from(0), from(1), from(2));
        let (free_above, free_here, free_below) = (free(0), free(1), free(2));
        let next = &mut next[first..][..count];
        let mut changed = 0;
        for row in 0..count {
            let from = [from_above[row], from_here[row], from_below[row]];
            let free = [free_above[row], free_here[row], free_below[row]];
            let steps = straight(from) | diagonal::<STRICT>(from, free) | from[1];
            next[row] = steps & free[1];
            changed |= next[row] ^ from[1];
        }
        changed != 0
    }

    /// Straight steps out of what was reached at one cost and diagonal ones out of what was at
    /// another, where nothing but walls stops them.
    #[inline(always)]
    fn spread_two<const STRICT: bool>(
        &self,
        here: &Rows,
        [by_straight, by_diagonal]: [&Rows; 2],
        next: &mut Rows,
        rows: std::ops::Range<usize>,
    ) -> bool {
        let (first, count) = (rows.start, rows.len());
        let straights = |offset: usize| &by_straight[first + offset - 1..][..count];
        let slants = |offset: usize| &by_diagonal[first + offset - 1..][..count];
        let free = |offset: usize| &self.free[first + offset - 1..][..count];
        let (straight_above, straight_here, straight_below) =
            (straights(0), straights(1), straights(2));
        let (slant_above, slant_here, slant_below) = (slants(0), slants(1), slants(2));
        let (free_above, free_here, free_below) = (free(0), free(1), free(2));
        let here = &here[first..][..count];
        let next = &mut next[first..][..count];
        let mut changed = 0;
        for row in 0..count {
            let free = [free_above[row], free_here[row], free_below[row]];
            let steps = straight([straight_above[row], straight_here[row], straight_below[row]]);
            let slants = [slant_above[row], slant_here[row], slant_below[row]];
            let slants = diagonal::<STRICT>(slants, free);
            next[row] = (steps | slants) & free[1] | here[row];
            changed |= next[row] ^ here[row];
        }
        changed != 0
    }

    /// The places of a row to which straight steps out of one board lead, or diagonal ones out of
    /// another, whether anybody may stand there or not.
    pub(crate) fn stepping_into(&self, row: usize, by_straight: &Rows, by_diagonal: &Rows) -> u64 {
        let three = |rows: &Rows| [rows[row - 1], rows[row], rows[row + 1]];
        let (straights, diagonals) = (three(by_straight), three(by_diagonal));
        let free = three(self.free);
        let Some(exits) = self.exits else {
            let slants = match self.corners {
                CornerRule::Strict => diagonal::<true>(diagonals, free),
                CornerRule::Cut => diagonal::<false>(diagonals, free),
            };
            return straight(straights) | slants;
        };
        let leaving = |from: &[u64; 3], offset: usize, way: Direction| {
            from[offset] & exits.of(way)[row + offset - 1]
        };
        let steps = leaving(&straights, 1, Direction::East) << 1
            | leaving(&straights, 1, Direction::West) >> 1
            | leaving(&straights, 0, Direction::South)
            | leaving(&straights, 2, Direction::North);
        let (here, above, below) = match self.corners {
            CornerRule::Strict => (free[1], free[0], free[2]),
            CornerRule::Cut => (u64::MAX, u64::MAX, u64::MAX),
        };
        let down = (leaving(&diagonals, 0, Direction::SouthEast) & here) << 1
            | (leaving(&diagonals, 0, Direction::SouthWest) & here) >> 1;
        let up = (leaving(&diagonals, 2, Direction::NorthEast) & here) << 1
            | (leaving(&diagonals, 2, Direction::NorthWest) & here) >> 1;
        steps | down & above | up & below
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A window of radius 20 with walls here and there.
    fn free(seed: u64) -> Rows {
        let mut state = seed;
        let mut rows = [0; 72];
        for row in &mut rows[CENTER.row - 20..=CENTER.row + 20] {
            let mut word = || {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                state ^ state >> 29
            };
            *row = (word() | word() | word()) << (64 - 41) >> (64 - 41 - 8);
        }
        rows[CENTER.row] |= 1 << CENTER.column;
        rows
    }

    #[test]
    fn wide_and_narrow_vectors_reach_the_same_places() {
        for seed in 1..200 {
            let free = free(seed);
            for corners in CornerRule::ALL {
                let ground = Basin {
                    free: &free,
                    exits: None,
                    corners,
                };
                let flood = |waves| EvenFlood {
                    waves,
                    ground,
                    goal: None,
                    last: usize::MAX,
                };
                let (mut narrow, mut wide) = (Waves::default(), Waves::default());
                narrow.start();
                wide.start();
                let ends = (flood(&mut narrow).run(), widely(flood(&mut wide)));
                assert_eq!(ends, (FloodEnd::Dry, FloodEnd::Dry));
                assert!(narrow.count() > 10, "seed {seed} is walled in");
                assert_eq!(narrow.boards, wide.boards, "seed {seed}");
            }
        }
    }
}

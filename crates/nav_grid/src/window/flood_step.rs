//! Floods of a window: the cells that they may enter, and one step on rows of bits.

#![expect(
    clippy::inline_always,
    reason = "only code that is inlined into `widely` uses wide vectors"
)]

use super::window_bits::{CENTER, ExitPlanes, RADIUS_MAX, WindowRows};
use crate::{bits::Wide, cell::Direction, rules::CornerRule};

/// The ground of a flood: where walkers may stand, which corners they may cut, and the exits if the
/// window has any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloodMask<'a> {
    pub(crate) free: &'a WindowRows,
    pub(crate) exits: Option<&'a ExitPlanes>,
    pub(crate) corners: CornerRule,
}

/// Straight steps into the middle row from all three.
#[inline(always)]
fn straight([above, here, below]: [u64; 3]) -> u64 {
    here << 1 | here >> 1 | above | below
}

/// Diagonal steps into the middle row from the rows above and below.
#[inline(always)]
fn diagonal<const STRICT: bool>([above, _, below]: [u64; 3], free: [u64; 3]) -> u64 {
    if STRICT {
        // Both cells beside a diagonal step must be free: one in this row, one in the other.
        let (down, up) = (above & free[1], below & free[1]);
        (down << 1 | down >> 1) & free[0] | (up << 1 | up >> 1) & free[2]
    } else {
        above << 1 | above >> 1 | below << 1 | below >> 1
    }
}

impl FloodMask<'_> {
    /// Takes all eight steps from the reached places, stopped by walls only. Returns whether they
    /// reach anything new.
    #[inline(always)]
    pub(super) fn spread_all<const STRICT: bool>(
        &self,
        here: &WindowRows,
        next: &mut WindowRows,
        rows: std::ops::Range<usize>,
    ) -> bool {
        // Slices of one length let the compiler drop bounds checks and use vectors.
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

    /// Takes straight steps from the places reached at one cost and diagonal steps from those
    /// reached at another, stopped by walls only.
    #[inline(always)]
    fn spread_two<const STRICT: bool>(
        &self,
        here: &WindowRows,
        [by_straight, by_diagonal]: [&WindowRows; 2],
        next: &mut WindowRows,
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
            let slants =
                diagonal::<STRICT>([slant_above[row], slant_here[row], slant_below[row]], free);
            next[row] = (steps | slants) & free[1] | here[row];
            changed |= next[row] ^ here[row];
        }
        changed != 0
    }

    /// The places of a row to which straight steps from one board or diagonal steps from another
    /// lead, in walls or not.
    pub(crate) fn stepping_into(
        &self,
        row: usize,
        by_straight: &WindowRows,
        by_diagonal: &WindowRows,
    ) -> u64 {
        let three = |rows: &WindowRows| [rows[row - 1], rows[row], rows[row + 1]];
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

/// One step of a wave, from board to board. Its answer is whether it reaches anything new.
pub(crate) struct WaveStep<'a> {
    pub(crate) mask: FloodMask<'a>,
    pub(crate) here: &'a WindowRows,
    /// The boards from which straight and diagonal steps are taken.
    pub(crate) from: [&'a WindowRows; 2],
    pub(crate) next: &'a mut WindowRows,
    pub(crate) rows: std::ops::Range<usize>,
}

impl Wide for WaveStep<'_> {
    type Answer = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self {
            mask,
            here,
            from,
            next,
            rows,
        } = self;
        let one_front = from.iter().all(|from| std::ptr::eq(*from, here));
        match (mask.exits, mask.corners) {
            (None, CornerRule::Strict) if one_front => mask.spread_all::<true>(here, next, rows),
            (None, CornerRule::Cut) if one_front => mask.spread_all::<false>(here, next, rows),
            (None, CornerRule::Strict) => mask.spread_two::<true>(here, from, next, rows),
            (None, CornerRule::Cut) => mask.spread_two::<false>(here, from, next, rows),
            (Some(_), _) => {
                let mut changed = 0;
                for row in rows {
                    let reached = mask.stepping_into(row, from[0], from[1]);
                    next[row] = here[row] | reached & mask.free[row];
                    changed |= next[row] ^ here[row];
                }
                changed != 0
            }
        }
    }
}

/// A board without places.
pub(crate) static EMPTY: WindowRows = [0; 72];

/// The rows that the board after `number` steps may have anything in: one more on either side for
/// each step. Rounded to multiples of four, so that vectors leave no remainder.
pub(crate) fn rows_of(number: usize) -> std::ops::Range<usize> {
    let reach = number.min(RADIUS_MAX.into());
    (CENTER.row - reach) / 4 * 4..(CENTER.row + reach) / 4 * 4 + 4
}

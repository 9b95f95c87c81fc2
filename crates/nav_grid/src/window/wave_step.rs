//! One step of a wave over a window, on boards.

#![expect(
    clippy::inline_always,
    reason = "wide vectors are for what is inlined into `widely`"
)]

use super::{
    flood_mask::FloodMask,
    rows::{CENTER, RADIUS_MAX, WindowRows},
};
use crate::{bits::Wide, rules::CornerRule};

/// One wave's step, on boards. Says whether it leads to anything new.
pub(crate) struct WaveStep<'a> {
    pub(crate) mask: FloodMask<'a>,
    pub(crate) here: &'a WindowRows,
    /// What straight and diagonal steps come from.
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

/// A board of nothing.
pub(crate) static EMPTY: WindowRows = [0; 72];

/// The rows that a board of a number may have anything in: one more on either side than the one
/// before. Rounded to fours, which leaves no rest behind vectors.
pub(crate) fn rows_of(number: usize) -> std::ops::Range<usize> {
    let reach = number.min(RADIUS_MAX.into());
    (CENTER.row - reach) / 4 * 4..(CENTER.row + reach) / 4 * 4 + 4
}

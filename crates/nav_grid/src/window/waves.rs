//! Bit-parallel breadth-first search over a window that keeps the board of each step.

#![expect(
    clippy::inline_always,
    reason = "wide vectors are for what is inlined into `widely`"
)]

use super::{
    flood_mask::FloodMask,
    rows::{CENTER, WindowPlace, WindowRows},
    wave_step::{EMPTY, WaveStep, rows_of},
};
use crate::{
    bits::{Wide, widely},
    rules::CornerRule,
};

/// The cells that a wave from the [`CENTER`] of a window has reached after each step.
///
/// A board has the cells reached after so many steps *or fewer*. That is as good as those first
/// reached by that step: a neighbour that was reached a step earlier is a predecessor, and one
/// that was reached earlier still would have brought the wave here sooner. It needs no second
/// board of what is still to be reached, and rows that the wave has not reached stay zero from
/// search to search and need not be cleared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waves {
    /// By number of steps; those of this search first.
    boards: Vec<WindowRows>,
    /// How many boards are this search's.
    count: usize,
}

impl Waves {
    /// Begins at the center.
    pub(crate) fn start(&mut self) {
        if self.boards.is_empty() {
            let mut root = [0; 72];
            root[CENTER.row] = 1 << CENTER.column;
            self.boards.push(root);
        }
        self.count = 1;
    }

    /// Continues until a place is reached, up to `last` steps from the start on, straight ones
    /// and, if `diagonals`, diagonal ones. After [`FloodEnd::Limit`] it can go on to more.
    pub(crate) fn flood(
        &mut self,
        diagonals: bool,
        mask: FloodMask<'_>,
        goal: Option<WindowPlace>,
        last: usize,
    ) -> FloodEnd {
        if diagonals && mask.exits.is_none() {
            let waves = self;
            return widely(UniformFlood {
                waves,
                mask,
                goal,
                last,
            });
        }
        let mut more = true;
        loop {
            let reached = self.reached(self.count - 1);
            if goal.is_some_and(|goal| goal.is_in(reached)) {
                return FloodEnd::Goal;
            }
            if !more {
                return FloodEnd::Exhausted;
            }
            if self.count > last {
                return FloodEnd::Limit;
            }
            more = self.advance(diagonals, mask);
        }
    }

    /// Takes one step. Returns whether it reached anything new.
    fn advance(&mut self, diagonals: bool, mask: FloodMask<'_>) -> bool {
        let number = self.count;
        if self.boards.len() == number {
            self.boards.push([0; 72]);
        }
        self.count += 1;
        let Some([here, next]) = self.boards[number - 1..].first_chunk_mut() else {
            return false;
        };
        let here = &*here;
        widely(WaveStep {
            mask,
            here,
            from: [here, if diagonals { here } else { &EMPTY }],
            next,
            rows: rows_of(number),
        })
    }

    /// How many boards there are: one more than steps were taken.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The cells reached after so many steps or fewer; nothing for steps that were not taken.
    #[inline]
    pub(crate) fn reached(&self, steps: usize) -> &WindowRows {
        self.boards[..self.count].get(steps).unwrap_or(&EMPTY)
    }
}

/// Why [`Waves::flood`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloodEnd {
    /// The place is reached.
    Goal,
    /// Nothing more can be reached.
    Exhausted,
    /// What more can be reached is dearer than it may be.
    Limit,
    /// There is more to do in another slice.
    Slice,
}

/// [`Waves::flood`] where all steps cost the same and nothing but walls stops them.
struct UniformFlood<'a> {
    waves: &'a mut Waves,
    mask: FloodMask<'a>,
    goal: Option<WindowPlace>,
    last: usize,
}

impl Wide for UniformFlood<'_> {
    type Answer = FloodEnd;

    #[inline(always)]
    fn run(self) -> FloodEnd {
        match self.mask.corners {
            CornerRule::Strict => self.run_by::<true>(),
            CornerRule::Cut => self.run_by::<false>(),
        }
    }
}

impl UniformFlood<'_> {
    #[inline(always)]
    fn run_by<const STRICT: bool>(self) -> FloodEnd {
        let Self {
            waves,
            mask,
            goal,
            last,
        } = self;
        let mut number = waves.count - 1;
        loop {
            if waves.boards.len() == number + 1 {
                waves.boards.push([0; 72]);
            }
            let Some([here, next]) = waves.boards[number..].first_chunk_mut() else {
                return FloodEnd::Exhausted;
            };
            if goal.is_some_and(|goal| goal.is_in(here)) {
                return FloodEnd::Goal;
            }
            if number == last {
                return FloodEnd::Limit;
            }
            number += 1;
            let news = mask.spread_all::<STRICT>(here, next, rows_of(number));
            waves.count = number + 1;
            if !news {
                return FloodEnd::Exhausted;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A window of radius 20 with walls here and there.
    fn free(seed: u64) -> WindowRows {
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
                let mask = FloodMask {
                    free: &free,
                    exits: None,
                    corners,
                };
                let flood = |waves| UniformFlood {
                    waves,
                    mask,
                    goal: None,
                    last: usize::MAX,
                };
                let (mut narrow, mut wide) = (Waves::default(), Waves::default());
                narrow.start();
                wide.start();
                let ends = (flood(&mut narrow).run(), widely(flood(&mut wide)));
                assert_eq!(ends, (FloodEnd::Exhausted, FloodEnd::Exhausted));
                assert!(narrow.count() > 10, "seed {seed} is walled in");
                assert_eq!(narrow.boards, wide.boards, "seed {seed}");
            }
        }
    }
}

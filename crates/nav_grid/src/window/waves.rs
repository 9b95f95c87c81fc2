//! Bit-parallel breadth-first search over a window that keeps the board of each step.

#![expect(
    clippy::inline_always,
    reason = "only code that is inlined into `widely` uses wide vectors"
)]

use super::{
    flood_step::{EMPTY, FloodMask, WaveStep, rows_of},
    window_bits::{CENTER, WindowPlace, WindowRows},
};
use crate::{
    bits::{Wide, widely},
    rules::CornerRule,
};

/// The cells that a wave from the [`CENTER`] of a window has reached after each step.
///
/// A board has the cells reached after its number of steps *or fewer*. That suffices to trace a
/// path back: a neighbour on the board before is a predecessor, as an earlier one would have
/// brought the wave here sooner. It saves a second board of unreached cells. Rows that no wave has
/// reached stay zero from search to search and need no clearing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waves {
    /// By number of steps. Boards beyond `count` are left from other searches.
    boards: Vec<WindowRows>,
    /// The number of boards of this search.
    count: usize,
}

impl Waves {
    /// Starts a search at the center.
    pub(crate) fn start(&mut self) {
        if self.boards.is_empty() {
            let mut root = [0; 72];
            root[CENTER.row] = 1 << CENTER.column;
            self.boards.push(root);
        }
        self.count = 1;
    }

    /// Takes steps until `goal` is reached, up to `last` steps from the start. After
    /// [`FloodEnd::Limit`] the flood can be continued with a greater `last`.
    pub(crate) fn flood(
        &mut self,
        diagonals: bool,
        mask: FloodMask<'_>,
        goal: Option<WindowPlace>,
        last: usize,
    ) -> FloodEnd {
        if diagonals && mask.exits.is_none() {
            return widely(UniformFlood {
                waves: self,
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

    /// The number of boards: one more than steps taken.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The cells reached within a number of steps; none for steps that were not taken.
    #[inline]
    pub(crate) fn reached(&self, steps: usize) -> &WindowRows {
        self.boards[..self.count].get(steps).unwrap_or(&EMPTY)
    }
}

/// Why [`Waves::flood`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloodEnd {
    /// The goal is reached.
    Goal,
    /// Nothing more can be reached.
    Exhausted,
    /// Everything else is beyond the limit.
    Limit,
    /// The slice is used up.
    Slice,
}

/// [`Waves::flood`] under [`Metric::Unit`](crate::Metric) without exits.
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
    fn wide_equals_narrow() {
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

//! Where a diagonal run has to stop.

use super::{board::Bitboard, lanes::Lanes};
use crate::{map::size::Size, rules::CornerRule};
use std::ops::RangeInclusive;

/// The cells at which a walker must stop that runs northeast, southeast, southwest or northwest:
/// where its next step is not legal, where a look along the row to the side it runs to ends at a
/// jump point, and where the step there opens a way that no other does. The last are cells behind
/// corners that it cut.
///
/// # Memory
///
/// Four bits a cell, and one more under [`CornerRule::Strict`].
#[derive(Clone, Debug, Default)]
pub(crate) struct DiagonalRuns {
    halts: [Bitboard; 4],
    /// The upper left cells of squares of four free ones, where the walker may not cut corners:
    /// it may go from any of them to any other.
    squares: Bitboard,
}

impl DiagonalRuns {
    pub(crate) fn reset(&mut self, size: Size, corners: CornerRule) {
        for halts in &mut self.halts {
            halts.reset(size);
        }
        if corners == CornerRule::Strict {
            self.squares.reset(size);
        }
    }

    /// Brings words of a row up to date, from the cells that are free and those from which looks
    /// east and west are live. After an edit these are the rows of its area and those beside it,
    /// from the top down.
    pub(crate) fn mark(
        &mut self,
        free: &Bitboard,
        words: RangeInclusive<usize>,
        live: [&Bitboard; 2],
        corners: CornerRule,
    ) {
        match corners {
            CornerRule::Strict => self.mark_strict(free, words, live),
            CornerRule::Cut => self.mark_cut(free, words, live),
        }
    }

    fn mark_strict(
        &mut self,
        free: &Bitboard,
        words: RangeInclusive<usize>,
        [east, west]: [&Bitboard; 2],
    ) {
        let per_row = free.words_per_row;
        let pairs = |at: usize| free.words[at] & (free.words[at] >> 1 | free.words[at + 1] << 63);
        // Those of the word before.
        let mut square_before = self.squares.words[words.start() - 1];
        let mut above_before = self.squares.words[words.start() - 1 - per_row];
        for at in words {
            let square = pairs(at) & pairs(at + per_row);
            let above = self.squares.words[at - per_row];
            self.squares.words[at] = square;
            let legal = [
                above,
                square,
                square << 1 | square_before >> 63,
                above << 1 | above_before >> 63,
            ];
            self.set(
                at,
                legal.map(|legal| !legal),
                east.words[at],
                west.words[at],
            );
            (square_before, above_before) = (square, above);
        }
    }

    fn mark_cut(
        &mut self,
        free: &Bitboard,
        words: RangeInclusive<usize>,
        [east, west]: [&Bitboard; 2],
    ) {
        let row = |at: usize| {
            let [before, here, after] = [at - 1, at, at + 1].map(|at| free.words[at]);
            // The cells of the row, those to the east of each, and those to the west.
            [here, here >> 1 | after << 63, here << 1 | before >> 63]
        };
        for at in words {
            let here = row(at);
            let above = row(at - free.words_per_row);
            let below = row(at + free.words_per_row);
            let stop = |next: [u64; 3], behind: [u64; 3], side: usize| {
                let back = 3 - side;
                !next[side] | !here[back] & next[back] | !behind[0] & behind[side]
            };
            let halts = [
                stop(above, below, 1),
                stop(below, above, 1),
                stop(below, above, 2),
                stop(above, below, 2),
            ];
            self.set(at, halts, east.words[at], west.words[at]);
        }
    }

    #[inline]
    fn set(&mut self, at: usize, halts: [u64; 4], east_live: u64, west_live: u64) {
        let lives = [east_live, east_live, west_live, west_live];
        for ((board, halts), live) in self.halts.iter_mut().zip(halts).zip(lives) {
            board.words[at] = halts | live;
        }
    }

    /// The halts of a floor on runs northeast, southeast, southwest and northwest.
    pub(crate) fn lanes(&self, floor: u8) -> [Lanes<'_>; 4] {
        self.halts.each_ref().map(|halts| halts.lanes(floor))
    }

    /// The squares of a floor by their upper left cells; only for [`CornerRule::Strict`].
    pub(crate) fn squares(&self, floor: u8) -> Lanes<'_> {
        self.squares.lanes(floor)
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let halts: usize = self.halts.iter().map(Bitboard::heap_bytes).sum();
        halts + self.squares.heap_bytes()
    }
}

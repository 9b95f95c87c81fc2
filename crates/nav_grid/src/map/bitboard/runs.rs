//! Bitboards of the cells at which diagonal scans for jump points end.

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DiagonalRuns {
    stops: [Bitboard; 4],
    /// The upper left cells of squares of four free ones, where the walker may not cut corners:
    /// it may go from any of them to any other.
    squares: Bitboard,
}

impl DiagonalRuns {
    /// Begins to become those of another board; all [boards](Self::boards) are to be filled up.
    pub(super) fn begin_reset(&mut self, size: Size, corners: CornerRule) {
        for board in self.boards(corners) {
            board.begin_reset(size);
        }
    }

    /// The boards in use under a corner rule.
    pub(super) fn boards(&mut self, corners: CornerRule) -> impl Iterator<Item = &mut Bitboard> {
        let squares = (corners == CornerRule::Strict).then_some(&mut self.squares);
        self.stops.iter_mut().chain(squares)
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
            let stops = [
                stop(above, below, 1),
                stop(below, above, 1),
                stop(below, above, 2),
                stop(above, below, 2),
            ];
            self.set(at, stops, east.words[at], west.words[at]);
        }
    }

    #[inline]
    fn set(&mut self, at: usize, stops: [u64; 4], east_live: u64, west_live: u64) {
        let lives = [east_live, east_live, west_live, west_live];
        for ((board, stops), live) in self.stops.iter_mut().zip(stops).zip(lives) {
            board.words[at] = stops | live;
        }
    }

    /// The stops of a floor on runs northeast, southeast, southwest and northwest.
    pub(crate) fn lanes(&self, floor: u8) -> [Lanes<'_>; 4] {
        self.stops.each_ref().map(|stops| stops.lanes(floor))
    }

    /// The squares of a floor by their upper left cells; only for [`CornerRule::Strict`].
    pub(crate) fn squares(&self, floor: u8) -> Lanes<'_> {
        self.squares.lanes(floor)
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let stops: usize = self.stops.iter().map(Bitboard::heap_bytes).sum();
        stops + self.squares.heap_bytes()
    }
}

//! Bitboards of the cells at which diagonal scans for jump points end.

use super::board::Bitboard;
use crate::rules::CornerRule;
use std::ops::RangeInclusive;

/// The cells at which runs northeast, southeast, southwest and northwest must stop.
///
/// A run stops where its next step is not legal, where a scan along the row in its direction ends
/// at a jump point, and where it has just cut a corner: the step there opens a way that no other
/// step opens.
///
/// # Memory
///
/// Four bits a cell, and one more under [`CornerRule::Strict`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DiagonalRuns {
    pub(super) stops: [Bitboard; 4],
    /// The upper left cells of squares of four free cells, under [`CornerRule::Strict`]: the walker
    /// may step from any of the four to any other.
    pub(super) squares: Bitboard,
}

impl DiagonalRuns {
    /// The boards in use under a corner rule.
    pub(super) fn boards(&mut self, corners: CornerRule) -> impl Iterator<Item = &mut Bitboard> {
        let squares = (corners == CornerRule::Strict).then_some(&mut self.squares);
        self.stops.iter_mut().chain(squares)
    }

    /// Updates words of a row, from the free cells and the cells with live scans east and west.
    /// After an edit it must be called for the rows of its area and the rows beside, from the top
    /// down.
    pub(super) fn mark(
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
        // A diagonal step is legal if both its ends and both corners, a square of four, are free.
        let per_row = free.words_per_row;
        let pairs = |at: usize| free.words[at] & (free.words[at] >> 1 | free.words[at + 1] << 63);
        // Squares of the word before.
        let mut square_before = self.squares.words[words.start() - 1];
        let mut above_before = self.squares.words[words.start() - 1 - per_row];
        for at in words {
            let square = pairs(at) & pairs(at + per_row);
            let above = self.squares.words[at - per_row];
            self.squares.words[at] = square;
            let square_west = square << 1 | square_before >> 63;
            let above_west = above << 1 | above_before >> 63;
            let stops = [above, square, square_west, above_west].map(|legal| !legal);
            self.set(at, stops, east.words[at], west.words[at]);
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
            // The cells of the row, the cells to the east of each, and the cells to the west.
            [here, here >> 1 | after << 63, here << 1 | before >> 63]
        };
        for at in words {
            let here = row(at);
            let above = row(at - free.words_per_row);
            let below = row(at + free.words_per_row);
            // The next cell is a wall; or a wall behind, or beside, opens a turn that only this
            // cell has.
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

    fn set(&mut self, at: usize, stops: [u64; 4], east_live: u64, west_live: u64) {
        let lives = [east_live, east_live, west_live, west_live];
        for ((board, stops), live) in self.stops.iter_mut().zip(stops).zip(lives) {
            board.words[at] = stops | live;
        }
    }
}

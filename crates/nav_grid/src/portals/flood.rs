//! Which cells a leg may come to, row after row.

use super::leg::{Frame, Open};
use crate::{Cell, CornerRule};

/// The steps of a leg, as masks.
struct Steps {
    /// Whether it goes straight east.
    runs: bool,
    /// All bits if it goes straight down.
    drops: u64,
    /// All bits if it goes aslant.
    turns: u64,
    /// All bits unless both cells beside a diagonal step must be free.
    ask: u64,
}

impl Steps {
    #[inline]
    fn new(open: &Open<'_>, frame: &Frame) -> Self {
        let diagonals = open.diagonal > 0;
        let all = |yes: bool| u64::from(yes).wrapping_neg();
        Self {
            runs: !diagonals || !frame.steep,
            drops: all(!diagonals || frame.steep),
            turns: all(diagonals),
            ask: all(open.corners == CornerRule::Cut),
        }
    }
}

/// Finds the cells that a leg of less than 64 columns may come to, row after row, and whether
/// its end is one of them.
#[inline]
pub(super) fn flood_word(open: &Open<'_>, frame: &Frame, mut visit: impl FnMut(u64)) -> bool {
    let steps = Steps::new(open, frame);
    let run = |row: u64, free: u64| {
        if steps.runs {
            // A carry runs along the free cells to the east of every set one, to a wall.
            row | free & !free.wrapping_add(row)
        } else {
            row
        }
    };
    let Cell { x, y, floor } = frame.west;
    let mut words = open.board.column_from(x, y, floor, frame.up);
    let mut free = words.next().unwrap_or(0);
    let mut row = run(1, free);
    visit(row);
    for below in words.take(frame.rows) {
        let leaving = row & (free >> 1 & below | steps.ask) & steps.turns;
        row = (row & steps.drops | leaving << 1) & below;
        if row == 0 {
            return false;
        }
        row = run(row, below);
        visit(row);
        free = below;
    }
    row >> frame.columns & 1 == 1
}

/// As [`flood_word`], for as many columns as some words have.
pub(super) fn flood_words<const WORDS: usize>(
    open: &Open<'_>,
    frame: &Frame,
    mut visit: impl FnMut(&[u64; WORDS]),
) -> bool {
    let steps = Steps::new(open, frame);
    let mut free: [u64; WORDS] = frame.load(open, 0);
    let mut row = [0; WORDS];
    row[0] = 1;
    if steps.runs {
        run_east(&mut row, &free);
    }
    visit(&row);
    for index in 1..=frame.rows {
        let below: [u64; WORDS] = frame.load(open, index);
        let mut any = 0;
        let mut carry = 0;
        for word in 0..WORDS {
            let here = row[word];
            let next_free = free.get(word + 1).map_or(0, |next| next << 63);
            let beside = (free[word] >> 1 | next_free) & below[word] | steps.ask;
            let leaving = here & beside & steps.turns;
            row[word] = (here & steps.drops | leaving << 1 | carry) & below[word];
            carry = leaving >> 63;
            any |= row[word];
        }
        if any == 0 {
            return false;
        }
        if steps.runs {
            run_east(&mut row, &below);
        }
        visit(&row);
        free = below;
    }
    row[frame.columns / 64] >> (frame.columns % 64) & 1 == 1
}

/// Adds the free cells to the east of the set ones, without gaps.
#[inline]
fn run_east<const WORDS: usize>(row: &mut [u64; WORDS], free: &[u64; WORDS]) {
    let mut carry = false;
    for (row, &free) in row.iter_mut().zip(free) {
        // A carry runs along the free cells to the east of every set one, and stops at a wall.
        let (sum, over) = free.overflowing_add(*row);
        let (sum, over_too) = sum.overflowing_add(u64::from(carry));
        *row |= free & !sum;
        carry = over || over_too;
    }
}

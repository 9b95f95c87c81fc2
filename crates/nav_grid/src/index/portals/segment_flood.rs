//! Which cells a leg may come to, row after row.

use super::segment_frame::{SegmentFrame, SegmentGround};
use crate::rules::CornerRule;

/// Finds the cells that a leg may come to on its way to the end, row after row, and whether the
/// end is one of them. `visit` is called with those of each row, and with those of them that a
/// diagonal step leads to.
///
/// From row to row bits stand for cells one column further east if the frame `LEANS`. A leg that
/// `RUNS` goes straight east. One that does not lean goes straight down as well, and not aslant;
/// one that does not run goes straight down, and aslant.
#[inline]
pub(crate) fn flood<const WORDS: usize, const LEANS: bool, const RUNS: bool>(
    open: &SegmentGround<'_>,
    frame: &SegmentFrame,
    mut visit: impl FnMut(&[u64; WORDS], &[u64; WORDS]),
) -> bool {
    let x = i32::from(frame.west.x) - frame.begin as i32;
    let mut rows = open
        .board
        .slanted::<WORDS>(x, frame.west, frame.up, LEANS.into());
    let bounds = between::<WORDS>(frame.first, frame.last);
    // All bits unless both cells beside a diagonal step must be free.
    let ask = u64::from(open.corners == CornerRule::Cut).wrapping_neg();
    let mut free = rows();
    let mut row = [0; WORDS];
    row[frame.begin / 64] = 1 << (frame.begin % 64);
    if RUNS {
        run_east(&mut row, &free);
        row = each(|word| row[word] & bounds[word]);
    }
    visit(&row, &[0; WORDS]);
    for index in 1..=frame.rows {
        let below = rows();
        let mut turned = [0; WORDS];
        if LEANS || !RUNS {
            let (east, west) = (down(&free), if LEANS { up(&below) } else { below });
            let leaving: [u64; WORDS] = each(|word| row[word] & (east[word] & west[word] | ask));
            let leaving: [u64; WORDS] = if LEANS { leaving } else { up(&leaving) };
            turned = each(|word| leaving[word] & below[word]);
        }
        if LEANS && RUNS {
            row = turned;
        } else {
            let dropped = if LEANS { down(&row) } else { row };
            row = each(|word| dropped[word] & below[word] | turned[word]);
        }
        if RUNS {
            run_east(&mut row, &below);
        }
        row = each(|word| row[word] & bounds[word]);
        if !LEANS && !RUNS && index + frame.columns > frame.rows {
            // Further west than that the end is missed.
            let near = between::<WORDS>(index + frame.columns - frame.rows, frame.last);
            row = each(|word| row[word] & near[word]);
        }
        if row.iter().fold(0, |any, word| any | word) == 0 {
            return false;
        }
        visit(&row, &turned);
        free = below;
    }
    row[frame.end / 64] >> (frame.end % 64) & 1 == 1
}

#[inline]
fn each<const WORDS: usize>(word: impl FnMut(usize) -> u64) -> [u64; WORDS] {
    std::array::from_fn(word)
}

/// The bits from one to another.
#[inline]
fn between<const WORDS: usize>(first: usize, last: usize) -> [u64; WORDS] {
    each(|word| {
        let (low, high) = (word * 64, word * 64 + 63);
        if last < low || first > high {
            return 0;
        }
        let from = first.saturating_sub(low);
        u64::MAX << from & u64::MAX >> high.saturating_sub(last)
    })
}

/// All bits one place higher.
#[inline]
fn up<const WORDS: usize>(words: &[u64; WORDS]) -> [u64; WORDS] {
    each(|word| {
        let carry = if word > 0 { words[word - 1] >> 63 } else { 0 };
        words[word] << 1 | carry
    })
}

/// All bits one place lower.
#[inline]
fn down<const WORDS: usize>(words: &[u64; WORDS]) -> [u64; WORDS] {
    each(|word| words[word] >> 1 | words.get(word + 1).map_or(0, |next| next << 63))
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

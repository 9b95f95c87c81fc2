//! Some rows of a bitboard, for one thread to write while others write theirs.

use super::board::Bitboard;
use crate::bits::{around_in, joined};
use std::ops::Range;

/// Some rows of a floor, to be written by one thread while others write theirs.
///
/// What lies outside is not set, like what lies off the map.
#[derive(Debug)]
pub(crate) struct BoardBand<'a> {
    /// From the first row on; behind the last row of a floor there is its border.
    words: &'a mut [u64],
    words_per_row: usize,
    rows: Range<u16>,
}

impl Bitboard {
    /// All rows of each floor.
    pub(crate) fn floors(&mut self) -> impl Iterator<Item = BoardBand<'_>> {
        let (words_per_row, rows) = (self.words_per_row, self.rows_per_floor);
        let first = self.bit(0, 0, 0) / 64;
        let words = self.words.get_mut(first..).unwrap_or_default();
        // What is left over behind the last floor is less than one.
        let floors = words.chunks_exact_mut((words_per_row * rows).max(1));
        floors.map(move |words| BoardBand {
            words,
            words_per_row,
            rows: 0..(rows - 1) as u16,
        })
    }
}

impl BoardBand<'_> {
    pub(crate) const fn rows(&self) -> &Range<u16> {
        &self.rows
    }

    /// The rows before one and those from it on.
    pub(crate) fn cut(self, row: u16) -> (Self, Self) {
        let row = row.clamp(self.rows.start, self.rows.end);
        let at = usize::from(row - self.rows.start) * self.words_per_row;
        let (words, more) = self.words.split_at_mut(at);
        let words_per_row = self.words_per_row;
        let before = Self {
            words,
            words_per_row,
            rows: self.rows.start..row,
        };
        let behind = Self {
            words: more,
            words_per_row,
            rows: row..self.rows.end,
        };
        (before, behind)
    }

    /// Position of the bit for a cell of these rows.
    #[inline]
    fn bit(&self, x: u16, y: u16) -> usize {
        usize::from(y.wrapping_sub(self.rows.start)) * self.words_per_row * 64 + usize::from(x)
    }

    #[inline]
    pub(crate) fn get(&self, x: u16, y: u16) -> bool {
        let bit = self.bit(x, y);
        let word = self.words.get(bit / 64);
        word.is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    #[inline]
    pub(crate) fn set(&mut self, x: u16, y: u16, value: bool) {
        let bit = self.bit(x, y);
        if let Some(word) = self.words.get_mut(bit / 64) {
            *word = *word & !(1 << (bit % 64)) | u64::from(value) << (bit % 64);
        }
    }

    /// The eight bits around a cell, as [`Bitboard::around`].
    #[inline]
    pub(crate) fn around(&self, x: u16, y: u16) -> u8 {
        // Before the first word of a slice comes the last one there can be, which it has not.
        let left = self.bit(x, y).wrapping_sub(1);
        let row = self.words_per_row;
        let (word, shift) = ((left as isize >> 6) as usize, left % 64);
        let at = |word: usize| self.words.get(word).copied().unwrap_or(0);
        let three = |word: usize| {
            // All three are mostly in one word.
            let bits = if shift <= 61 {
                at(word) >> shift
            } else {
                joined(at(word), at(word.wrapping_add(1)), shift)
            };
            (bits & 0b111) as u16
        };
        let (above, below) = (word.wrapping_sub(row), word.wrapping_add(row));
        around_in([three(above), three(word), three(below)]) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::size::Size;

    #[test]
    fn bands_see_what_the_board_sees_as_far_as_they_reach() {
        for (width, height, floors) in [(1, 1, 1), (63, 9, 2), (64, 7, 1), (130, 20, 3)] {
            let mut board = Bitboard::new(Size::new(width, height).with_floors(floors));
            for floor in 0..floors {
                for y in 0..height {
                    for x in 0..width {
                        let set = (x * 31 + y * 17 + u16::from(floor) * 7) % 3 == 0;
                        board.set(x, y, floor, set);
                    }
                }
            }
            let whole = board.clone();
            let mut count = 0;
            for (floor, band) in (0..).zip(board.floors()) {
                count += 1;
                let middle = height / 2;
                let (above, below) = band.cut(middle);
                assert_eq!(
                    (above.rows(), below.rows()),
                    (&(0..middle), &(middle..height))
                );
                for y in 0..height {
                    let band = if y < middle { &above } else { &below };
                    for x in 0..width {
                        assert_eq!(band.get(x, y), whole.get(x, y, floor));
                        let mut around = whole.around(x, y, floor);
                        if y == middle {
                            around &= !0b0000_0111;
                        }
                        if y + 1 == middle {
                            around &= 0b0001_1111;
                        }
                        assert_eq!(band.around(x, y), around, "{x},{y} on {floor}");
                    }
                }
            }
            assert_eq!(count, floors);
        }
    }

    #[test]
    fn what_bands_set_is_on_the_board() {
        let mut board = Bitboard::new(Size::new(70, 10).with_floors(2));
        for (floor, band) in (0_u16..).zip(board.floors()) {
            let (mut above, mut below) = band.cut(4);
            above.set(69, 3, true);
            below.set(floor, 4, true);
            // Somebody else's row.
            above.set(0, 5, true);
            below.set(0, 3, true);
        }
        let set = [(69, 3, 0), (0, 4, 0), (69, 3, 1), (1, 4, 1)];
        assert!(set.iter().all(|&(x, y, floor)| board.get(x, y, floor)));
        assert_eq!(board.count_ones(), set.len() as u64);
    }
}

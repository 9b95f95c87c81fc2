//! The rows of a board as lanes of bits to read, and transposition, which makes columns rows.

use super::board::Bitboard;
use crate::{
    bits::{BitSquare, widely},
    map::size::Area,
};

/// The rows of a floor, each a lane of bits with a border on all sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes<'a> {
    pub(super) words: &'a [u64],
    /// The first bit of lane 0.
    pub(super) first: usize,
    pub(super) stride: usize,
}

impl Lanes<'_> {
    /// The number of a bit. Lanes and bits may be -1, as a number below 0 wraps to, or one
    /// behind the last.
    #[inline]
    pub(crate) fn bit(self, lane: u32, along: u32) -> usize {
        let lane = lane as i32 as isize * self.stride as isize;
        self.first.wrapping_add_signed(lane + along as i32 as isize)
    }

    /// Bits from one lane to the next.
    #[inline]
    pub(crate) fn stride(self) -> usize {
        self.stride
    }

    /// One bit by number.
    #[inline]
    pub(crate) fn get(self, bit: usize) -> bool {
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The distance from `bit` to the next set bit above it, which must exist.
    #[inline]
    pub(crate) fn next_above(self, bit: usize) -> usize {
        let first = bit + 1;
        let mut word = first / 64;
        let bits = self.words[word] >> (first % 64);
        if bits != 0 {
            return 1 + bits.trailing_zeros() as usize;
        }
        loop {
            word += 1;
            let bits = self.words[word];
            if bits != 0 {
                return word * 64 + bits.trailing_zeros() as usize - bit;
            }
        }
    }

    /// The distance from `bit` to the next set bit below it, which must exist.
    #[inline]
    pub(crate) fn next_below(self, bit: usize) -> usize {
        let first = bit - 1;
        let mut word = first / 64;
        let bits = self.words[word] << (63 - first % 64);
        if bits != 0 {
            return 1 + bits.leading_zeros() as usize;
        }
        loop {
            word -= 1;
            let bits = self.words[word];
            if bits != 0 {
                return bit - (word * 64 + 63 - bits.leading_zeros() as usize);
            }
        }
    }
}

impl Bitboard {
    /// Makes this board, of a transposed map, the transposition of `source`, for the
    /// tiles of 64×64 cells that an area touches.
    pub(crate) fn transpose(&mut self, source: &Self, area: Area) {
        let (first, last) = (area.first(), area.last());
        let floor = first.floor;
        for top in (first.y / 64..=last.y / 64).map(|tile| tile * 64) {
            for left in (first.x / 64..=last.x / 64).map(|tile| tile * 64) {
                let mut tile = [0; 64];
                // Rows behind the last one are left zero, and are not written below.
                let rows = source.rows_per_floor - 1 - usize::from(top);
                let start = source.bit(left, top, floor) / 64;
                let words = source.words[start..].iter().step_by(source.words_per_row);
                for (to, &word) in tile[..rows.min(64)].iter_mut().zip(words) {
                    *to = word;
                }
                widely(BitSquare(&mut tile));
                let columns = self.rows_per_floor - 1 - usize::from(left);
                let start = self.bit(top, left, floor) / 64;
                let row = self.words_per_row;
                let words = self.words[start..].iter_mut().step_by(row);
                for (&word, to) in tile[..columns.min(64)].iter().zip(words) {
                    *to = word;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cell::Cell, map::size::Size};

    #[test]
    fn transposing_twice_round_trips() {
        for size in [
            Size::new(1, 70),
            Size::new(63, 64).with_floors(2),
            Size::new(200, 130),
        ] {
            let mut board = Bitboard::new(size);
            for cell in size.floor_areas().flat_map(Area::cells) {
                let hole = (cell.x * 31 + cell.y * 17 + u16::from(cell.floor) * 7) % 23 == 0;
                board.set(cell.x, cell.y, cell.floor, !hole);
            }
            let side = Size::new(size.height, size.width).with_floors(size.floors);
            let (mut mirrored, mut back) = (Bitboard::new(side), Bitboard::new(size));
            for floor in 0..size.floors {
                let whole = |size: Size| size.floor_area(floor);
                mirrored.transpose(&board, whole(size));
                for Cell { x, y, .. } in whole(size).cells() {
                    assert_eq!(mirrored.get(y, x, floor), board.get(x, y, floor));
                }
                back.transpose(&mirrored, whole(side));
            }
            assert_eq!(back, board);
        }
    }
}

//! Rows of bits with a zero border, the storage under every map layer.

use super::lanes::Lanes;
use crate::{
    bits::{around_in, joined, read},
    cell::Cell,
    map::{
        shift::Shift,
        size::{Area, Size},
    },
    rules::Footprint,
};
use std::ops::Range;

/// One bit per cell, row after row, each row followed by at least one zero bit and each floor
/// framed by zero rows above and below.
///
/// The border lets a search read the three bits around any cell, or 64 bits to either side of
/// it, without a bounds check: outside is not set. A row's trailing zeros double as the left border
/// of the next row.
// Decision 2: docs/decisions/0002-maps-are-bitboards-with-layers.md
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bitboard {
    pub(super) words: Vec<u64>,
    pub(crate) words_per_row: usize,
    pub(super) rows_per_floor: usize,
    floors: u8,
}

impl Bitboard {
    pub(crate) fn new(size: Size) -> Self {
        let mut board = Self::default();
        board.reset(size);
        board
    }

    /// Becomes an empty board of another size, and reuses the memory.
    pub(crate) fn reset(&mut self, size: Size) {
        self.begin_reset(size);
        self.fill_up(usize::MAX, 0);
    }

    /// Begins to become a board of another size. [`fill_up`](Self::fill_up) adds the words.
    pub(crate) fn begin_reset(&mut self, size: Size) {
        self.words_per_row = usize::from(size.width) / 64 + 1;
        self.rows_per_floor = usize::from(size.height) + 1;
        self.floors = size.floors;
        self.words.clear();
        self.words.reserve_exact(self.len());
    }

    /// The number of words: a border row above the first floor, and a word before and behind
    /// everything for reads that run past the ends of the border rows.
    fn len(&self) -> usize {
        let rows = usize::from(self.floors) * self.rows_per_floor + 1;
        1 + rows * self.words_per_row + 1
    }

    /// Adds `count` words to a board whose reset has begun. Returns whether it is complete.
    pub(crate) fn fill_up(&mut self, count: usize, word: u64) -> bool {
        let len = self.words.len().saturating_add(count).min(self.len());
        self.words.resize(len, word);
        len == self.len()
    }

    /// A floor as lanes of bits, one a row.
    #[inline]
    pub(crate) fn lanes(&self, floor: u8) -> Lanes<'_> {
        Lanes {
            words: &self.words,
            first: self.bit(0, 0, floor),
            stride: self.words_per_row * 64,
        }
    }

    /// The words of the rows of each floor, with the border row below.
    pub(crate) fn floors_mut(&mut self) -> impl Iterator<Item = &mut [u64]> {
        let words_per_floor = self.words_per_row * self.rows_per_floor;
        let first = self.bit(0, 0, 0) / 64;
        // The rest behind the last floor is a single word, which is no floor.
        self.words[first..].chunks_exact_mut(words_per_floor)
    }

    /// Position of the bit for a cell; column -1 and one row beyond either end are border.
    #[inline]
    pub(super) fn bit(&self, x: u16, y: u16, floor: u8) -> usize {
        let row = usize::from(floor) * self.rows_per_floor + usize::from(y) + 1;
        (1 + row * self.words_per_row) * 64 + usize::from(x)
    }

    /// Position of the bit for a column that may be negative.
    #[inline]
    fn bit_from(&self, x: i32, y: u16, floor: u8) -> usize {
        self.bit(0, y, floor).wrapping_add_signed(x as isize)
    }

    #[inline]
    pub(crate) fn get(&self, x: u16, y: u16, floor: u8) -> bool {
        let bit = self.bit(x, y, floor);
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Sets one bit and returns its previous value.
    #[inline]
    pub(crate) fn set(&mut self, x: u16, y: u16, floor: u8, value: bool) -> bool {
        let bit = self.bit(x, y, floor);
        let word = &mut self.words[bit / 64];
        let before = *word >> (bit % 64) & 1 == 1;
        *word = *word & !(1 << (bit % 64)) | u64::from(value) << (bit % 64);
        before
    }

    /// The eight bits around a cell in reading order: bit 0 is the upper-left one, bit 3 the
    /// left one, bit 7 the lower-right one.
    #[inline]
    pub(crate) fn around(&self, x: u16, y: u16, floor: u8) -> u8 {
        let left = self.bit(x, y, floor) - 1;
        let row = self.words_per_row;
        let (word, shift) = (left / 64, left % 64);
        let three = |word: usize| {
            let bits = joined(self.words[word], self.words[word + 1], shift);
            (bits & 0b111) as u16
        };
        around_in([three(word - row), three(word), three(word + row)]) as u8
    }

    /// The words that hold a row, from column 0; bits past the width are zero.
    pub(crate) fn row(&self, y: u16, floor: u8) -> &[u64] {
        &self.words[self.bit(0, y, floor) / 64..][..self.words_per_row]
    }

    /// The words of a row, to write. Bits past the width must stay zero.
    pub(crate) fn row_mut(&mut self, y: u16, floor: u8) -> &mut [u64] {
        let start = self.bit(0, y, floor) / 64;
        &mut self.words[start..][..self.words_per_row]
    }

    /// The first 16 bits of a row from column `x`, which may be -1. Bits past the right border
    /// belong to the next row.
    #[inline]
    pub(crate) fn strip(&self, x: i32, y: u16, floor: u8) -> u16 {
        read(&self.words, self.bit_from(x, y, floor)) as u16
    }

    /// For `count` rows from `y`, the 64 bits from column `x`. The last row may be one behind the
    /// map, and the column up to 64 before it. Bits past the borders belong to other rows.
    #[inline]
    pub(crate) fn words_from(
        &self,
        x: i32,
        y: u16,
        floor: u8,
        count: usize,
    ) -> impl Iterator<Item = u64> + '_ {
        let bit = self.bit_from(x, y, floor);
        let shift = bit % 64;
        let mut at = bit / 64;
        (0..count).map(move |_| {
            let (low, high) = (self.words[at], self.words[at + 1]);
            at += self.words_per_row;
            joined(low, high, shift)
        })
    }

    /// A function that returns `WORDS` words from column `x` of row `y` first, and with each
    /// further call those one row below or above, `lean` columns further right.
    ///
    /// The column may lie left of the map. Bits past the borders belong to other rows.
    #[inline]
    pub(crate) fn slanted<const WORDS: usize>(
        &self,
        x: i32,
        Cell { y, floor, .. }: Cell,
        up: bool,
        lean: usize,
    ) -> impl FnMut() -> [u64; WORDS] + '_ {
        let mut bit = self.bit_from(x, y, floor);
        let row = self.words_per_row * 64;
        let further = if up { row.wrapping_neg() } else { row }.wrapping_add(lean);
        move || {
            let (first, shift) = (bit / 64, bit % 64);
            bit = bit.wrapping_add(further);
            let mut words = [0; WORDS];
            if let Some(row) = self.words.get(first..first.wrapping_add(WORDS + 1)) {
                for (index, word) in words.iter_mut().enumerate() {
                    *word = joined(row[index], row[index + 1], shift);
                }
            } else {
                let word = |index: usize| self.words.get(first.wrapping_add(index)).copied();
                for (index, out) in words.iter_mut().enumerate() {
                    let (low, high) = (word(index).unwrap_or(0), word(index + 1).unwrap_or(0));
                    *out = joined(low, high, shift);
                }
            }
            words
        }
    }

    /// The bits that decide where a body at `cell` can go next: `side + 2` rows of them from the
    /// one above, each from the column to the left. Bits outside the map are zero.
    #[inline]
    pub(crate) fn rows_around(&self, cell: Cell, footprint: Footprint, size: Size) -> BodyRows {
        let mut rows = BodyRows::default();
        let count = usize::from(footprint.side()) + 2;
        // One column more than from here to the right border, since the strip begins left.
        let mask = match size.width - cell.x + 1 {
            columns @ ..16 => !(u16::MAX << columns),
            _ => u16::MAX,
        };
        for (row, y) in rows[..count].iter_mut().zip(i32::from(cell.y) - 1..) {
            if (0..i32::from(size.height)).contains(&y) {
                *row = self.strip(i32::from(cell.x) - 1, y as u16, cell.floor) & mask;
            }
        }
        rows
    }

    /// Sets all bits of an area of the map and returns the number of changed bits.
    pub(crate) fn fill(&mut self, area: Area, value: bool) -> u32 {
        let (first, last) = (area.first(), area.last());
        let mut changed = 0;
        for y in first.y..=last.y {
            let row = self.bit(0, y, first.floor) / 64;
            for (word, mask) in words_of(area) {
                let bits = &mut self.words[row + word];
                let filled = if value { *bits | mask } else { *bits & !mask };
                changed += (filled ^ *bits).count_ones();
                *bits = filled;
            }
        }
        changed
    }

    /// Sets the bits of `area` where squares of `side` cells, counted from their upper left cell,
    /// lie wholly on set bits of `source`, and clears the others.
    ///
    /// Also updates the bits beside the area in the same words.
    pub(crate) fn erode(&mut self, source: &Self, side: u8, area: Area) {
        let (first, last) = (area.first(), area.last());
        for y in first.y..=last.y {
            for word in usize::from(first.x / 64)..=usize::from(last.x / 64) {
                let at = self.bit(0, y, first.floor) / 64 + word;
                self.words[at] = source.eroded_at(at, side);
            }
        }
    }

    /// Fills rows of this board, empty and of the size of an area, from that area of another board.
    pub(crate) fn copy(&mut self, source: &Self, area: Area, rows: Range<u16>) {
        let (first, last) = (area.first(), area.last());
        let width = u32::from(last.x - first.x) + 1;
        if self.words_per_row == 1 {
            let top = first.y + rows.start;
            let words = source.words_from(first.x.into(), top, first.floor, rows.len());
            let to = self.bit(0, rows.start, 0) / 64;
            for (to, word) in self.words[to..].iter_mut().zip(words) {
                *to = word & inside(width, 0);
            }
            return;
        }
        for to in rows {
            let start = source.bit(first.x, first.y + to, first.floor);
            for (index, word) in self.row_mut(to, 0).iter_mut().enumerate() {
                // The last word may be border alone, behind which the source may end.
                if width as usize > index * 64 {
                    *word = read(&source.words, start + index * 64) & inside(width, index);
                }
            }
        }
    }

    /// Fills rows of this board, of `width` columns, with the places where squares of `side`
    /// cells, counted from their upper left cell, lie on set bits of a board at least as large.
    pub(crate) fn erode_from(&mut self, source: &Self, side: u8, width: u16, rows: Range<u16>) {
        for y in rows {
            for (index, word) in self.row_mut(y, 0).iter_mut().enumerate() {
                *word = source.eroded_word(index, y, 0, side) & inside(width.into(), index);
            }
        }
    }

    /// The word of a row that says where squares of `side` cells, counted from their upper left
    /// cell, lie wholly on set bits.
    pub(crate) fn eroded_word(&self, word: usize, y: u16, floor: u8, side: u8) -> u64 {
        self.eroded_at(self.bit(0, y, floor) / 64 + word, side)
    }

    fn eroded_at(&self, at: usize, side: u8) -> u64 {
        let mut bits = u64::MAX;
        // The border rows and the zero behind each row end every square that sticks out, before
        // a read reaches another floor or row.
        for row in 0..usize::from(side) {
            let at = at + row * self.words_per_row;
            let (here, next) = (self.words[at], self.words[at + 1]);
            for shift in 0..usize::from(side) {
                bits &= joined(here, next, shift);
            }
            if bits == 0 {
                break;
            }
        }
        bits
    }

    /// The board moved by whole words and rows, as a window is. Nothing is set where cells enter.
    pub(crate) fn shifted(&self, size: Size, by: Shift) -> Self {
        let mut moved = Self::new(size);
        let (_, rows) = by.in_cells();
        for (y, floor) in size.rows() {
            let from = u16::try_from(i32::from(y) + rows).ok();
            let Some(from) = from.filter(|&from| from < size.height) else {
                continue;
            };
            let row = self.row(from, floor);
            for (word, to) in moved.row_mut(y, floor).iter_mut().enumerate() {
                let from = word.checked_add_signed(by.columns.into());
                let bits = from.and_then(|from| row.get(from)).copied();
                *to = bits.unwrap_or(0) & inside(size.width.into(), word);
            }
        }
        moved
    }

    pub(crate) fn count_ones(&self) -> u64 {
        let words = self.words.iter();
        words.map(|word| u64::from(word.count_ones())).sum()
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}

/// The words of a row that hold columns of an area, and the bits of these columns.
pub(crate) fn words_of(area: Area) -> impl Iterator<Item = (usize, u64)> {
    let (first, last) = (area.first().x, area.last().x);
    (first / 64..=last / 64).map(move |word| {
        let column = word * 64;
        let from_first = u64::MAX << first.saturating_sub(column);
        let to_last = u64::MAX >> (63 - (last - column).min(63));
        (word.into(), from_first & to_last)
    })
}

/// The bits of a row's word that lie in the first `width` columns.
fn inside(width: u32, word: usize) -> u64 {
    match width.saturating_sub(word as u32 * 64) {
        left @ 0..64 => !(u64::MAX << left),
        _ => u64::MAX,
    }
}

/// Rows of up to 10 cells each, whose set bits are free: they decide where a body of up to 8×8 at
/// the second cell of the second row can go next.
pub(crate) type BodyRows = [u16; Footprint::SIDE_MAX as usize + 2];

/// The anchors around the second cell of the second row at which a body fits, in the order of
/// [`Bitboard::around`].
#[inline]
pub(crate) fn around(mut rows: BodyRows, footprint: Footprint) -> u8 {
    let side = usize::from(footprint.side());
    for row in &mut rows[..side + 2] {
        let cells = *row;
        for column in 1..side {
            *row &= cells >> column;
        }
    }
    let fits = |top: usize| {
        let rows = rows[top..top + side].iter();
        rows.fold(0b111, |fits, row| fits & row)
    };
    around_in([fits(0), fits(1), fits(2)]) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn around_in_reading_order() {
        // Columns 62..=65 straddle a word boundary.
        for x in [1, 30, 62, 63, 64, 65, 126] {
            for (index, (dx, dy)) in [
                (-1, -1),
                (0, -1),
                (1, -1),
                (-1, 0),
                (1, 0),
                (-1, 1),
                (0, 1),
                (1, 1),
            ]
            .into_iter()
            .enumerate()
            {
                let mut board = Bitboard::new(Size::new(128, 3));
                board.set((x + dx) as u16, (1 + dy) as u16, 0, true);
                assert_eq!(
                    board.around(x as u16, 1, 0),
                    1 << index,
                    "x {x}, ({dx}, {dy})"
                );
            }
        }
    }

    #[test]
    fn zero_border_stays() {
        for (width, height, floors) in [(1, 1, 1), (63, 2, 2), (64, 2, 1), (65, 3, 3)] {
            let size = Size::new(width, height).with_floors(floors);
            let mut board = Bitboard::new(size);
            for Cell { x, y, floor } in size.floor_areas().flat_map(Area::cells) {
                assert!(!board.set(x, y, floor, true));
            }
            assert_eq!(board.count_ones(), size.cells());
            for floor in 0..floors {
                assert_eq!(board.around(0, 0, floor) & 0b0010_1111 & !0b0001_0110, 0);
                let last = board.around(width - 1, height - 1, floor);
                assert_eq!(last & 0b1111_0100, 0, "{width}x{height}, floor {floor}");
            }
        }
    }

    /// A full board with single holes, some of them next to the ends of words.
    fn pattern(size: Size) -> Bitboard {
        let mut board = Bitboard::new(size);
        for Cell { x, y, floor } in size.floor_areas().flat_map(Area::cells) {
            let hole = (x * 31 + y * 17 + u16::from(floor) * 7) % 23 == 0;
            board.set(x, y, floor, !hole);
        }
        board
    }

    #[test]
    fn fill_sets_only_its_area() {
        let size = Size::new(200, 4).with_floors(2);
        for (left, right) in [(0, 0), (0, 199), (63, 64), (1, 62), (64, 127), (130, 140)] {
            let area = Area::new(Cell::new(left, 1).on_floor(1), Cell::new(right, 2));
            let mut board = Bitboard::new(size);
            let cells = u64::from(right - left + 1) * 2;
            assert_eq!(u64::from(board.fill(area, true)), cells);
            assert_eq!(board.count_ones(), cells);
            assert!(area.cells().all(|cell| board.get(cell.x, cell.y, 1)));
            assert_eq!(board.fill(area, true), 0);
            assert_eq!(u64::from(board.fill(area, false)), cells);
        }
    }

    #[test]
    fn erosion_marks_fitting_squares() {
        for size in [
            Size::new(63, 9),
            Size::new(64, 9),
            Size::new(130, 12).with_floors(2),
        ] {
            let board = pattern(size);
            for side in 1..=8 {
                let mut eroded = Bitboard::new(size);
                for floor in 0..size.floors {
                    let whole = size.floor_area(floor);
                    eroded.erode(&board, side, whole);
                    for cell in whole.cells() {
                        let Cell { x, y, .. } = cell;
                        let fits = (0..u16::from(side)).all(|dy| {
                            (0..u16::from(side)).all(|dx| {
                                x + dx < size.width
                                    && y + dy < size.height
                                    && board.get(x + dx, y + dy, floor)
                            })
                        });
                        assert_eq!(eroded.get(x, y, floor), fits, "{cell} at side {side}");
                    }
                }
            }
        }
    }
}

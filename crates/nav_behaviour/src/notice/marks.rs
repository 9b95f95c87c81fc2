//! The cells of a floor that lie within range of somebody, a bit each.

use fixedbitset::FixedBitSet;
use nav_grid::{Cell, Size};

/// Squares of cells, marked in words of 8×8 cells: of a square around somebody few lines of memory are
/// touched. Clearing costs as much as marking did: the words of the same squares, not those of the whole
/// floor.
#[derive(Default)]
pub(super) struct Marks {
    width: u16,
    height: u16,
    words_per_row: usize,
    words: Vec<u64>,
    /// The words in which something is marked: few enough bits to stay in the nearest cache, so that of many
    /// cells far from everybody no word is read.
    used: FixedBitSet,
    marked: Vec<Square>,
}

/// The first and last rows and columns of words.
#[derive(Clone, Copy)]
struct Square {
    rows: (u16, u16),
    columns: (u16, u16),
}

/// Columns and rows of a word, as a shift.
const WORD: u16 = 3;

/// The first column of all rows of a word.
const COLUMN: u64 = 0x0101_0101_0101_0101;

impl Marks {
    /// Nothing is marked afterwards, on a floor of a map of this size.
    pub(super) fn clear(&mut self, size: Size) {
        if (self.width, self.height) != (size.width, size.height) {
            let words_per_row = usize::from(size.width).div_ceil(1 << WORD);
            let rows = usize::from(size.height).div_ceil(1 << WORD);
            *self = Self {
                width: size.width,
                height: size.height,
                words_per_row,
                words: vec![0; words_per_row * rows],
                used: FixedBitSet::with_capacity(words_per_row * rows),
                marked: Vec::new(),
            };
        }
        for Square { rows, columns } in self.marked.drain(..) {
            for row in rows.0..=rows.1 {
                let row = usize::from(row) * self.words_per_row;
                let words = row + usize::from(columns.0)..row + usize::from(columns.1) + 1;
                self.used.set_range(words.clone(), false);
                self.words[words].fill(0);
            }
        }
    }

    /// Marks all cells within so many columns and rows of one.
    pub(super) fn mark(&mut self, cell: Cell, range: u16) {
        if cell.x >= self.width || cell.y >= self.height {
            return;
        }
        let span = |at: u16, side: u16| {
            (
                at.saturating_sub(range),
                at.saturating_add(range).min(side - 1),
            )
        };
        let (x, y) = (span(cell.x, self.width), span(cell.y, self.height));
        let square = Square {
            rows: (y.0 >> WORD, y.1 >> WORD),
            columns: (x.0 >> WORD, x.1 >> WORD),
        };
        self.marked.push(square);
        for row in square.rows.0..=square.rows.1 {
            let first = usize::from(row) * self.words_per_row;
            // All columns of the rows that are marked.
            let (from, to) = part(y, row);
            let rows = u64::MAX << (from * 8) & u64::MAX >> (56 - to * 8);
            let last = usize::from(square.columns.1) + 1;
            self.used
                .insert_range(first + usize::from(square.columns.0)..first + last);
            for column in square.columns.0..=square.columns.1 {
                let (from, to) = part(x, column);
                let columns = u64::from(u8::MAX << from & u8::MAX >> (7 - to));
                self.words[first + usize::from(column)] |= rows & (columns * COLUMN);
            }
        }
    }

    /// Whether a cell is marked. `false` off the map.
    #[inline]
    pub(super) fn has(&self, cell: Cell) -> bool {
        let row = usize::from(cell.y >> WORD) * self.words_per_row;
        let word = row + usize::from(cell.x >> WORD);
        let bit = ((cell.y & 7) << WORD) | (cell.x & 7);
        cell.x < self.width && self.used.contains(word) && self.words[word] >> bit & 1 != 0
    }
}

/// The part of a span of columns or rows that lies in a word.
const fn part((first, last): (u16, u16), word: u16) -> (u16, u16) {
    let from = if first >> WORD == word { first & 7 } else { 0 };
    let to = if last >> WORD == word { last & 7 } else { 7 };
    (from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_marked_and_cleared_as_cells_are() {
        let size = Size::new(200, 70);
        let mut marks = Marks::default();
        let squares = [
            (Cell::new(0, 0), 3),
            (Cell::new(63, 20), 0),
            (Cell::new(64, 30), 1),
            (Cell::new(100, 40), 70),
            (Cell::new(199, 69), 9),
            (Cell::new(5, 5), u16::MAX),
            (Cell::new(200, 5), 9),
        ];
        for &(center, range) in &squares {
            marks.clear(size);
            marks.mark(center, range);
            for y in 0..72 {
                for x in 0..210 {
                    let cell = Cell::new(x, y);
                    let is_on_map = size.contains(cell) && size.contains(center);
                    let expected = is_on_map && cell.chebyshev(center) <= range;
                    assert_eq!(marks.has(cell), expected, "{cell} from {center}, {range}");
                }
            }
        }
        marks.clear(size);
        assert!(marks.words.iter().all(|&word| word == 0));
        assert!(marks.used.is_clear());
    }
}

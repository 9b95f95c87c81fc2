//! The cells of a floor that lie within range of somebody, a bit each.

use nav_grid::{Cell, Size};

/// Squares of cells, marked in rows of words. Clearing costs as much as marking did: the words of the
/// same squares, not those of the whole floor.
#[derive(Default)]
pub(super) struct Marks {
    width: u16,
    height: u16,
    words_per_row: usize,
    words: Vec<u64>,
    marked: Vec<Square>,
}

/// Rows, and the words of each.
#[derive(Clone, Copy)]
struct Square {
    rows: (u16, u16),
    words: (u16, u16),
}

impl Marks {
    /// Nothing is marked afterwards, on a floor of a map of this size.
    pub(super) fn clear(&mut self, size: Size) {
        if (self.width, self.height) != (size.width, size.height) {
            *self = Self {
                width: size.width,
                height: size.height,
                words_per_row: usize::from(size.width).div_ceil(64),
                ..Self::default()
            };
            self.words = vec![0; self.words_per_row * usize::from(size.height)];
        }
        for square in self.marked.drain(..) {
            for y in square.rows.0..=square.rows.1 {
                let row = usize::from(y) * self.words_per_row;
                let words = row + usize::from(square.words.0)..=row + usize::from(square.words.1);
                self.words[words].fill(0);
            }
        }
    }

    /// Marks all cells within so many columns and rows of one.
    pub(super) fn mark(&mut self, cell: Cell, range: u16) {
        if cell.x >= self.width || cell.y >= self.height {
            return;
        }
        let first = (cell.x.saturating_sub(range), cell.y.saturating_sub(range));
        let last = (
            cell.x.saturating_add(range).min(self.width - 1),
            cell.y.saturating_add(range).min(self.height - 1),
        );
        let square = Square {
            rows: (first.1, last.1),
            words: (first.0 / 64, last.0 / 64),
        };
        self.marked.push(square);
        let (from, to) = (u64::MAX << (first.0 % 64), u64::MAX >> (63 - last.0 % 64));
        let words = usize::from(square.words.0)..=usize::from(square.words.1);
        for y in first.1..=last.1 {
            let row = usize::from(y) * self.words_per_row;
            if square.words.0 == square.words.1 {
                self.words[row + words.start()] |= from & to;
                continue;
            }
            self.words[row + words.start()] |= from;
            self.words[row + words.start() + 1..row + words.end()].fill(u64::MAX);
            self.words[row + words.end()] |= to;
        }
    }

    /// Whether a cell is marked. `false` off the map.
    #[inline]
    pub(super) fn has(&self, cell: Cell) -> bool {
        let word = usize::from(cell.y) * self.words_per_row + usize::from(cell.x / 64);
        cell.x < self.width
            && self
                .words
                .get(word)
                .is_some_and(|word| word >> (cell.x % 64) & 1 != 0)
    }
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
    }
}

//! A set of cells with a fast search for the n-th, for random draws.

use nav_grid::{Cell, Size};

/// A set of cells of a map, one bit each. Cells are numbered in reading order, floor by floor.
#[derive(Clone, Debug)]
pub(super) struct CellSet {
    size: Size,
    /// Words per row. The last one may have unused bits.
    row_words: usize,
    words: Vec<u64>,
    /// Cells in each row of all floors.
    row_counts: Vec<u32>,
    count: u64,
}

impl CellSet {
    /// Creates a set of `cells`, which are on a map of this size.
    pub(super) fn new(size: Size, cells: impl Iterator<Item = Cell>) -> Self {
        let rows = usize::from(size.height) * usize::from(size.floors);
        let row_words = usize::from(size.width).div_ceil(64);
        let mut set = Self {
            size,
            row_words,
            words: vec![0; rows * row_words],
            row_counts: vec![0; rows],
            count: 0,
        };
        for cell in cells {
            let (row, word, bit) = set.place(cell);
            if set.words[word] & bit == 0 {
                set.words[word] |= bit;
                set.row_counts[row] += 1;
                set.count += 1;
            }
        }
        set
    }

    /// Returns the number of cells. O(1).
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn contains(&self, cell: Cell) -> bool {
        let (_, word, bit) = self.place(cell);
        self.size.contains(cell) && self.words[word] & bit != 0
    }

    /// Removes a cell, if it is in the set.
    pub(super) fn remove(&mut self, cell: Cell) {
        if self.contains(cell) {
            let (row, word, bit) = self.place(cell);
            self.words[word] &= !bit;
            self.row_counts[row] -= 1;
            self.count -= 1;
        }
    }

    /// Returns the cell of number `n`. O(rows).
    pub(super) fn nth(&self, n: u64) -> Option<Cell> {
        let mut left = n;
        let row = self.row_counts.iter().position(|&count| {
            let here = left < u64::from(count);
            if !here {
                left -= u64::from(count);
            }
            here
        })?;
        let first = row * self.row_words;
        self.pick(
            (first..first + self.row_words).map(|word| (word, self.words[word])),
            left,
        )
    }

    /// Returns the number of cells from `min` to `max` columns or rows away from `centre`, on all
    /// floors.
    pub(super) fn count_in_ring(&self, centre: Cell, min: u16, max: u16) -> u64 {
        self.ring(centre, min, max)
            .map(|(_, bits)| u64::from(bits.count_ones()))
            .sum()
    }

    /// Returns the cell of number `n` of those in a ring.
    pub(super) fn nth_in_ring(&self, centre: Cell, min: u16, max: u16, n: u64) -> Option<Cell> {
        self.pick(self.ring(centre, min, max), n)
    }

    /// Returns row, word and bit of a cell.
    fn place(&self, cell: Cell) -> (usize, usize, u64) {
        let row = usize::from(cell.floor) * usize::from(self.size.height) + usize::from(cell.y);
        let word = row * self.row_words + usize::from(cell.x / 64);
        (row, word, 1 << (cell.x % 64))
    }

    /// Returns the words of a ring in reading order, masked to its cells.
    fn ring(&self, centre: Cell, min: u16, max: u16) -> impl Iterator<Item = (usize, u64)> + '_ {
        let height = usize::from(self.size.height);
        let first = usize::from(centre.y.saturating_sub(max));
        let end = (usize::from(centre.y) + usize::from(max) + 1).min(height);
        let rows = (0..usize::from(self.size.floors))
            .flat_map(move |floor| (first..end).map(move |y| (floor * height + y, y)));
        rows.flat_map(move |(row, y)| {
            let (x, inner) = (i32::from(centre.x), i32::from(min));
            let (left, right) = (x - i32::from(max), x + i32::from(max));
            // Rows above and below the hole are one piece, the others two. (0, -1) is empty.
            let pieces = if y.abs_diff(centre.y.into()) >= usize::from(min) {
                [(left, right), (0, -1)]
            } else {
                [(left, x - inner), (x + inner, right)]
            };
            pieces
                .into_iter()
                .flat_map(move |(from, to)| self.piece(row, from, to))
        })
    }

    /// Returns the words of columns `from` to `to` of a row, as far as they are on the map.
    fn piece(&self, row: usize, from: i32, to: i32) -> impl Iterator<Item = (usize, u64)> + '_ {
        let from = from.max(0) as usize;
        let end = (to + 1).clamp(0, self.size.width.into()) as usize;
        let words = from / 64..if from < end { end.div_ceil(64) } else { 0 };
        words.map(move |column| {
            let mut mask = u64::MAX;
            if column == from / 64 {
                mask <<= from % 64;
            }
            if column == end / 64 {
                mask &= !(u64::MAX << (end % 64));
            }
            let word = row * self.row_words + column;
            (word, self.words[word] & mask)
        })
    }

    /// Returns the cell of number `n` among the bits of `words`.
    fn pick(&self, words: impl Iterator<Item = (usize, u64)>, n: u64) -> Option<Cell> {
        let mut left = n;
        for (word, mut bits) in words {
            let here = u64::from(bits.count_ones());
            if left >= here {
                left -= here;
                continue;
            }
            // Clears the lowest bits before the wanted one.
            for _ in 0..left {
                bits &= bits - 1;
            }
            let row = word / self.row_words;
            let height = usize::from(self.size.height);
            let x = (word % self.row_words) as u16 * 64 + bits.trailing_zeros() as u16;
            let cell = Cell::new(x, (row % height) as u16);
            return Some(cell.on_floor((row / height) as u8));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some cells of two floors of 150×20, as a set and as a list.
    fn some_cells() -> (CellSet, Vec<Cell>) {
        let size = Size::new(150, 20).with_floors(2);
        let cells: Vec<Cell> = (0..2)
            .flat_map(|floor| (0..20).flat_map(move |y| (0..150).map(move |x| (x, y, floor))))
            .filter(|&(x, y, floor)| (x * 7 + y * 3 + u16::from(floor)) % 5 < 2)
            .map(|(x, y, floor)| Cell::new(x, y).on_floor(floor))
            .collect();
        (CellSet::new(size, cells.iter().copied()), cells)
    }

    #[test]
    fn reading_order() {
        let (set, cells) = some_cells();
        assert_eq!(set.count(), cells.len() as u64);
        for (n, &cell) in (0..).zip(&cells) {
            assert_eq!(set.nth(n), Some(cell));
            assert!(set.contains(cell));
        }
        assert_eq!(set.nth(set.count()), None);
        assert!(!set.contains(Cell::new(150, 0)) && !set.contains(Cell::new(0, 20)));
    }

    #[test]
    fn rings_equal_a_list() {
        let (set, cells) = some_cells();
        for centre in [(0, 0), (75, 10), (149, 19), (64, 3)] {
            let centre = Cell::new(centre.0, centre.1);
            for (min, max) in [(1, 1), (2, 5), (5, 20), (1, 200), (64, 70), (300, 400)] {
                let ring: Vec<Cell> = cells
                    .iter()
                    .filter(|cell| (min..=max).contains(&cell.chebyshev(centre)))
                    .copied()
                    .collect();
                assert_eq!(set.count_in_ring(centre, min, max), ring.len() as u64);
                for (n, &cell) in (0..).zip(&ring) {
                    assert_eq!(set.nth_in_ring(centre, min, max, n), Some(cell));
                }
                assert_eq!(set.nth_in_ring(centre, min, max, ring.len() as u64), None);
            }
        }
    }

    #[test]
    fn removed_cell() {
        let (mut set, cells) = some_cells();
        set.remove(cells[3]);
        set.remove(cells[3]);
        assert_eq!(set.count(), cells.len() as u64 - 1);
        assert!(!set.contains(cells[3]));
        assert_eq!(set.nth(3), Some(cells[4]));
    }
}

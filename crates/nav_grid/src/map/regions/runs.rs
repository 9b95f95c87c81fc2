//! The cells of a map in horizontal runs, each with a label.

use crate::{
    Cell, Footprint, Grid, Size,
    map::{Bitboard, next_one},
};

/// For each run of cells next to each other in a row on which a walker may stand, a label.
///
/// A cell's run is found by counting the beginnings of runs before it: a number per word of 64
/// cells says how many there are in the row before the word, the bits of the word say the rest.
/// Each row has labels of its own, so that an edit moves those of no other row.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    size: Size,
    bits: Bitboard,
    /// Where runs begin, on maps on which exits may part neighbours. On others that is where a
    /// set bit follows a clear one.
    starts: Option<Bitboard>,
    /// By word of each row: the runs of the row that begin in earlier words.
    ranks: Box<[u16]>,
    rows: Box<[Row]>,
    labels: Vec<u32>,
    /// Labels in use; the rest is room left behind by rows that outgrew it.
    used: usize,
}

/// Where the labels of a row's runs are.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    first: u32,
    count: u16,
    room: u16,
}

impl Runs {
    /// The runs of a map, of which each is its own label, counted in reading order.
    pub(super) fn of(grid: &Grid, footprint: Footprint, starts: Option<Bitboard>) -> Self {
        let size = grid.size();
        let bits = places(grid, footprint);
        let rows = usize::from(size.height) * usize::from(size.floors);
        let mut runs = Self {
            size,
            ranks: vec![0; rows * words_per_row(size)].into_boxed_slice(),
            rows: vec![Row::default(); rows].into_boxed_slice(),
            bits,
            starts,
            labels: Vec::new(),
            used: 0,
        };
        for (y, floor) in all_rows(size) {
            let count = runs.count_starts(y, floor);
            let row = runs.row_index(y, floor);
            runs.rows[row] = Row {
                first: runs.used as u32,
                count,
                room: count,
            };
            runs.used += usize::from(count);
        }
        runs.labels = (0..runs.used as u32).collect();
        runs
    }

    pub(super) const fn size(&self) -> Size {
        self.size
    }

    /// The number of the run that a cell lies in, or `None` if the walker may not stand there.
    #[inline]
    pub(super) fn run_at(&self, cell: Cell) -> Option<usize> {
        let Cell { x, y, floor } = cell;
        if !self.size.contains(cell) {
            return None;
        }
        let (word, bit) = (usize::from(x / 64), x % 64);
        let row = self.bits.row(y, floor);
        if row[word] >> bit & 1 == 0 {
            return None;
        }
        let up_to = u64::MAX >> (63 - bit);
        let begun = (self.starts_in(word, y, floor) & up_to).count_ones() as usize;
        let row = self.row_index(y, floor);
        let before = usize::from(self.ranks[row * words_per_row(self.size) + word]);
        // The cell's own run has begun, so the sum is at least 1.
        Some(self.rows[row].first as usize + before + begun - 1)
    }

    /// The label of a run.
    #[inline]
    pub(super) fn label(&self, run: usize) -> u32 {
        self.labels[run]
    }

    /// All labels, in reading order of the runs as long as no row was replaced.
    pub(super) fn labels_mut(&mut self) -> &mut [u32] {
        &mut self.labels
    }

    /// The runs of a row as first and last column, in order.
    pub(super) fn in_row(&self, y: u16, floor: u8) -> RowRuns<'_> {
        let starts = self.starts.as_ref().map(|starts| starts.row(y, floor));
        RowRuns::new(self.bits.row(y, floor), starts)
    }

    /// The numbers of the runs of a row.
    pub(super) fn numbers_in_row(&self, y: u16, floor: u8) -> std::ops::Range<usize> {
        let row = self.rows[self.row_index(y, floor)];
        let first = row.first as usize;
        first..first + usize::from(row.count)
    }

    /// The words of a row: its bits, and where runs begin if that takes a board.
    pub(super) fn words_mut(&mut self, y: u16, floor: u8) -> (&mut [u64], Option<&mut [u64]>) {
        let starts = self.starts.as_mut().map(|starts| starts.row_mut(y, floor));
        (self.bits.row_mut(y, floor), starts)
    }

    /// Gives the runs of a row, the words of which were changed, new labels.
    pub(super) fn replace_labels(&mut self, y: u16, floor: u8, labels: &[u32]) {
        let count = self.count_starts(y, floor);
        debug_assert_eq!(usize::from(count), labels.len());
        let index = self.row_index(y, floor);
        let mut row = self.rows[index];
        self.used = self.used - usize::from(row.count) + usize::from(count);
        row.count = count;
        if count > row.room {
            // A little more than needed, since a row that was edited will be again.
            row.first = self.labels.len() as u32;
            row.room = count.saturating_add(4);
            let end = self.labels.len() + usize::from(row.room);
            self.labels.resize(end, 0);
        }
        let first = row.first as usize;
        self.labels[first..first + labels.len()].copy_from_slice(labels);
        self.rows[index] = row;
    }

    /// Whether more than half of the labels are room left behind.
    pub(super) fn is_sparse(&self) -> bool {
        self.labels.len() > 2 * self.used + 1024
    }

    /// Whether exits may part neighbours.
    pub(super) const fn has_starts(&self) -> bool {
        self.starts.is_some()
    }

    /// Keeps from now on where runs begin.
    pub(super) fn keep_starts(&mut self) {
        if self.starts.is_some() {
            return;
        }
        let mut starts = Bitboard::new(self.size);
        for (y, floor) in all_rows(self.size) {
            for (word, bits) in starts.row_mut(y, floor).iter_mut().enumerate() {
                *bits = self.starts_in(word, y, floor);
            }
        }
        self.starts = Some(starts);
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.bits.heap_bytes()
            + self.starts.as_ref().map_or(0, Bitboard::heap_bytes)
            + size_of_val(&*self.ranks)
            + size_of_val(&*self.rows)
            + self.labels.capacity() * size_of::<u32>()
    }

    /// The cells of a word in which runs begin.
    #[inline]
    fn starts_in(&self, word: usize, y: u16, floor: u8) -> u64 {
        match &self.starts {
            Some(starts) => starts.row(y, floor)[word],
            None => beginnings(self.bits.row(y, floor), word),
        }
    }

    /// Brings the ranks of a row up to date and returns how many runs it has.
    fn count_starts(&mut self, y: u16, floor: u8) -> u16 {
        let words = words_per_row(self.size);
        let first = self.row_index(y, floor) * words;
        let mut count = 0;
        for word in 0..words {
            self.ranks[first + word] = count;
            count += self.starts_in(word, y, floor).count_ones() as u16;
        }
        count
    }

    #[inline]
    fn row_index(&self, y: u16, floor: u8) -> usize {
        usize::from(floor) * usize::from(self.size.height) + usize::from(y)
    }
}

/// Every row of a map, in reading order.
pub(super) fn all_rows(size: Size) -> impl Iterator<Item = (u16, u8)> {
    (0..size.floors).flat_map(move |floor| (0..size.height).map(move |y| (y, floor)))
}

/// The places where a body fits now.
fn places(grid: &Grid, footprint: Footprint) -> Bitboard {
    if let Some(board) = grid.board(footprint) {
        return board.clone();
    }
    let mut bits = Bitboard::new(grid.size());
    for (y, floor) in all_rows(grid.size()) {
        for (word, bits) in bits.row_mut(y, floor).iter_mut().enumerate() {
            *bits = grid.places_in_word(word, y, floor, footprint);
        }
    }
    bits
}

fn words_per_row(size: Size) -> usize {
    usize::from(size.width).div_ceil(64)
}

/// The set bits of a word that follow clear ones.
fn beginnings(row: &[u64], word: usize) -> u64 {
    let carry = match word.checked_sub(1) {
        Some(before) => row[before] >> 63,
        None => 0,
    };
    row[word] & !(row[word] << 1 | carry)
}

/// The runs of a row, by first and last column.
#[derive(Clone, Debug)]
pub(super) struct RowRuns<'a> {
    bits: &'a [u64],
    starts: Option<&'a [u64]>,
    at: usize,
}

impl<'a> RowRuns<'a> {
    /// Runs of set bits; the bit behind the last column is clear.
    pub(super) const fn new(bits: &'a [u64], starts: Option<&'a [u64]>) -> Self {
        Self {
            bits,
            starts,
            at: 0,
        }
    }
}

impl Iterator for RowRuns<'_> {
    type Item = (u16, u16);

    #[inline]
    fn next(&mut self) -> Option<(u16, u16)> {
        let words = self.bits.len();
        let first = next_one(self.at, words, |word| self.bits[word])?;
        let end = next_one(first + 1, words, |word| match self.starts {
            Some(starts) => !self.bits[word] | starts[word],
            None => !self.bits[word],
        })?;
        self.at = end;
        Some((first as u16, end as u16 - 1))
    }
}

/// Calls `each` with the numbers of all runs of two rows that overlap, or lie at most `apart`
/// columns beside each other.
pub(super) fn touching(
    mut one: RowRuns<'_>,
    mut other: RowRuns<'_>,
    apart: u16,
    mut each: impl FnMut(usize, usize),
) {
    let (mut a, mut b) = (one.next(), other.next());
    let (mut i, mut j) = (0, 0);
    while let (Some(left), Some(right)) = (a, b) {
        if left.0 <= right.1 + apart && right.0 <= left.1 + apart {
            each(i, j);
        }
        // The run that ends first touches none of those to come.
        if left.1 < right.1 {
            a = one.next();
            i += 1;
        } else {
            b = other.next();
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_end_at_clear_bits_and_before_beginnings() {
        let bits = [0b0111_0110 | 1 << 63, 0b11, 0];
        let runs: Vec<_> = RowRuns::new(&bits, None).collect();
        assert_eq!(runs, [(1, 2), (4, 6), (63, 65)]);
        let starts = [0b0101_0010 | 1 << 63, 0b10, 0];
        let runs: Vec<_> = RowRuns::new(&bits, Some(&starts)).collect();
        assert_eq!(runs, [(1, 2), (4, 5), (6, 6), (63, 64), (65, 65)]);
    }

    #[test]
    fn touching_finds_every_pair_of_neighbours() {
        let rows = [0b0000_0000_u64, 0b1011_0101, 0b1111_1111, 0b0100_1010];
        for one in rows {
            for other in rows {
                for apart in 0..=1 {
                    let (one, other) = ([one, 0], [other, 0]);
                    let runs = |row| RowRuns::new(row, None);
                    let mut expected = Vec::new();
                    for (i, a) in runs(&one).enumerate() {
                        for (j, b) in runs(&other).enumerate() {
                            if a.0 <= b.1 + apart && b.0 <= a.1 + apart {
                                expected.push((i, j));
                            }
                        }
                    }
                    let mut found = Vec::new();
                    touching(runs(&one), runs(&other), apart, |i, j| found.push((i, j)));
                    found.sort_unstable();
                    assert_eq!(found, expected);
                }
            }
        }
    }
}

//! Rows of bits with a zero border, the storage under every map layer.

/// One bit per cell, row after row, each row followed by at least one zero bit and each floor
/// framed by zero rows above and below.
///
/// The border lets a search read the three bits around any cell, or 64 bits to either side of
/// it, without asking whether they lie on the map: outside is simply not set. A row's trailing
/// zeros double as the left border of the next row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bitboard {
    words: Box<[u64]>,
    words_per_row: usize,
    rows_per_floor: usize,
}

impl Bitboard {
    pub(crate) fn new(width: u16, height: u16, floors: u8) -> Self {
        let words_per_row = usize::from(width) / 64 + 1;
        let rows_per_floor = usize::from(height) + 1;
        // A border row above the first floor, and a word before and behind everything for reads
        // that run past the ends of the border rows.
        let words = 1 + (usize::from(floors) * rows_per_floor + 1) * words_per_row + 1;
        Self {
            words: vec![0; words].into_boxed_slice(),
            words_per_row,
            rows_per_floor,
        }
    }

    /// Position of the bit for a cell; column -1 and one row beyond either end are border.
    #[inline]
    fn bit(&self, x: u16, y: u16, floor: u8) -> usize {
        let row = usize::from(floor) * self.rows_per_floor + usize::from(y) + 1;
        (1 + row * self.words_per_row) * 64 + usize::from(x)
    }

    #[inline]
    pub(crate) fn get(&self, x: u16, y: u16, floor: u8) -> bool {
        let bit = self.bit(x, y, floor);
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Sets one bit and returns what it was.
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
        let above = self.three(word - row, shift);
        let here = self.three(word, shift);
        let below = self.three(word + row, shift);
        (above | (here & 1) << 3 | (here & 4) << 2 | below << 5) as u8
    }

    #[inline]
    fn three(&self, word: usize, shift: usize) -> u64 {
        let low = self.words[word] >> shift;
        // Shifting by 1 and then by the rest keeps a shift of 0 from becoming one of 64.
        let high = self.words[word + 1] << 1 << (63 - shift);
        (low | high) & 0b111
    }

    /// The words that hold a row, from column 0; bits past the width are zero.
    pub(crate) fn row(&self, y: u16, floor: u8) -> &[u64] {
        let start = self.bit(0, y, floor) / 64;
        &self.words[start..start + self.words_per_row]
    }

    pub(crate) fn count_ones(&self) -> u64 {
        self.words
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn around_reads_the_eight_neighbours_in_reading_order() {
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
                let mut board = Bitboard::new(128, 3, 1);
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
    fn a_full_board_has_a_zero_border() {
        for (width, height, floors) in [(1, 1, 1), (63, 2, 2), (64, 2, 1), (65, 3, 3)] {
            let mut board = Bitboard::new(width, height, floors);
            for floor in 0..floors {
                for y in 0..height {
                    for x in 0..width {
                        assert!(!board.set(x, y, floor, true));
                    }
                }
            }
            assert_eq!(
                board.count_ones(),
                u64::from(width) * u64::from(height) * u64::from(floors)
            );
            for floor in 0..floors {
                assert_eq!(board.around(0, 0, floor) & 0b0010_1111 & !0b0001_0110, 0);
                let last = board.around(width - 1, height - 1, floor);
                assert_eq!(last & 0b1111_0100, 0, "{width}x{height}, floor {floor}");
            }
        }
    }
}

//! Transposed bitboards.

use super::board::Bitboard;
use crate::{
    bits::{BitSquare, widely},
    map::size::Area,
};

impl Bitboard {
    /// Makes this board, of a transposed map, the transposition of `source`, for the
    /// tiles of 64×64 cells that an area touches.
    pub(crate) fn transpose(&mut self, source: &Self, area: Area) {
        let (first, last) = (area.first(), area.last());
        let floor = first.floor;
        for top in (first.y / 64..=last.y / 64).map(|tile| tile * 64) {
            for left in (first.x / 64..=last.x / 64).map(|tile| tile * 64) {
                let mut tile = [0; 64];
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
    fn transposing_twice_gives_the_board_back() {
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
                let whole = |size: Size| {
                    Area::new(
                        Cell::new(0, 0).on_floor(floor),
                        Cell::new(size.width - 1, size.height - 1),
                    )
                };
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

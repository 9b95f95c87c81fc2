//! Building the jumps of a board in parts, so that a large board need not be done at one go.

use super::{
    board::Bitboard,
    jumps::{Jumps, LaneWords},
};
use crate::{
    cell::Cell,
    map::size::{Area, Size},
    rules::CornerRule,
};

/// How far the jumps of a board of one floor are built.
///
/// A part is one of the steps that [`Jumps::reset`] takes, and says how much work it was: a unit for
/// about as long as 64 cells take, all parts together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JumpsBuild {
    stage: BuildStage,
    /// How far the stage is.
    at: usize,
}

#[derive(Clone, Copy, Debug, Default)]
enum BuildStage {
    #[default]
    Begin,
    /// Memory is cleared, a board after the other.
    Clear,
    /// Tiles are transposed.
    Mirror,
    Rows,
    Columns,
    Done,
}

/// Words that are cleared in one part, and for one unit.
const CLEARED: usize = 2048;
const CLEARED_PER_UNIT: usize = 64;

/// What it is to transpose a tile.
const TILE_UNITS: usize = 2;

/// Words of a row that are marked for one unit.
const MARKED_PER_UNIT: usize = 4;

impl JumpsBuild {
    /// Builds one more part for rows that are complete, always the same. Returns its work, or `None`
    /// if nothing is left.
    pub(crate) fn step(
        &mut self,
        jumps: &mut Jumps,
        rows: &Bitboard,
        size: Size,
        corners: CornerRule,
    ) -> Option<u32> {
        let next = |build: &mut Self, stage| *build = Self { stage, at: 0 };
        let (width, height) = (usize::from(size.width), usize::from(size.height));
        let units = match self.stage {
            BuildStage::Begin if width < 64 && height < 64 => {
                jumps.reset(rows, size, corners);
                next(self, BuildStage::Done);
                height / 4
            }
            BuildStage::Begin => {
                jumps.begin_reset(size, corners);
                next(self, BuildStage::Clear);
                1
            }
            BuildStage::Clear => {
                let mut boards = jumps.boards_to_clear(corners);
                let (board, word) = boards.nth(self.at)?;
                if board.fill_up(CLEARED, word) {
                    self.at += 1;
                    if boards.next().is_none() {
                        drop(boards);
                        next(self, BuildStage::Mirror);
                    }
                }
                CLEARED / CLEARED_PER_UNIT
            }
            BuildStage::Mirror => {
                let across = width.div_ceil(64);
                let (left, top) = (self.at % across * 64, self.at / across * 64);
                let first = Cell::new(left as u16, top as u16);
                jumps.mirror.transpose(rows, Area::from(first));
                self.at += 1;
                if self.at == across * height.div_ceil(64) {
                    next(self, BuildStage::Rows);
                }
                TILE_UNITS
            }
            BuildStage::Rows => {
                let lane = LaneWords::of(rows, 0, size.width - 1, self.at as u16, 0);
                let changed = jumps.rows.mark(rows, lane, corners);
                let live = [&jumps.rows.up.live, &jumps.rows.down.live];
                jumps.runs.mark(rows, changed, live, corners);
                self.at += 1;
                if self.at == height {
                    next(self, BuildStage::Columns);
                }
                rows.words_per_row.div_ceil(MARKED_PER_UNIT)
            }
            BuildStage::Columns => {
                let lane = LaneWords::of(&jumps.mirror, 0, size.height - 1, self.at as u16, 0);
                jumps.columns.mark(&jumps.mirror, lane, corners);
                self.at += 1;
                if self.at == width {
                    next(self, BuildStage::Done);
                }
                jumps.mirror.words_per_row.div_ceil(MARKED_PER_UNIT)
            }
            BuildStage::Done => return None,
        };
        Some(units as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_to_the_whole_and_cost_about_a_unit_for_64_cells() {
        for size in [
            Size::new(1, 1),
            Size::new(63, 41),
            Size::new(64, 3),
            Size::new(200, 130),
            Size::new(1000, 700),
        ] {
            for corners in CornerRule::ALL {
                let mut board = Bitboard::new(size);
                for y in 0..size.height {
                    for x in 0..size.width {
                        let (column, row) = (u32::from(x), u32::from(y));
                        let hole = (column * 31 + row * 17 + column * row) % 23 == 0;
                        board.set(x, y, 0, !hole);
                    }
                }
                let whole = Jumps::new(&board, size, corners);
                // In memory that another board has left full.
                let mut other = Bitboard::new(Size::new(300, 90));
                other.fill(Area::new(Cell::new(0, 0), Cell::new(299, 89)), true);
                let mut jumps = Jumps::new(&other, Size::new(300, 90), corners);
                let (mut build, mut units) = (JumpsBuild::default(), 0);
                while let Some(more) = build.step(&mut jumps, &board, size, corners) {
                    assert!(more <= 64, "{more} units at one go");
                    units += more;
                }
                assert!(jumps.is_alike(&whole), "{size} under {corners:?}");
                let cells = u32::from(size.width) * u32::from(size.height);
                assert!(units <= 600 + cells / 32, "{units} units for {cells} cells");
                assert!(units >= cells / 300, "{units} units for {cells} cells");
            }
        }
    }
}

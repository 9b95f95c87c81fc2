//! Cutting tiles into blocks.

use super::{
    block::LEVEL_MAX,
    tile::{CELLS, SIDE, TileBlocks, WALL},
};
use crate::{
    cell::{Cell, Directions},
    map::{Grid, Tile},
    rules::Footprint,
};

/// Stands in for level 0, while a tile is cut, where a cell may not become part of a block.
const ALONE: u8 = WALL - 1;

/// Cuts tiles into blocks.
pub(crate) struct Cutter<'a> {
    grid: &'a Grid,
    footprint: Footprint,
    /// Where links begin and end, sorted.
    link_ends: Vec<Cell>,
}

impl<'a> Cutter<'a> {
    pub(crate) fn new(grid: &'a Grid, footprint: Footprint) -> Self {
        let links = grid.links().iter();
        let mut link_ends: Vec<Cell> = links.flat_map(|link| [link.from, link.to]).collect();
        link_ends.sort_unstable();
        Self {
            grid,
            footprint,
            link_ends,
        }
    }

    /// What a tile consists of.
    pub(crate) fn cut(&self, floor: u8, row: usize, column: usize) -> TileBlocks {
        let origin = Cell {
            x: (column * SIDE) as u16,
            y: (row * SIDE) as u16,
            floor,
        };
        let mut fits = [0; SIDE];
        for (bits, dy) in fits.iter_mut().zip(0..) {
            *bits = self.row(Cell {
                y: origin.y + dy,
                ..origin
            });
        }
        if fits.iter().all(|&bits| bits == 0) {
            return TileBlocks::Blocked;
        }
        let plain = self.plain(origin, &fits);
        let bare = !self.grid.has_costs() && plain.iter().all(|&bits| bits == u64::MAX);
        if bare {
            return TileBlocks::Whole;
        }
        let mut levels = vec![WALL; CELLS].into_boxed_slice();
        for (row, (fits, levels)) in fits.iter().zip(levels.chunks_exact_mut(SIDE)).enumerate() {
            for (column, level) in levels.iter_mut().enumerate() {
                if fits >> column & 1 == 1 {
                    // Cells that no block may hold are told from level 0 until the end.
                    let alone = plain[row] >> column & 1 == 0;
                    *level = if alone { ALONE } else { 0 };
                }
            }
        }
        self.merge(origin, &mut levels);
        if levels[0] == LEVEL_MAX {
            TileBlocks::Whole
        } else {
            TileBlocks::Parts(levels)
        }
    }

    /// Where the body may stand in the 64 columns from a cell.
    fn row(&self, first: Cell) -> u64 {
        if first.y >= self.grid.height() {
            return 0;
        }
        if let Some(board) = self.grid.board(self.footprint) {
            let words = board.row(first.y, first.floor);
            return words.get(usize::from(first.x) / SIDE).copied().unwrap_or(0);
        }
        (0..Tile::SIDE).fold(0, |bits, dx| {
            let cell = Cell {
                x: first.x + dx,
                ..first
            };
            bits | u64::from(self.grid.fits(cell, self.footprint)) << dx
        })
    }

    /// Which of the cells on which the body fits may be part of a block.
    fn plain(&self, origin: Cell, fits: &[u64; SIDE]) -> [u64; SIDE] {
        let mut plain = *fits;
        for (bits, dy) in plain.iter_mut().zip(0..) {
            let first = Cell {
                y: origin.y + dy,
                ..origin
            };
            if self.grid.has_exits() {
                for dx in 0..Tile::SIDE {
                    let cell = Cell {
                        x: first.x + dx,
                        ..first
                    };
                    let any = *bits >> dx & 1 == 1;
                    if any && self.grid.exits_of_body(cell, self.footprint) != Directions::ALL {
                        *bits &= !(1 << dx);
                    }
                }
            }
            let from = self.link_ends.partition_point(|&end| end < first);
            let ends = self.link_ends.get(from..).unwrap_or_default().iter();
            for end in ends.take_while(|end| {
                (end.floor, end.y) == (first.floor, first.y) && end.x - first.x < Tile::SIDE
            }) {
                *bits &= !(1 << (end.x - first.x));
            }
        }
        plain
    }

    /// Joins fours of equal blocks, smallest first.
    fn merge(&self, origin: Cell, levels: &mut [u8]) {
        let cost = |column: usize, row: usize| {
            let cell = Cell {
                x: origin.x + column as u16,
                y: origin.y + row as u16,
                ..origin
            };
            self.grid.cost_of_body(cell, self.footprint)
        };
        for level in 1..=LEVEL_MAX {
            let (side, half) = (1_usize << level, 1_usize << (level - 1));
            let mut merged = false;
            for row in (0..SIDE).step_by(side) {
                for column in (0..SIDE).step_by(side) {
                    let quarters = [(0, 0), (half, 0), (0, half), (half, half)]
                        .map(|(dx, dy)| (column + dx, row + dy));
                    let equal = quarters
                        .iter()
                        .all(|&(column, row)| levels[row * SIDE + column] == level - 1)
                        && (!self.grid.has_costs()
                            || quarters[1..]
                                .iter()
                                .all(|&(c, r)| cost(c, r) == cost(column, row)));
                    if equal {
                        merged = true;
                        // Only the first cell of a block is looked at until the end.
                        levels[row * SIDE + column] = level;
                    }
                }
            }
            if !merged {
                break;
            }
        }
        // Larger blocks come before the cells that they cover in reading order of corners, so
        // a copy from the first cell reaches all others, level by level from the largest.
        for level in (1..=LEVEL_MAX).rev() {
            let side = 1_usize << level;
            for row in (0..SIDE).step_by(side) {
                for column in (0..SIDE).step_by(side) {
                    if levels[row * SIDE + column] == level {
                        for line in levels[row * SIDE..][..side * SIDE].chunks_exact_mut(SIDE) {
                            line[column..column + side].fill(level);
                        }
                    }
                }
            }
        }
        for level in levels {
            if *level == ALONE {
                *level = 0;
            }
        }
    }
}

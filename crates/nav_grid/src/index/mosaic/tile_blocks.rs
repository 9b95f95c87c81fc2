//! Cutting a tile of the map into blocks of uniform ground.

use super::block::LEVEL_MAX;
use crate::{
    bits::ones,
    cell::{Cell, Directions},
    map::{Grid, Tile},
    rules::Footprint,
};

pub(super) const SIDE: usize = Tile::SIDE as usize;

pub(super) const CELLS: usize = SIDE * SIDE;

/// The blocks of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TileBlocks {
    /// The body fits nowhere.
    Blocked,
    /// A single block.
    Whole,
    /// The level of the block of each cell, in reading order, or [`WALL`].
    Parts(Box<[u8]>),
}

/// Replaces the level where the body does not fit.
pub(super) const WALL: u8 = u8::MAX;

/// Replaces level 0, while a tile is cut, where a cell may not become part of a block.
const ALONE: u8 = WALL - 1;

/// Cuts tiles into blocks.
pub(super) struct Cutter<'a> {
    grid: &'a Grid,
    footprint: Footprint,
    /// Both ends of all links, sorted.
    link_ends: Vec<Cell>,
}

impl<'a> Cutter<'a> {
    pub(super) fn new(grid: &'a Grid, footprint: Footprint) -> Self {
        let links = grid.links().iter();
        let mut link_ends: Vec<Cell> = links.flat_map(|link| [link.from, link.to]).collect();
        link_ends.sort_unstable();
        Self {
            grid,
            footprint,
            link_ends,
        }
    }

    /// The blocks of a tile.
    pub(super) fn cut(&self, tile: Tile) -> TileBlocks {
        let origin = tile.first();
        let mut fits = [0; SIDE];
        for (bits, dy) in fits.iter_mut().zip(0..) {
            *bits = self.row(origin.moved(0, dy));
        }
        if fits.iter().all(|&bits| bits == 0) {
            return TileBlocks::Blocked;
        }
        let plain = self.plain(origin, &fits);
        // Most tiles of open maps, which need no look at single cells.
        let bare = !self.grid.has_costs() && plain.iter().all(|&bits| bits == u64::MAX);
        if bare {
            return TileBlocks::Whole;
        }
        let mut levels = vec![WALL; CELLS].into_boxed_slice();
        for (row, (fits, levels)) in fits.iter().zip(levels.chunks_exact_mut(SIDE)).enumerate() {
            for (column, level) in levels.iter_mut().enumerate() {
                if fits >> column & 1 == 1 {
                    // Cells that no block may hold are kept apart from level 0 until the end.
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

    /// The places where the body may stand in the 64 columns from a cell.
    fn row(&self, first: Cell) -> u64 {
        if first.y >= self.grid.height() {
            return 0;
        }
        if let Some(board) = self.grid.board(self.footprint) {
            let words = board.row(first.y, first.floor);
            return words.get(usize::from(first.x) / SIDE).copied().unwrap_or(0);
        }
        (0..Tile::SIDE).fold(0, |bits, dx| {
            bits | u64::from(self.grid.fits(first.moved(dx, 0), self.footprint)) << dx
        })
    }

    /// The cells, of those on which the body fits, that may be part of a block.
    fn plain(&self, origin: Cell, fits: &[u64; SIDE]) -> [u64; SIDE] {
        let mut plain = *fits;
        for (bits, dy) in plain.iter_mut().zip(0..) {
            let first = origin.moved(0, dy);
            if self.grid.has_exits() {
                for dx in ones(*bits) {
                    let cell = first.moved(dx as u16, 0);
                    if self.grid.exits_of_body(cell, self.footprint) != Directions::ALL {
                        *bits &= !(1 << dx);
                    }
                }
            }
            let from = self.link_ends.partition_point(|&end| end < first);
            let ends = self.link_ends[from..].iter();
            for end in ends.take_while(|&&end| end < first.moved(Tile::SIDE, 0)) {
                *bits &= !(1 << (end.x - first.x));
            }
        }
        plain
    }

    /// Joins fours of equal blocks, smallest first.
    fn merge(&self, origin: Cell, levels: &mut [u8]) {
        let cost = |(column, row): (usize, usize)| {
            let cell = origin.moved(column as u16, row as u16);
            self.grid.cost_of_body(cell, self.footprint)
        };
        for level in 1..=LEVEL_MAX {
            let (side, half) = (1_usize << level, 1_usize << (level - 1));
            let mut merged = false;
            for row in (0..SIDE).step_by(side) {
                for column in (0..SIDE).step_by(side) {
                    let quarters = [(0, 0), (half, 0), (0, half), (half, half)];
                    let quarters = quarters.map(|(dx, dy)| (column + dx, row + dy));
                    let mut all = quarters.iter();
                    let equal = all.all(|&(column, row)| levels[row * SIDE + column] == level - 1);
                    let one_cost = || quarters.map(cost) == [cost(quarters[0]); 4];
                    if equal && (!self.grid.has_costs() || one_cost()) {
                        merged = true;
                        // Only the first cell of a block is read until the end.
                        levels[row * SIDE + column] = level;
                    }
                }
            }
            // Larger blocks consist of blocks of this level.
            if !merged {
                break;
            }
        }
        // Each block's level is copied from its first cell to all others, from the largest level
        // down. A larger block overwrites the stale levels of the smaller blocks that it joined.
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

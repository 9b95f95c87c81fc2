//! The ground of the graph as bits: where the walker fits, and where all ground is alike.

use super::{
    cluster::{SIDE, Spot},
    distances::ClusterEdit,
};
use crate::{
    map::{Area, Bitboard, Grid, Size, Tile},
    rules::Footprint,
};

/// The rows of a tile, a bit a cell.
type TileRows = [u64; Tile::SIDE as usize];

/// The places where a walker may stand.
#[derive(Clone, Debug)]
pub(super) struct GroundBoards {
    pub(super) free: Bitboard,
    /// The free places whose body covers neither exits nor a step cost other than 1. `None` on a
    /// map without both, where it would equal `free`.
    plain: Option<Bitboard>,
}

impl GroundBoards {
    /// Boards without a free place: [`read`](Self::read) fills them.
    pub(super) fn new(size: Size) -> Self {
        Self {
            free: Bitboard::new(size),
            plain: None,
        }
    }

    /// The free places without exits and step costs.
    #[inline]
    pub(super) fn plain(&self) -> &Bitboard {
        self.plain.as_ref().unwrap_or(&self.free)
    }

    /// Whether some places may have exits or step costs.
    #[inline]
    pub(super) const fn are_mixed(&self) -> bool {
        self.plain.is_some()
    }

    /// Prepares for exits and step costs once a map has some. They are read with the tiles that
    /// were edited.
    pub(super) fn prepare(&mut self, grid: &Grid) {
        if self.plain.is_none() && (grid.has_exits() || grid.has_costs()) {
            self.plain = Some(self.free.clone());
        }
    }

    /// Drops the board of plain places if the map has neither exits nor step costs any more.
    pub(super) fn tidy(&mut self, grid: &Grid) {
        if !grid.has_exits() && !grid.has_costs() {
            self.plain = None;
        }
    }

    /// Reads a tile again. Returns the changes of its four clusters, row by row, and whether
    /// it has or had exits or step costs.
    pub(super) fn read(
        &mut self,
        grid: &Grid,
        footprint: Footprint,
        tile: Tile,
    ) -> ([ClusterEdit; 4], bool) {
        let area = tile.area(grid.size());
        let before = self.rows(tile, area);
        match grid.board(footprint) {
            Some(board) => self.free.erode(board, 1, area),
            None => self.free.erode(&grid.walkable, footprint.side(), area),
        }
        if let Some(plain) = &mut self.plain {
            let mixed = mixed_rows(grid, area, footprint);
            for (y, mixed) in (area.first().y..=area.last().y).zip(mixed) {
                let column = usize::from(tile.column);
                plain.row_mut(y, tile.floor)[column] =
                    self.free.row(y, tile.floor)[column] & !mixed;
            }
        }
        let after = self.rows(tile, area);
        let edits = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(row, column)| {
            let rows = |board: &TileRows| -> [u32; SIDE as usize] {
                let first = row * usize::from(SIDE);
                std::array::from_fn(|y| (board[first + y] >> (SIDE * column)) as u32)
            };
            let was_mixed = rows(&before.0) != rows(&before.1);
            // Changed exits and step costs do not show in the boards.
            if was_mixed || rows(&after.0) != rows(&after.1) {
                return ClusterEdit::Many;
            }
            let (before, after) = (rows(&before.0), rows(&after.0));
            let changes = (0..SIDE).zip(before.iter().zip(after));
            changes.fold(ClusterEdit::Same, |edit, (y, (before, after))| {
                let bits = before ^ after;
                match bits.count_ones() {
                    0 => edit,
                    1 => edit.and(ClusterEdit::One(y * SIDE + bits.trailing_zeros() as Spot)),
                    _ => ClusterEdit::Many,
                }
            })
        });
        (edits, before.0 != before.1 || after.0 != after.1)
    }

    /// The free and the plain places of a tile, none outside the map.
    fn rows(&self, tile: Tile, area: Area) -> (TileRows, TileRows) {
        let [mut free, mut plain] = [[0; Tile::SIDE as usize]; 2];
        let board = self.plain.as_ref().unwrap_or(&self.free);
        for (row, y) in (area.first().y..=area.last().y).enumerate() {
            free[row] = self.free.row(y, tile.floor)[usize::from(tile.column)];
            plain[row] = board.row(y, tile.floor)[usize::from(tile.column)];
        }
        (free, plain)
    }
}

/// The places of a tile whose body would cover exits or a step cost other than 1.
fn mixed_rows(grid: &Grid, area: Area, footprint: Footprint) -> TileRows {
    let mut rows = [0; Tile::SIDE as usize];
    let side = usize::from(footprint.side());
    let covered = area.grown(0, side as u16 - 1).clipped(grid.size());
    if !grid.has_costs_in(covered) && !grid.has_exits_in(covered) {
        return rows;
    }
    let (first, last) = (covered.first(), covered.last());
    for (row, y) in (first.y..=last.y).enumerate() {
        // A bit for each covered column: up to 64 and the rest of a body.
        let mut cells = 0_u128;
        for (layer, plain) in [(&grid.costs, 1), (&grid.exits, u8::MAX)] {
            let row = layer.row(y, first.floor, grid.size());
            let bytes = row.get(usize::from(first.x)..=usize::from(last.x));
            for (column, &byte) in bytes.unwrap_or(&[]).iter().enumerate() {
                cells |= u128::from(byte != plain) << column;
            }
        }
        let places = (0..side).fold(0, |places, column| places | (cells >> column) as u64);
        for back in 0..side.min(row + 1) {
            if let Some(row) = rows.get_mut(row - back) {
                *row |= places;
            }
        }
    }
    rows
}

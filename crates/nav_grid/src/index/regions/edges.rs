//! The steps between neighbouring cells of a tile and of the tiles around.

use crate::{
    cell::{Cell, Direction},
    map::{Area, Grid, Tile},
    rules::{CornerRule, Rules},
};

/// The rows of a tile, a bit per cell.
pub(crate) type TileRows = [u64; Tile::SIDE as usize];

/// The places of a tile where a walker may stand, and the pairs of neighbours between which it
/// may step one way or the other.
///
/// Each pair is kept once, at the cell from which the other one lies ahead: east, south or
/// diagonally south, in the tile or next to it.
#[derive(Clone, Debug)]
pub(crate) struct TileEdges {
    /// The cells where the walker may stand.
    pub(crate) cells: TileRows,
    pub(crate) east: TileRows,
    pub(crate) south: TileRows,
    pub(crate) south_east: TileRows,
    pub(crate) south_west: TileRows,
    /// The cells of the tile that are on the map.
    pub(crate) area: Area,
}

/// A row of a tile as words: its cells, and their neighbours at the same bits.
#[derive(Clone, Copy, Default)]
struct RowWords {
    here: u64,
    /// The cells to the right.
    right: u64,
    /// The cells to the left.
    left: u64,
}

impl TileEdges {
    /// Reads a tile of the map.
    pub(crate) fn of(grid: &Grid, rules: Rules, tile: Tile) -> Self {
        let area = tile.area(grid.size());
        // All that bodies cover on the tile or a cell next to it.
        let covered = area.grown(1, rules.footprint.side().into());
        let fenced = grid.has_exits() && grid.has_exits_in(covered.clipped(grid.size()));
        // Without exits, the cells beside a strict diagonal join its ends already.
        let diagonals =
            rules.metric.diagonal().is_some() && (fenced || rules.corners == CornerRule::Cut);
        let strict = rules.corners == CornerRule::Strict;

        let mut edges = Self {
            cells: [0; 64],
            east: [0; 64],
            south: [0; 64],
            south_east: [0; 64],
            south_west: [0; 64],
            area,
        };
        let first = area.first();
        let mut row = strip(grid, rules, first);
        for (index, y) in (first.y..=area.last().y).enumerate() {
            let below = if y + 1 < grid.height() {
                strip(grid, rules, Cell { y: y + 1, ..first })
            } else {
                RowWords::default()
            };
            edges.cells[index] = row.here;
            edges.east[index] = row.here & row.right;
            edges.south[index] = row.here & below.here;
            if diagonals {
                let (mut east, mut west) = (row.here & below.right, row.here & below.left);
                if strict {
                    east &= row.right & below.here;
                    west &= row.left & below.here;
                }
                edges.south_east[index] = east;
                edges.south_west[index] = west;
            }
            row = below;
        }
        if fenced {
            edges.fence(grid, rules);
        }
        edges
    }

    /// Whether the walker may stand on all cells of the first `rows` rows, whose bits are `full`,
    /// and no exits separate any two of them.
    pub(crate) fn are_whole(&self, rows: usize, full: u64) -> bool {
        let inside = full >> 1;
        (0..rows).all(|row| {
            let south = if row + 1 < rows { full } else { 0 };
            self.cells[row] == full
                && self.east[row] & inside == inside
                && self.south[row] & south == south
        })
    }

    /// Removes the pairs of cells that exits separate in both directions.
    fn fence(&mut self, grid: &Grid, rules: Rules) {
        for cell in self.area.cells() {
            let from_here = grid.exits_of_body(cell, rules.footprint);
            let (row, bit) = place(cell);
            let planes = [
                (Direction::East, &mut self.east),
                (Direction::South, &mut self.south),
                (Direction::SouthEast, &mut self.south_east),
                (Direction::SouthWest, &mut self.south_west),
            ];
            for (ahead, plane) in planes {
                if plane[row] & bit == 0 || from_here.contains(ahead) {
                    continue;
                }
                let leads_back = cell.step(ahead).is_some_and(|to| {
                    grid.exits_of_body(to, rules.footprint)
                        .contains(ahead.opposite())
                });
                if !leads_back {
                    plane[row] &= !bit;
                }
            }
        }
    }
}

/// Row and bit of a cell in its tile.
#[inline]
pub(crate) const fn place(cell: Cell) -> (usize, u64) {
    ((cell.y % Tile::SIDE) as usize, 1 << (cell.x % Tile::SIDE))
}

/// The words of a row that begins at a cell of a tile's first column.
fn strip(grid: &Grid, rules: Rules, Cell { x, y, floor }: Cell) -> RowWords {
    let footprint = rules.footprint;
    let index = usize::from(x / Tile::SIDE);
    let [before, here, next] = [index.wrapping_sub(1), index, index + 1]
        .map(|word| grid.places_word(word, y, floor, footprint));
    RowWords {
        here,
        right: here >> 1 | next << 63,
        left: here << 1 | before >> 63,
    }
}

//! The prepared data: which blocks a map falls into.

use super::block::{Block, LEVEL_MAX};
use crate::{Cell, Directions, Footprint, Grid, Size, Tile};

const SIDE: usize = Tile::SIDE as usize;
const CELLS: usize = SIDE * SIDE;

/// A map cut into squares of uniform ground, for [`MosaicSearch`](super::MosaicSearch).
///
/// Squares have 1, 2, 4, … 64 columns and lie at multiples of their side; each is as large as
/// it can be. A square is uniform if a body of one [`Footprint`] may stand on all its cells, at
/// one step cost, and leave them in all directions, and no link begins or ends there. Metric and corner rule do
/// not matter: one mosaic serves walkers of one footprint under all of them.
///
/// # Edits
///
/// A mosaic is of one [version](Grid::version) of its map. After edits, [`Mosaic::repair`]
/// looks at the edited tiles only; until then searches answer
/// [`Feature::Preparation`](crate::Feature::Preparation). Versions do not tell maps apart: a
/// mosaic handed in with another map of the same size and version goes unnoticed, and paths may
/// then lead through walls.
///
/// # Memory
///
/// 16 bytes a tile of 64×64 cells, and 4 KiB more for each that is neither wholly uniform nor
/// wholly blocked.
///
/// # Example
///
/// ```
/// use nav_grid::{
///     Cell, Footprint, Grid, Limits, Mosaic, MosaicSearch, Path, Query, Search, Status, Terrain,
/// };
///
/// let mut grid = Grid::open(500, 500)?;
/// let mut mosaic = Mosaic::new(&grid, Footprint::ONE);
/// grid.set_walkable(Cell::new(250, 250), false)?;
/// assert_eq!(mosaic.repair(&grid), 1, "one tile was edited");
///
/// let query = Query::new(Cell::new(3, 3), Cell::new(490, 480)).with_limits(Limits::UNBOUNDED);
/// let terrain = Terrain::from(&grid).with_mosaic(&mosaic);
/// let outcome = MosaicSearch::new().search(terrain, &query, &mut Path::new());
/// assert_eq!((outcome.status, outcome.cost), (Status::Found, 487));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mosaic {
    size: Size,
    footprint: Footprint,
    version: u64,
    columns: usize,
    rows: usize,
    /// Floor by floor, row by row.
    tiles: Box<[Ground]>,
}

/// What a tile consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ground {
    /// Nobody may stand anywhere.
    Blocked,
    /// One block.
    Whole,
    /// The level of the block that each cell lies in, in reading order, or [`WALL`].
    Parts(Box<[u8]>),
}

/// Stands in for a level where nobody may stand.
const WALL: u8 = u8::MAX;

impl Mosaic {
    /// The mosaic of a map as it is now, for bodies of one size.
    ///
    /// # Complexity
    ///
    /// One look at every cell, 64 at a time where a tile is uniform. A footprint above 1×1
    /// should be [prepared](Grid::prepare_footprint) first.
    pub fn new(grid: &Grid, footprint: Footprint) -> Self {
        let size = grid.size();
        let columns = usize::from(size.width.div_ceil(Tile::SIDE));
        let rows = usize::from(size.height.div_ceil(Tile::SIDE));
        let cutter = Cutter::new(grid, footprint);
        let tiles = (0..size.floors)
            .flat_map(|floor| {
                (0..rows).flat_map(move |row| (0..columns).map(move |c| (floor, row, c)))
            })
            .map(|(floor, row, column)| cutter.cut(floor, row, column))
            .collect();
        Self {
            size,
            footprint,
            version: grid.version(),
            columns,
            rows,
            tiles,
        }
    }

    /// Brings the mosaic up to date with its map, as if it were made anew, and returns how many
    /// tiles were looked at. A map of another size is taken for a new one.
    ///
    /// # Complexity
    ///
    /// O(tiles), and one look at every cell of those edited.
    pub fn repair(&mut self, grid: &Grid) -> usize {
        if grid.size() != self.size || grid.version() < self.version {
            *self = Self::new(grid, self.footprint);
            return self.tiles.len();
        }
        let cutter = Cutter::new(grid, self.footprint);
        let mut repaired = 0;
        for tile in grid.tiles_edited_since(self.version) {
            let (row, column) = (usize::from(tile.row), usize::from(tile.column));
            let index = self.tile_index(tile.floor, row, column);
            if let Some(ground) = self.tiles.get_mut(index) {
                *ground = cutter.cut(tile.floor, row, column);
                repaired += 1;
            }
        }
        self.version = grid.version();
        repaired
    }

    /// The size of body that it is for.
    pub const fn footprint(&self) -> Footprint {
        self.footprint
    }

    /// The [version](Grid::version) of the map that it is of.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// How many blocks the map falls into, single cells included: the fewer, the more there is
    /// to gain. One look at every cell of the tiles that are not uniform.
    pub fn block_count(&self) -> u64 {
        let blocks = |ground: &Ground| match ground {
            Ground::Blocked => 0,
            Ground::Whole => 1,
            Ground::Parts(levels) => {
                let mut cells = [0_u64; LEVEL_MAX as usize + 1];
                for &level in levels {
                    if let Some(cells) = cells.get_mut(usize::from(level)) {
                        *cells += 1;
                    }
                }
                cells
                    .iter()
                    .zip(0..)
                    .map(|(cells, level)| cells >> (2 * level))
                    .sum()
            }
        };
        self.tiles.iter().map(blocks).sum()
    }

    /// Bytes that the mosaic keeps on the heap.
    pub fn heap_bytes(&self) -> usize {
        let parts = |ground: &Ground| match ground {
            Ground::Parts(levels) => levels.len(),
            _ => 0,
        };
        size_of_val(&*self.tiles) + self.tiles.iter().map(parts).sum::<usize>()
    }

    /// Whether it says how things are for a body on a map now.
    pub(super) fn is_of(&self, grid: &Grid, footprint: Footprint) -> bool {
        self.size == grid.size() && self.version == grid.version() && self.footprint == footprint
    }

    /// How many numbers [`Mosaic::place`] gives.
    pub(super) fn places(&self) -> usize {
        self.tiles.len() * CELLS
    }

    /// The number of a cell: by tile, floor by floor and row by row, and within a tile along a
    /// Z-shaped curve, so that the numbers of a block's cells follow on each other.
    #[inline]
    pub(super) fn place(&self, cell: Cell) -> usize {
        let tile = self.tile_index(
            cell.floor,
            usize::from(cell.y / Tile::SIDE),
            usize::from(cell.x / Tile::SIDE),
        );
        let (x, y) = (usize::from(cell.x) % SIDE, usize::from(cell.y) % SIDE);
        tile * CELLS + usize::from(SPREAD[y] << 1 | SPREAD[x])
    }

    /// The cell of a number.
    #[inline]
    pub(super) fn cell(&self, place: usize) -> Cell {
        let (tile, within) = (place / CELLS, place % CELLS);
        let (rows, column) = (tile / self.columns, tile % self.columns);
        Cell {
            x: (column * SIDE) as u16 + gathered(within),
            y: (rows % self.rows * SIDE) as u16 + gathered(within >> 1),
            floor: (rows / self.rows) as u8,
        }
    }

    /// The block that a cell lies in; `None` where nobody may stand, and outside the map.
    #[inline]
    pub(super) fn block(&self, cell: Cell) -> Option<Block> {
        if !self.size.contains(cell) {
            return None;
        }
        let tile = self.tile_index(
            cell.floor,
            usize::from(cell.y / Tile::SIDE),
            usize::from(cell.x / Tile::SIDE),
        );
        let level = match self.tiles.get(tile)? {
            Ground::Blocked => return None,
            Ground::Whole => LEVEL_MAX,
            Ground::Parts(levels) => {
                let at = usize::from(cell.y) % SIDE * SIDE + usize::from(cell.x) % SIDE;
                *levels.get(at).filter(|&&level| level != WALL)?
            }
        };
        Some(Block::around(cell, level))
    }

    #[inline]
    fn tile_index(&self, floor: u8, row: usize, column: usize) -> usize {
        (usize::from(floor) * self.rows + row) * self.columns + column
    }
}

/// The bits of each coordinate in a tile, moved apart to make room for the other one's.
static SPREAD: [u16; SIDE] = {
    let mut table = [0; SIDE];
    let mut value = 0;
    while value < SIDE {
        let mut bit = 0;
        while bit < 6 {
            table[value] |= ((value >> bit & 1) << (2 * bit)) as u16;
            bit += 1;
        }
        value += 1;
    }
    table
};

/// Undoes [`SPREAD`].
#[inline]
fn gathered(bits: usize) -> u16 {
    let mut bits = bits as u16 & 0x555;
    bits = (bits | bits >> 1) & 0x333;
    bits = (bits | bits >> 2) & 0x70f;
    (bits | bits >> 4) & 0x3f
}

/// Cuts tiles into blocks.
struct Cutter<'a> {
    grid: &'a Grid,
    footprint: Footprint,
    /// Where links begin and end, sorted.
    link_ends: Vec<Cell>,
}

impl<'a> Cutter<'a> {
    fn new(grid: &'a Grid, footprint: Footprint) -> Self {
        let links = grid.links().iter();
        let mut link_ends: Vec<Cell> = links.flat_map(|link| [link.from, link.to]).collect();
        link_ends.sort_unstable();
        Self {
            grid,
            footprint,
            link_ends,
        }
    }

    fn cut(&self, floor: u8, row: usize, column: usize) -> Ground {
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
            return Ground::Blocked;
        }
        let plain = self.plain(origin, &fits);
        let bare = !self.grid.has_costs() && plain.iter().all(|&bits| bits == u64::MAX);
        if bare {
            return Ground::Whole;
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
            Ground::Whole
        } else {
            Ground::Parts(levels)
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

/// Stands in for level 0, while a tile is cut, where a cell may not become part of a block.
const ALONE: u8 = WALL - 1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Area, Link};

    #[test]
    fn numbers_lead_back_to_cells_and_keep_blocks_together() {
        let size = Size::new(130, 70).with_floors(3);
        let grid = Grid::build(size, |_| true).unwrap();
        let mosaic = Mosaic::new(&grid, Footprint::ONE);
        let mut seen = vec![false; mosaic.places()];
        for cell in grid.walkable_cells() {
            let place = mosaic.place(cell);
            assert_eq!(mosaic.cell(place), cell);
            assert!(!std::mem::replace(&mut seen[place], true));
            let block = Block::around(cell, 3);
            assert_eq!(place / 64, mosaic.place(block.origin) / 64);
        }
    }

    #[test]
    fn blocks_are_as_large_as_their_ground_is_uniform() {
        let mut grid = Grid::open(128, 64).unwrap();
        assert_eq!(Mosaic::new(&grid, Footprint::ONE).block_count(), 2);
        grid.set_walkable(Cell::new(0, 0), false).unwrap();
        let mosaic = Mosaic::new(&grid, Footprint::ONE);
        assert_eq!(mosaic.block_count(), 1 + 3 * 6);
        assert_eq!(mosaic.block(Cell::new(0, 0)), None);
        let level = |x, y| mosaic.block(Cell::new(x, y)).unwrap().level;
        assert_eq!(
            [level(1, 0), level(2, 1), level(9, 3), level(33, 2)],
            [0, 1, 3, 5]
        );
        assert_eq!(mosaic.block(Cell::new(128, 0)), None);
    }

    #[test]
    fn costs_exits_links_and_bodies_cut_blocks() {
        let single = |grid: &Grid, x, y| {
            Mosaic::new(grid, Footprint::ONE)
                .block(Cell::new(x, y))
                .unwrap()
                .level
                == 0
        };
        let open = Grid::open(64, 64).unwrap();
        let mut costs = open.clone();
        costs
            .set_cost(Area::new(Cell::new(32, 0), Cell::new(63, 31)), 3)
            .unwrap();
        assert_eq!(Mosaic::new(&costs, Footprint::ONE).block_count(), 4);
        let mut exits = open.clone();
        exits
            .set_exits(Cell::new(9, 9), Directions::STRAIGHT)
            .unwrap();
        assert!(single(&exits, 9, 9));
        let mut links = open.clone();
        links
            .set_link(Link::new(Cell::new(3, 3), Cell::new(50, 50)))
            .unwrap();
        assert!(single(&links, 3, 3) && single(&links, 50, 50) && !single(&links, 20, 20));
        let two = Footprint::new(2).unwrap();
        let mosaic = Mosaic::new(&open, two);
        assert_eq!(mosaic.block(Cell::new(63, 9)), None);
        assert_eq!(mosaic.block(Cell::new(62, 9)).unwrap().level, 0);
        let mut prepared = open.clone();
        prepared.prepare_footprint(two);
        assert_eq!(Mosaic::new(&prepared, two), mosaic);
    }
}

//! The prepared data: which blocks a map falls into.

use super::{
    block::{Block, LEVEL_MAX},
    cut::Cutter,
    tile::{CELLS, SIDE, TileBlocks, WALL},
};
use crate::{
    cell::Cell,
    map::{Grid, Size, Tile},
    rules::Footprint,
};

/// A map cut into squares of uniform ground, for [`MosaicSearch`](crate::methods::MosaicSearch).
///
/// Squares have 1, 2, 4, … 64 columns and lie at multiples of their side; each is as large as
/// it can be. A square is uniform if a body of one [`Footprint`] may stand on all its cells, at
/// one step cost, and leave them in all directions, and no link begins or ends there. Metric
/// and corner rule do not matter: one mosaic serves walkers of one footprint under all of them.
///
/// # Edits
///
/// A mosaic is of one [version](Grid::version) of its map. After edits,
/// [`IndexedMap::repair`](crate::IndexedMap::repair) looks at the edited tiles only; until then
/// searches answer [`Feature::Preparation`](crate::query::Feature::Preparation).
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
///     Cell, Footprint, Grid, IndexedMap, Limits, Path, PathQuery, Search, Status,
///     methods::MosaicSearch,
/// };
///
/// let mut map = IndexedMap::new(Grid::open(500, 500)?);
/// map.build_mosaic(Footprint::ONE);
/// map.set_walkable(Cell::new(250, 250), false)?;
/// map.repair();
///
/// let query = PathQuery::new(Cell::new(3, 3), Cell::new(490, 480)).with_limits(Limits::UNBOUNDED);
/// let outcome = MosaicSearch::new().search(&map, &query, &mut Path::new());
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
    tiles: Box<[TileBlocks]>,
}

impl Mosaic {
    /// The mosaic of a map as it is now, for bodies of one size.
    ///
    /// # Complexity
    ///
    /// One look at every cell, 64 at a time where a tile is uniform. A footprint above 1×1
    /// should be [prepared](Grid::prepare_footprint) first.
    pub(crate) fn new(grid: &Grid, footprint: Footprint) -> Self {
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
    pub(crate) fn repair(&mut self, grid: &Grid) -> usize {
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
        let blocks = |ground: &TileBlocks| match ground {
            TileBlocks::Blocked => 0,
            TileBlocks::Whole => 1,
            TileBlocks::Parts(levels) => {
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
        let parts = |ground: &TileBlocks| match ground {
            TileBlocks::Parts(levels) => levels.len(),
            _ => 0,
        };
        size_of_val(&*self.tiles) + self.tiles.iter().map(parts).sum::<usize>()
    }

    /// Whether it says how things are for a body on a map now.
    pub(crate) fn is_of(&self, grid: &Grid, footprint: Footprint) -> bool {
        self.size == grid.size() && self.version == grid.version() && self.footprint == footprint
    }

    /// How many numbers [`Mosaic::place`] gives.
    pub(crate) fn places(&self) -> usize {
        self.tiles.len() * CELLS
    }

    /// The number of a cell: by tile, floor by floor and row by row, and within a tile along a
    /// Z-shaped curve, so that the numbers of a block's cells follow on each other.
    #[inline]
    pub(crate) fn place(&self, cell: Cell) -> usize {
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
    pub(crate) fn cell(&self, place: usize) -> Cell {
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
    pub(crate) fn block(&self, cell: Cell) -> Option<Block> {
        if !self.size.contains(cell) {
            return None;
        }
        let tile = self.tile_index(
            cell.floor,
            usize::from(cell.y / Tile::SIDE),
            usize::from(cell.x / Tile::SIDE),
        );
        let level = match self.tiles.get(tile)? {
            TileBlocks::Blocked => return None,
            TileBlocks::Whole => LEVEL_MAX,
            TileBlocks::Parts(levels) => {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cell::Directions,
        map::{Area, Link},
    };

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
    fn a_repair_looks_at_the_edited_tiles_only() {
        let mut grid = Grid::open(500, 500).unwrap();
        let mut mosaic = Mosaic::new(&grid, Footprint::ONE);
        assert_eq!(mosaic.repair(&grid), 0);
        grid.set_walkable(Cell::new(250, 250), false).unwrap();
        assert_eq!(mosaic.repair(&grid), 1);
        assert_eq!(mosaic, Mosaic::new(&grid, Footprint::ONE));
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

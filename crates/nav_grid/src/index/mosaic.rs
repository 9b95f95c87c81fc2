//! The mosaic: a map cut into blocks of uniform ground.

use crate::{
    cell::{Cell, Directions},
    map::{Grid, Size, Tile, TileLayout},
    rules::{Footprint, Rules},
};

/// Rows and columns of the largest block, as a power of two.
///
/// To cross a block takes time in proportion to the square of its side: 225 units of work with 16
/// columns, 4,000 with 64. Slices of a search end between crossings.
const LEVEL_MAX: u8 = 4;

/// Rows and columns of a tile, as a power of two.
const TILE_LEVEL: u8 = 6;

/// The number of cells of a tile.
const CELLS: usize = 1 << (2 * TILE_LEVEL);

/// Replaces the level where the body does not fit.
const WALL: u8 = u8::MAX;

/// Replaces level 0 where a cell may not become part of a block.
const ALONE: u8 = WALL - 1;

/// A map cut into squares of uniform ground, for [`MosaicSearch`](crate::methods::MosaicSearch).
///
/// Squares have 1, 2, 4, 8 or 16 columns and lie at multiples of their side. Each is as large as
/// possible. A square is uniform if agents of one [footprint](Rules::footprint) and choice of
/// [classes](Rules::classes) may stand on all its cells, at
/// one step cost, and leave them in all directions, and no link begins or ends there. Metric
/// and corner rule do not matter: one mosaic serves these agents under all of them.
///
/// # Edits
///
/// A mosaic describes one [version](Grid::version) of its map. After edits,
/// [`IndexedMap::repair`](crate::IndexedMap::repair) cuts the edited tiles again. Until then
/// searches answer [`Feature::Preparation`](crate::query::Feature::Preparation).
///
/// # Memory
///
/// 17 bytes a tile of 64×64 cells, and 4 KiB more for each tile that is neither wholly uniform nor
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
    /// Its footprint and classes; the rest is the default.
    rules: Rules,
    version: u64,
    layout: TileLayout,
    /// By number of a tile: the level of the block of each cell, along the curve of
    /// [`Mosaic::place`]. A single level if all are equal.
    tiles: Box<[Box<[u8]>]>,
}

impl Mosaic {
    /// The mosaic of a map as it is now, for agents of one footprint and choice of classes.
    ///
    /// # Complexity
    ///
    /// A pass over all cells. A footprint above 1×1 should be
    /// [prepared](Grid::prepare_footprint) first.
    pub(crate) fn new(grid: &Grid, rules: impl Into<Rules>) -> Self {
        let rules = decisive(rules.into());
        let grid = grid.for_rules(rules);
        let layout = TileLayout::of(grid.size());
        let tiles = (0..layout.count()).map(|index| cut(grid, rules.footprint, layout.at(index)));
        Self {
            size: grid.size(),
            rules,
            version: grid.version(),
            layout,
            tiles: tiles.collect(),
        }
    }

    /// Updates the mosaic to the map as it is now and returns the number of tiles cut again. Cuts
    /// all of them if the size of the map is another one.
    ///
    /// # Complexity
    ///
    /// O(tiles), and a pass over all cells of the edited tiles.
    pub(crate) fn repair(&mut self, grid: &Grid) -> usize {
        if grid.size() != self.size || grid.version() < self.version {
            *self = Self::new(grid, self.rules);
            return self.tiles.len();
        }
        let grid = grid.for_rules(self.rules);
        let mut repaired = 0;
        for tile in grid.tiles_edited_since(self.version) {
            self.tiles[self.layout.index(tile)] = cut(grid, self.rules.footprint, tile);
            repaired += 1;
        }
        self.version = grid.version();
        repaired
    }

    /// The footprint and classes of its agents; the other rules are the default ones.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The [version](Grid::version) of the map that it describes.
    #[doc(hidden)]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The number of blocks, including single cells. Fewer make searches cheaper. A pass over all
    /// cells of the tiles that are not uniform.
    #[doc(hidden)]
    pub fn block_count(&self) -> u64 {
        let mut blocks = 0;
        for levels in &self.tiles {
            // Each cell counts as its share of a block, in parts of the smallest share.
            let shares = levels.iter().map(|&level| match level {
                WALL => 0,
                ALONE => CELLS,
                level => CELLS >> (2 * level),
            });
            blocks += (shares.sum::<usize>() / levels.len()) as u64;
        }
        blocks
    }

    /// Whether it describes the map as it is now, for agents of these rules.
    pub(crate) fn is_of(&self, grid: &Grid, rules: Rules) -> bool {
        self.size == grid.size() && self.version == grid.version() && self.rules == decisive(rules)
    }

    /// An upper bound of the numbers of [`Mosaic::place`].
    pub(crate) fn places(&self) -> usize {
        self.tiles.len() * CELLS
    }

    /// The number of a cell: by tile, floor by floor and row by row, and within a tile along a
    /// Z-shaped curve, so that the numbers of a block's cells are consecutive.
    pub(crate) fn place(&self, cell: Cell) -> usize {
        let mut number = 0;
        for bit in 0..TILE_LEVEL.into() {
            number |= usize::from(cell.x >> bit & 1 | (cell.y >> bit & 1) << 1) << (2 * bit);
        }
        self.layout.index(Tile::of(cell)) * CELLS + number
    }

    /// The cell with a number of [`Mosaic::place`].
    pub(crate) fn cell(&self, place: usize) -> Cell {
        cell_of(self.layout.at(place / CELLS), place % CELLS)
    }

    /// The block of a cell; `None` where the body does not fit, and outside the map.
    pub(crate) fn block(&self, cell: Cell) -> Option<Block> {
        if !self.size.contains(cell) {
            return None;
        }
        let levels = &self.tiles[self.layout.index(Tile::of(cell))];
        match *levels.get(self.place(cell) % CELLS).or(levels.first())? {
            WALL => None,
            ALONE => Some(Block::around(cell, 0)),
            level => Some(Block::around(cell, level)),
        }
    }
}

/// The cell of a tile with a number along its curve.
fn cell_of(tile: Tile, number: usize) -> Cell {
    // Bit 2n of the number is bit n of the column, and the bit after it that of the row.
    let (mut x, mut y) = (0, 0);
    for bit in 0..TILE_LEVEL {
        x |= number >> bit & 1 << bit;
        y |= number >> (bit + 1) & 1 << bit;
    }
    tile.first().moved(x as u16, y as u16)
}

/// The level of a cell before any are joined.
fn level_of_cell(grid: &Grid, footprint: Footprint, cell: Cell) -> u8 {
    if !grid.fits(cell, footprint) {
        return WALL;
    }
    let has_links = !(grid.links_from(cell).is_empty() && grid.links_to(cell).is_empty());
    if has_links || grid.exits_of_body(cell, footprint) != Directions::ALL {
        ALONE
    } else {
        0
    }
}

/// The levels of the blocks of a tile: joins fours of equal blocks, smallest first.
fn cut(grid: &Grid, footprint: Footprint, tile: Tile) -> Box<[u8]> {
    let mut levels: Vec<u8> = (0..CELLS)
        .map(|number| level_of_cell(grid, footprint, cell_of(tile, number)))
        .collect();
    let cost = |number| grid.cost_of_body(cell_of(tile, number), footprint);
    for level in 1..=LEVEL_MAX {
        let quarter = CELLS >> (2 * (TILE_LEVEL - level + 1));
        for first in (0..CELLS).step_by(4 * quarter) {
            let mut quarters = (first..first + 4 * quarter).step_by(quarter);
            if quarters.all(|at| levels[at] == level - 1 && cost(at) == cost(first)) {
                levels[first..first + 4 * quarter].fill(level);
            }
        }
    }
    if levels.iter().all(|&level| level == levels[0]) {
        levels.truncate(1);
    }
    levels.into()
}

/// The rules on which blocks depend.
fn decisive(rules: Rules) -> Rules {
    Rules::from(rules.footprint).with_passable(rules.passable())
}

/// A square of `2^level` columns and rows, at a multiple of its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) origin: Cell,
    pub(crate) level: u8,
}

impl Block {
    /// The block of this level that holds a cell.
    pub(crate) const fn around(cell: Cell, level: u8) -> Self {
        let mask = u16::MAX << level;
        let origin = Cell::new(cell.x & mask, cell.y & mask).on_floor(cell.floor);
        Self { origin, level }
    }

    pub(crate) const fn side(self) -> u16 {
        1 << self.level
    }

    /// The lower right cell.
    pub(crate) const fn last(self) -> Cell {
        let further = self.side() - 1;
        self.origin.moved(further, further)
    }

    pub(crate) fn contains(self, cell: Cell) -> bool {
        Self::around(cell, self.level) == self
    }

    /// The outermost cells, clockwise from the upper left one. Each of the four sides also runs
    /// clockwise, from one corner to the next, so that one rule serves all four.
    pub(crate) fn ring(self) -> impl Iterator<Item = Cell> {
        let further = self.side() - 1;
        let side = move |side: u8| {
            (0..further).map(move |along| match side {
                0 => (along, 0),
                1 => (further, along),
                2 => (further - along, further),
                _ => (0, further - along),
            })
        };
        let single = (further == 0).then_some((0, 0)).into_iter();
        let ring = single.chain((0..4).flat_map(side));
        ring.map(move |(dx, dy)| self.origin.moved(dx, dy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Footprint;
    use crate::{
        cell::Directions,
        map::{Area, Link},
    };

    #[test]
    fn places_round_trip() {
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
    fn repair_cuts_edited_tiles() {
        let mut grid = Grid::open(500, 500).unwrap();
        let mut mosaic = Mosaic::new(&grid, Footprint::ONE);
        assert_eq!(mosaic.repair(&grid), 0);
        grid.set_walkable(Cell::new(250, 250), false).unwrap();
        assert_eq!(mosaic.repair(&grid), 1);
        assert_eq!(mosaic, Mosaic::new(&grid, Footprint::ONE));
    }

    #[test]
    fn largest_uniform_blocks() {
        let mut grid = Grid::open(128, 64).unwrap();
        assert_eq!(Mosaic::new(&grid, Footprint::ONE).block_count(), 32);
        grid.set_walkable(Cell::new(0, 0), false).unwrap();
        let mosaic = Mosaic::new(&grid, Footprint::ONE);
        assert_eq!(mosaic.block_count(), 31 + 3 * 4);
        assert_eq!(mosaic.block(Cell::new(0, 0)), None);
        let level = |x, y| mosaic.block(Cell::new(x, y)).unwrap().level;
        assert_eq!(
            [level(1, 0), level(2, 1), level(9, 3), level(33, 2)],
            [0, 1, 3, 4]
        );
        assert_eq!(mosaic.block(Cell::new(128, 0)), None);
    }

    #[test]
    fn layers_cut_blocks() {
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
        assert_eq!(Mosaic::new(&costs, Footprint::ONE).block_count(), 16);
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

    #[test]
    fn rings_run_clockwise() {
        for level in 0..=LEVEL_MAX {
            let block = Block::around(Cell::new(75, 140), level);
            assert!(block.contains(Cell::new(75, 140)));
            let ring: Vec<Cell> = block.ring().collect();
            assert_eq!(ring[0], block.origin);
            for (index, &cell) in ring.iter().enumerate() {
                assert!(block.contains(cell));
                let next = ring[(index + 1) % ring.len()];
                assert_eq!(cell.manhattan(next), u32::from(level > 0));
            }
        }
    }
}

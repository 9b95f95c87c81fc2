//! The blocks of a map: building, repair and access.

use super::{
    block::{Block, LEVEL_MAX},
    tile_blocks::{CELLS, Cutter, SIDE, TileBlocks, WALL},
};
use crate::{
    cell::Cell,
    map::{Grid, Size, Tile, TileLayout},
    rules::Rules,
};

/// A map cut into squares of uniform ground, for [`MosaicSearch`](crate::methods::MosaicSearch).
///
/// Squares have 1, 2, 4, … 64 columns and lie at multiples of their side. Each is as large as
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
/// 16 bytes a tile of 64×64 cells, and 4 KiB more for each tile that is neither wholly uniform nor
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
    /// By number of a tile.
    tiles: Box<[TileBlocks]>,
}

impl Mosaic {
    /// The mosaic of a map as it is now, for agents of one footprint and choice of classes.
    ///
    /// # Complexity
    ///
    /// A pass over all cells, 64 at a time where a tile is uniform. A footprint above 1×1
    /// should be [prepared](Grid::prepare_footprint) first.
    pub(crate) fn new(grid: &Grid, rules: impl Into<Rules>) -> Self {
        let rules = decisive(rules.into());
        let grid = grid.for_rules(rules);
        let layout = TileLayout::of(grid.size());
        let cutter = Cutter::new(grid, rules.footprint);
        let tiles = (0..layout.count()).map(|index| cutter.cut(layout.at(index)));
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
        let cutter = Cutter::new(grid, self.rules.footprint);
        let mut repaired = 0;
        for tile in grid.tiles_edited_since(self.version) {
            self.tiles[self.layout.index(tile)] = cutter.cut(tile);
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
        let blocks = |ground: &TileBlocks| match ground {
            TileBlocks::Blocked => 0,
            TileBlocks::Whole => 1,
            TileBlocks::Parts(levels) => {
                // Each cell counts as its share of a block, in parts of the smallest share.
                let levels = levels.iter().filter(|&&level| level != WALL);
                let shares = levels.map(|level| 1 << (2 * (LEVEL_MAX - level)));
                shares.sum::<u64>() >> (2 * LEVEL_MAX)
            }
        };
        self.tiles.iter().map(blocks).sum()
    }

    /// Bytes on the heap.
    #[doc(hidden)]
    pub fn heap_bytes(&self) -> usize {
        let parts = |ground: &TileBlocks| match ground {
            TileBlocks::Parts(levels) => levels.len(),
            _ => 0,
        };
        size_of_val(&*self.tiles) + self.tiles.iter().map(parts).sum::<usize>()
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
    #[inline]
    pub(crate) fn place(&self, cell: Cell) -> usize {
        let tile = self.layout.index(Tile::of(cell));
        let (x, y) = (usize::from(cell.x) % SIDE, usize::from(cell.y) % SIDE);
        tile * CELLS + usize::from(SPREAD[y] << 1 | SPREAD[x])
    }

    /// The cell with a number of [`Mosaic::place`].
    #[inline]
    pub(crate) fn cell(&self, place: usize) -> Cell {
        let within = place % CELLS;
        let tile = self.layout.at(place / CELLS);
        tile.first().moved(gathered(within), gathered(within >> 1))
    }

    /// The block of a cell; `None` where the body does not fit, and outside the map.
    #[inline]
    pub(crate) fn block(&self, cell: Cell) -> Option<Block> {
        if !self.size.contains(cell) {
            return None;
        }
        let level = match &self.tiles[self.layout.index(Tile::of(cell))] {
            TileBlocks::Blocked => return None,
            TileBlocks::Whole => LEVEL_MAX,
            TileBlocks::Parts(levels) => {
                let at = usize::from(cell.y) % SIDE * SIDE + usize::from(cell.x) % SIDE;
                *levels.get(at).filter(|&&level| level != WALL)?
            }
        };
        Some(Block::around(cell, level))
    }
}

/// The bits of each coordinate in a tile, spread apart to interleave with the other coordinate's.
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

/// The rules on which blocks depend.
fn decisive(rules: Rules) -> Rules {
    Rules::from(rules.footprint).with_classes(rules.classes)
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

//! The connected components of a map, made and repaired tile by tile.

use super::{edges::TileEdges, joined_parts::JoinedParts, tile_parts::TileParts};
use crate::{
    cell::Cell,
    index::SlicedIndex,
    map::{Grid, Size, Tile, TileLayout, nearest_cell},
    rules::{Cost, Rules},
};
use std::collections::BTreeSet;

/// The connected regions of a map for one kind of walker.
///
/// Two cells have the same label if steps and links, walked in any direction, lead from one to the
/// other. So cells with different labels have no way between them at all. Cells with the same label
/// have a way, unless one-way exits or links forbid it. Bodies and the window of a search do not
/// count.
///
/// Labels are numbered from 0 in reading order of the regions' first cells, floor by floor.
///
/// # How it works
///
/// Each [tile](Tile) is flooded by itself, a row of 64 cells at a time, which gives its parts:
/// mostly a large part, and small parts around pillars and in nooks. Then the parts of all tiles
/// are joined where they touch. An edit repeats its own tiles and the joining. All of that is done
/// [in slices](Self::repair_within), a tile at a time, at first as after edits. Until nothing is
/// [due](Self::due), no cell has a label.
///
/// # Memory
///
/// 64 bytes a tile; 8 for each row of a tile that is not wholly one part; 4 for each horizontal
/// strip of cells outside a tile's largest part, and 8 for each part. A uniform map of 5000×5000
/// takes 0.5 MiB; with walls on 20 % of its cells at random 4.4 MiB, on 30 % 7.6 MiB. The worst
/// case is a map of isolated cells: 12 bytes for each, and 4 for its size.
///
/// # References
///
/// Filling rows of bits: Gunnar Andersson's and Kogge and Stone's parallel prefix fills, as on
/// chess boards. Union–find with path halving: Tarjan and van Leeuwen, "Worst-case Analysis of
/// Set Union Algorithms", 1984.
#[derive(Clone, Debug)]
pub struct Regions {
    size: Size,
    rules: Rules,
    /// The version of the map up to which edited tiles are noticed.
    version: u64,
    tiles: TileLayout,
    /// By number of a tile.
    patches: Vec<TileParts>,
    /// The tiles to flood.
    due_parts: BTreeSet<u32>,
    /// The tiles whose parts may touch others than before.
    due_contacts: BTreeSet<u32>,
    joined: JoinedParts,
}

/// The work of flooding a tile, and of each of its parts. Measured: 2 to 3 µs on open ground, 10 µs
/// with walls on 20 % of its cells at random and 20 µs with walls on 30 %, which make 10 and 50
/// parts.
const PARTS_WORK: (u32, u32) = (50, 8);

/// The work of finding the contacts of a tile. Measured: 1 to 3 µs.
const CONTACTS_WORK: u32 = 40;

impl Regions {
    /// The regions of a map as it is now, for walkers of some rules. Only the footprint, the
    /// classes that they may enter, the corner rule and whether the metric has diagonal steps
    /// matter.
    ///
    /// # Complexity
    ///
    /// O(cells / 64) on open ground, some 5 µs a tile, and several times that where walls wind
    /// or a quarter of all cells is blocked; O(n log n) in the regions. A map of 5000×5000 takes
    /// 31 ms if it is uniform, 71 ms with walls on 20 % of its cells at random. A tile with
    /// [exits](Grid::exits) also takes a pass cell by cell.
    pub fn of(grid: &Grid, rules: Rules) -> Self {
        let mut regions = Self::begin(grid, rules);
        regions.repair(grid);
        regions
    }

    /// Finds the edited tiles. Returns the work.
    fn notice(&mut self, grid: &Grid) -> u32 {
        for tile in grid.tiles_edited_since(self.version) {
            self.due_parts.insert(self.tiles.index(tile) as u32);
        }
        self.version = grid.version();
        self.joined.begin();
        (self.tiles.count() / 64) as u32 + 1
    }

    /// Floods a tile. Returns the work.
    fn flood(&mut self, grid: &Grid, tile: usize) -> u32 {
        let edges = TileEdges::of(grid, self.rules, self.tiles.at(tile));
        self.patches[tile] = TileParts::of(&edges);
        // Contacts with the tile are kept by the tiles around it, too.
        for beside in self.tiles.around(tile) {
            self.due_contacts.insert(beside as u32);
        }
        PARTS_WORK.0 + self.patches[tile].parts.len() as u32 * PARTS_WORK.1
    }

    /// The rules of the walkers.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The region of a cell, or `None` where the walker does not fit. O(1) in the largest part of a
    /// tile, else O(log n) in the strips of its small parts.
    #[inline]
    pub fn label(&self, cell: Cell) -> Option<u32> {
        if !self.size.contains(cell) {
            return None;
        }
        let patch = self.patches.get(self.tiles.index(Tile::of(cell)))?;
        let part = patch.offset + u32::from(patch.part(cell)?);
        self.joined.label(part)
    }

    /// Whether both cells are in one region.
    #[inline]
    pub fn same(&self, a: Cell, b: Cell) -> bool {
        self.label(a)
            .is_some_and(|label| self.label(b) == Some(label))
    }

    /// The number of regions.
    pub fn count(&self) -> usize {
        self.sizes().len()
    }

    /// The number of cells of each region, by label.
    pub fn sizes(&self) -> &[u32] {
        self.joined.sizes()
    }

    /// The region with the most cells, the first of several; `None` if the walker fits nowhere.
    pub fn largest(&self) -> Option<u32> {
        let sizes = (0..).zip(self.sizes());
        sizes
            .max_by_key(|&(label, size): &(u32, _)| (size, std::cmp::Reverse(label)))
            .map(|(label, _)| label)
    }

    /// The cell of a region that is nearest to another cell, on its floor, and that has a cost, of
    /// several as near the one of the least cost; and the number of tiles and rows that were read.
    pub(crate) fn nearest(
        &self,
        region: u32,
        to: Cell,
        cost: impl Fn(Cell) -> Option<Cost>,
    ) -> (Option<Cell>, u32) {
        let parts = |tile: Tile| {
            let patch = &self.patches[self.tiles.index(tile)];
            (patch, self.joined.labels_of(patch))
        };
        let may_hold = |tile| parts(tile).1.contains(&region);
        let row = |tile, y| {
            let (patch, labels) = parts(tile);
            patch.row(y % Tile::SIDE, |part| labels[usize::from(part)] == region)
        };
        nearest_cell(self.size, to, may_hold, row, cost)
    }

    fn find_contacts(&mut self, grid: &Grid, index: usize) {
        let edges = TileEdges::of(grid, self.rules, self.tiles.at(index));
        let contacts = self.patches[index].contacts_with(&edges, |toward| {
            self.patches.get(self.tiles.neighbour(index, toward)?)
        });
        self.patches[index].contacts = contacts.into();
    }
}

impl SlicedIndex for Regions {
    fn begin(grid: &Grid, rules: Rules) -> Self {
        let tiles = TileLayout::of(grid.size());
        Self {
            size: grid.size(),
            rules,
            version: grid.version(),
            tiles,
            patches: vec![TileParts::default(); tiles.count()],
            due_parts: (0..tiles.count() as u32).collect(),
            due_contacts: (0..tiles.count() as u32).collect(),
            joined: JoinedParts::default(),
        }
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn map(&self) -> (Size, u64) {
        (self.size, self.version)
    }

    fn is_for(&self, rules: Rules) -> bool {
        self.rules.footprint == rules.footprint
            && self.rules.classes.allow_same(rules.classes)
            && self.rules.links == rules.links
            && std::ptr::eq(self.rules.move_table(), rules.move_table())
    }

    fn due(&self) -> usize {
        let is_done = self.due_contacts.is_empty() && self.joined.is_done();
        self.due_parts.len().max(usize::from(!is_done))
    }

    fn parts(&self) -> usize {
        self.tiles.count()
    }

    /// # Complexity
    ///
    /// O(1) if nothing is due. After an edit a pass over the versions of all tiles; then some 5 µs
    /// for each edited tile and each tile around, and O(n log n) in the parts of all tiles, however
    /// small the edit: 0.3 ms on a uniform map of 5000×5000, 3.4 ms with walls on 20 % of its cells
    /// at random.
    fn repair_within(&mut self, grid: &Grid, work: u32) -> u32 {
        let grid = grid.for_rules(self.rules);
        if self.size != grid.size() || self.version > grid.version() {
            *self = Self::begin(grid, self.rules);
        }
        let mut done = 0;
        if self.version != grid.version() {
            done = self.notice(grid);
        }
        // Contacts need the parts of the tiles around, and joining needs all contacts.
        while done < work {
            if let Some(tile) = self.due_parts.pop_first() {
                done += self.flood(grid, tile as usize);
            } else if let Some(tile) = self.due_contacts.pop_first() {
                self.find_contacts(grid, tile as usize);
                done += CONTACTS_WORK;
            } else if !self.joined.is_done() {
                done += self.joined.step(&mut self.patches, self.tiles, grid);
            } else {
                break;
            }
        }
        done
    }
}

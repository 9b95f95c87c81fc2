//! Which cells hang together.

use super::{edges::TileEdges, tile_parts::TileParts};
use crate::{
    cell::Cell,
    map::{Grid, Size, Tile},
    rules::Rules,
};

/// The connected regions of a map for one kind of walker.
///
/// Two cells have one label if steps and links, walked in any direction, lead from one to the
/// other. So cells with different labels have no way between them at all. Cells with one label
/// have a way, unless exits or links that lead in one direction only forbid it. Bodies and the
/// window of a search do not count.
///
/// Labels are numbered from 0 in reading order of the regions' first cells, floor by floor.
///
/// # How it works
///
/// Each [tile](Tile) is flooded by itself, a row of 64 cells at a time, which gives its parts:
/// mostly one large one, and around pillars and in nooks small ones. Then the parts of all tiles
/// are joined where they touch. An edit redoes its own tiles and the joining.
///
/// # Memory
///
/// 64 bytes a tile; 8 for each row of a tile that is not one part throughout; 4 for each strip of
/// cells in a row of any but a tile's largest part, and 8 for each part. A uniform map of
/// 5000×5000 takes 0.5 MiB; with walls on 20 % of its cells at random 4.4 MiB, on 30 % 7.6 MiB.
/// The worst is a map of cells that touch nowhere, 12 bytes for each of them, and 4 for its size.
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
    version: u64,
    tiles: TileLayout,
    /// By tile, floor by floor, row by row.
    patches: Vec<TileParts>,
    /// By part of the map.
    labels: Vec<u32>,
    sizes: Vec<u32>,
}

/// How many tiles a map has.
#[derive(Clone, Copy, Debug)]
struct TileLayout {
    columns: usize,
    rows: usize,
    floors: usize,
}

impl Regions {
    /// The regions of a map as it is now, for walkers of some rules. Of these the footprint, the
    /// corners and whether there are diagonal steps count.
    ///
    /// # Complexity
    ///
    /// O(cells / 64) on open ground, some 5 µs a tile, and several times as many where walls wind
    /// or a quarter of all cells is blocked; O(n log n) in the regions. A map of 5000×5000 takes
    /// 31 ms if it is uniform, 71 ms with walls on 20 % of its cells at random. A tile with
    /// [exits](Grid::exits) is also looked at cell by cell.
    pub fn of(grid: &Grid, rules: Rules) -> Self {
        let size = grid.size();
        let tiles = TileLayout::of(size);
        let mut regions = Self {
            size,
            rules,
            version: grid.version(),
            tiles,
            patches: Vec::with_capacity(tiles.count()),
            labels: Vec::new(),
            sizes: Vec::new(),
        };
        for index in 0..tiles.count() {
            let edges = TileEdges::of(grid, rules, tiles.at(index));
            regions.patches.push(TileParts::of(&edges));
        }
        for index in 0..tiles.count() {
            regions.find_contacts(grid, index);
        }
        regions.join(grid);
        regions
    }

    /// Brings the regions up to date after edits of the map, which may change all labels. The
    /// result is that of [`Regions::of`].
    ///
    /// On a map that is none of the later versions of the one they were made of, they are made
    /// anew; of two maps of one size that were edited equally often only the caller can tell.
    ///
    /// # Complexity
    ///
    /// As [`Regions::of`] for the edited tiles and those around, and O(n log n) in the parts of
    /// all tiles, however little was edited: 0.3 ms on a uniform map of 5000×5000, 3.4 ms with
    /// walls on 20 % of its cells at random. O(1) if nothing was edited.
    pub fn repair(&mut self, grid: &Grid) {
        if self.is_current(grid) {
            return;
        }
        if self.size != grid.size() || self.version > grid.version() {
            *self = Self::of(grid, self.rules);
            return;
        }
        let edited: Vec<usize> = grid
            .tiles_edited_since(self.version)
            .map(|tile| self.tiles.index(tile))
            .collect();
        for &index in &edited {
            let edges = TileEdges::of(grid, self.rules, self.tiles.at(index));
            if let Some(patch) = self.patches.get_mut(index) {
                *patch = TileParts::of(&edges);
            }
        }
        let mut touched: Vec<usize> = edited
            .iter()
            .flat_map(|&index| self.tiles.around(index))
            .collect();
        touched.sort_unstable();
        touched.dedup();
        for index in touched {
            self.find_contacts(grid, index);
        }
        self.join(grid);
        self.version = grid.version();
    }

    /// Whether the map has not been edited since. Of maps of one size that were edited equally
    /// often only the caller can tell which one the regions are of.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.size == grid.size() && self.version == grid.version()
    }

    /// Whether these are the regions of the map as it is now, as far as
    /// [`is_current`](Self::is_current) can tell, for walkers of such rules: of the same
    /// footprint and with the same steps.
    pub fn serve(&self, grid: &Grid, rules: Rules) -> bool {
        self.is_current(grid)
            && self.rules.footprint == rules.footprint
            && std::ptr::eq(self.rules.move_table(), rules.move_table())
    }

    /// The rules of the walkers.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The region of a cell, or `None` where the walker does not fit. O(1), but for small parts
    /// of a tile of clutter, among which it is searched for: O(log n) in their strips.
    #[inline]
    pub fn label(&self, cell: Cell) -> Option<u32> {
        if !self.size.contains(cell) {
            return None;
        }
        let patch = self.patches.get(self.tiles.index(Tile::of(cell)))?;
        let part = patch.offset + u32::from(patch.part(cell)?);
        self.labels.get(part as usize).copied()
    }

    /// Whether both cells are in one region.
    #[inline]
    pub fn same(&self, a: Cell, b: Cell) -> bool {
        self.label(a)
            .is_some_and(|label| self.label(b) == Some(label))
    }

    /// How many regions there are.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The number of cells of each region, by label.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The region of most cells, the first of several; `None` if the walker fits nowhere.
    pub fn largest(&self) -> Option<u32> {
        let sizes = (0..).zip(&self.sizes);
        sizes
            .max_by_key(|&(label, size): &(u32, _)| (size, std::cmp::Reverse(label)))
            .map(|(label, _)| label)
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.patches.capacity() * size_of::<TileParts>()
            + self
                .patches
                .iter()
                .map(TileParts::heap_bytes)
                .sum::<usize>()
            + (self.labels.capacity() + self.sizes.capacity()) * size_of::<u32>()
    }

    /// Finds where the parts of a tile touch those around.
    fn find_contacts(&mut self, grid: &Grid, index: usize) {
        let edges = TileEdges::of(grid, self.rules, self.tiles.at(index));
        let Some(patch) = self.patches.get(index) else {
            return;
        };
        let contacts = patch.contacts_with(&edges, |toward| {
            self.patches.get(self.tiles.neighbour(index, toward)?)
        });
        if let Some(patch) = self.patches.get_mut(index) {
            patch.contacts = contacts.into();
        }
    }

    /// Joins the parts of all tiles into regions.
    fn join(&mut self, grid: &Grid) {
        let mut count = 0;
        for patch in &mut self.patches {
            patch.offset = count;
            count += patch.parts.len() as u32;
        }
        let mut parents: Vec<u32> = (0..count).collect();
        for (index, patch) in self.patches.iter().enumerate() {
            for contact in &patch.contacts {
                // A contact leads to a tile of the map.
                let (dx, dy) = contact.toward;
                let way = isize::from(dy) * self.tiles.columns as isize + isize::from(dx);
                if let Some(other) = self.patches.get(index.wrapping_add_signed(way)) {
                    let here = patch.offset + u32::from(contact.here);
                    unite(&mut parents, here, other.offset + u32::from(contact.there));
                }
            }
        }
        for link in grid.links() {
            if let (Some(from), Some(to)) = (self.number(link.from), self.number(link.to)) {
                unite(&mut parents, from, to);
            }
        }
        self.number_regions(parents);
    }

    /// The part of the map that a cell belongs to.
    fn number(&self, cell: Cell) -> Option<u32> {
        let patch = self.patches.get(self.tiles.index(Tile::of(cell)))?;
        Some(patch.offset + u32::from(patch.part(cell)?))
    }

    /// Gives labels to the parts of which each points to an earlier one of its region.
    fn number_regions(&mut self, mut regions: Vec<u32>) {
        // The first cell of each region and its number of cells, as they are met.
        let mut met: Vec<(Cell, u32)> = Vec::new();
        let mut number = 0;
        for (index, patch) in self.patches.iter().enumerate() {
            let corner = self.tiles.at(index).first();
            for part in &patch.parts {
                let first = Cell {
                    x: corner.x + part.first % Tile::SIDE,
                    y: corner.y + part.first / Tile::SIDE,
                    ..corner
                };
                let parent = regions[number];
                // Earlier parts have their region's number already, the parent among them.
                let region = if parent as usize == number {
                    met.push((first, 0));
                    met.len() as u32 - 1
                } else {
                    regions[parent as usize]
                };
                regions[number] = region;
                let (least, cells) = &mut met[region as usize];
                *least = first.min(*least);
                *cells += u32::from(part.cells);
                number += 1;
            }
        }
        // The first cell and the region in one number, as there are at most 2³⁰ of either.
        let key = |(region, &(first, _)): (u64, &(Cell, u32))| {
            (self.size.index(first) as u64) << 32 | region
        };
        let mut order: Vec<u64> = (0..).zip(&met).map(key).collect();
        order.sort_unstable();
        let order = || order.iter().map(|key| *key as u32 as usize);
        let mut labels = vec![0; met.len()];
        for (label, region) in (0..).zip(order()) {
            labels[region] = label;
        }
        self.sizes = order().map(|region| met[region].1).collect();
        for region in &mut regions {
            *region = labels[*region as usize];
        }
        self.labels = regions;
    }
}

impl TileLayout {
    fn of(size: Size) -> Self {
        Self {
            columns: size.width.div_ceil(Tile::SIDE).into(),
            rows: size.height.div_ceil(Tile::SIDE).into(),
            floors: size.floors.into(),
        }
    }

    const fn count(self) -> usize {
        self.columns * self.rows * self.floors
    }

    #[inline]
    fn index(self, tile: Tile) -> usize {
        let row = usize::from(tile.floor) * self.rows + usize::from(tile.row);
        row * self.columns + usize::from(tile.column)
    }

    const fn at(self, index: usize) -> Tile {
        Tile {
            floor: (index / self.columns / self.rows) as u8,
            row: (index / self.columns % self.rows) as u8,
            column: (index % self.columns) as u8,
        }
    }

    /// The number of the tile so many columns and rows away, on the same floor.
    fn neighbour(self, index: usize, (dx, dy): (i8, i8)) -> Option<usize> {
        let column = (index % self.columns).checked_add_signed(dx.into())?;
        let row = (index / self.columns % self.rows).checked_add_signed(dy.into())?;
        let floor = index / self.columns / self.rows;
        let inside = column < self.columns && row < self.rows;
        inside.then_some((floor * self.rows + row) * self.columns + column)
    }

    /// A tile and those around it.
    fn around(self, index: usize) -> impl Iterator<Item = usize> {
        (-1..=1)
            .flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)))
            .filter_map(move |toward| self.neighbour(index, toward))
    }
}

/// Joins the regions of two parts. The earlier root stays one.
fn unite(parents: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parents, a), root(parents, b));
    parents[a.max(b) as usize] = a.min(b);
}

fn root(parents: &mut [u32], mut part: u32) -> u32 {
    while parents[part as usize] != part {
        let grandparent = parents[parents[part as usize] as usize];
        parents[part as usize] = grandparent;
        part = grandparent;
    }
    part
}

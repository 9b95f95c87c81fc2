//! The parts of all tiles joined into regions, a tile at a time.

use super::tile_parts::TileParts;
use crate::{
    cell::Cell,
    map::{Grid, Tile, TileLayout},
};

/// The regions of the parts of all tiles, and how far they are joined.
///
/// # How it works
///
/// Numbers the parts tile by tile, unites touching parts, then numbers the regions. The first
/// part of a region lies in the row of tiles with the region's first cell. So the regions that
/// begin in a row of tiles are put in order once that row is done, and no pass sorts all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct JoinedParts {
    stage: JoinStage,
    /// The next tile of the stage, or the next link.
    next: usize,
    /// By number of a part: an earlier part of its region, or itself. From [`JoinStage::Meet`] on
    /// the region, in the order in which the regions were met. At last its label.
    regions: Vec<u32>,
    /// By region, in that order: its label.
    labels: Vec<u32>,
    /// The first cells of the regions that begin in the present row of tiles, and the regions.
    begun: Vec<(Cell, u32)>,
    /// By label: the number of cells.
    sizes: Vec<u32>,
}

/// The next stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum JoinStage {
    /// Numbers the parts of a tile.
    #[default]
    Number,
    /// Unites the parts of a tile with the parts that they touch.
    Unite,
    /// Unites the parts that links join.
    Links,
    /// Numbers the regions of a tile.
    Meet,
    /// Labels the parts of a tile.
    Label,
    Done,
}

/// The parts, contacts or labels that take a unit of work, some 50 ns. Measured: 20 to 25 ns each,
/// mostly waits for memory.
const PER_WORK: usize = 2;

/// The links that are followed in a step, and the links that take a unit of work. A guess.
const LINKS: (usize, usize) = (64, 2);

impl JoinedParts {
    /// Forgets all regions and keeps the memory.
    pub(super) fn begin(&mut self) {
        self.stage = JoinStage::Number;
        self.next = 0;
        self.regions.clear();
        self.labels.clear();
        self.begun.clear();
        self.sizes.clear();
    }

    pub(super) fn is_done(&self) -> bool {
        self.stage == JoinStage::Done
    }

    /// The label of a part, once all are joined.
    #[inline]
    pub(super) fn label(&self, part: u32) -> Option<u32> {
        let label = self.regions.get(part as usize).copied();
        label.filter(|_| self.is_done())
    }

    /// The labels of the parts of a tile, once all are joined.
    pub(super) fn labels_of(&self, patch: &TileParts) -> &[u32] {
        &self.regions[patch.offset as usize..][..patch.parts.len()]
    }

    /// The number of cells of each region, by label. Empty until all parts are joined.
    pub(super) fn sizes(&self) -> &[u32] {
        if self.is_done() { &self.sizes } else { &[] }
    }

    /// Does a step, of one tile or some links. Returns its work.
    pub(super) fn step(
        &mut self,
        patches: &mut [TileParts],
        tiles: TileLayout,
        grid: &Grid,
    ) -> u32 {
        let (stage, at) = (self.stage, self.next);
        let items = match stage {
            JoinStage::Number => self.number(&mut patches[at]),
            JoinStage::Unite => self.unite(patches, tiles, at),
            JoinStage::Links => return self.follow_links(patches, tiles, grid),
            JoinStage::Meet => self.meet(&patches[at], tiles, at),
            JoinStage::Label => self.label_parts(&patches[at]),
            JoinStage::Done => return 0,
        };
        self.next += 1;
        if self.next == patches.len() {
            self.next = 0;
            self.stage = match stage {
                JoinStage::Number => JoinStage::Unite,
                JoinStage::Unite => JoinStage::Links,
                JoinStage::Links | JoinStage::Meet => {
                    self.sizes.resize(self.labels.len(), 0);
                    JoinStage::Label
                }
                JoinStage::Label | JoinStage::Done => {
                    // Only joining needs them.
                    (self.labels, self.begun) = (Vec::new(), Vec::new());
                    JoinStage::Done
                }
            };
        }
        1 + (items / PER_WORK) as u32
    }

    fn number(&mut self, patch: &mut TileParts) -> usize {
        let first = self.regions.len() as u32;
        patch.offset = first;
        self.regions.extend(first..first + patch.parts.len() as u32);
        patch.parts.len()
    }

    fn unite(&mut self, patches: &[TileParts], tiles: TileLayout, at: usize) -> usize {
        let patch = &patches[at];
        for contact in &patch.contacts {
            // A contact leads to a tile of the map.
            if let Some(other) = tiles.neighbour(at, contact.toward) {
                let here = patch.offset + u32::from(contact.here);
                let there = patches[other].offset + u32::from(contact.there);
                unite(&mut self.regions, here, there);
            }
        }
        patch.contacts.len()
    }

    fn follow_links(&mut self, patches: &[TileParts], tiles: TileLayout, grid: &Grid) -> u32 {
        let number = |cell: Cell| {
            let patch = &patches[tiles.index(Tile::of(cell))];
            Some(patch.offset + u32::from(patch.part(cell)?))
        };
        let first = self.next * LINKS.0;
        self.next += 1;
        let links = grid.links().get(first..).unwrap_or(&[]);
        for link in links.iter().take(LINKS.0) {
            if let (Some(from), Some(to)) = (number(link.from), number(link.to)) {
                unite(&mut self.regions, from, to);
            }
        }
        if links.len() < LINKS.0 {
            self.next = 0;
            self.stage = JoinStage::Meet;
        }
        1 + (links.len() / LINKS.1) as u32
    }

    fn meet(&mut self, patch: &TileParts, tiles: TileLayout, at: usize) -> usize {
        let corner = tiles.at(at).first();
        for (number, part) in (patch.offset as usize..).zip(&patch.parts) {
            let first = corner.moved(part.first % Tile::SIDE, part.first / Tile::SIDE);
            let parent = self.regions[number];
            // The parent is an earlier part, so it has its region already.
            let region = if parent as usize == number {
                self.labels.push(0);
                let region = self.labels.len() as u32 - 1;
                self.begun.push((first, region));
                region
            } else {
                self.regions[parent as usize]
            };
            self.regions[number] = region;
            let before = self.labels.len() - self.begun.len();
            if let Some(begun) = (region as usize).checked_sub(before) {
                let least = &mut self.begun[begun].0;
                *least = first.min(*least);
            }
        }
        let mut items = patch.parts.len();
        if (at + 1).is_multiple_of(tiles.columns) {
            items += self.begun.len();
            self.begun.sort_unstable();
            let before = (self.labels.len() - self.begun.len()) as u32;
            for (label, (_, region)) in (before..).zip(self.begun.drain(..)) {
                self.labels[region as usize] = label;
            }
        }
        items
    }

    fn label_parts(&mut self, patch: &TileParts) -> usize {
        for (number, part) in (patch.offset as usize..).zip(&patch.parts) {
            let label = self.labels[self.regions[number] as usize];
            self.regions[number] = label;
            self.sizes[label as usize] += u32::from(part.cells);
        }
        patch.parts.len()
    }
}

/// Joins the regions of two parts. The earlier root becomes the root of both.
fn unite(parents: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parents, a), root(parents, b));
    // The numbering of regions relies on parents that are earlier.
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

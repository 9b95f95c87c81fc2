//! Which cells hang together.

use super::{grid::Grid, size::Size};
use crate::{Cell, Rules};

/// The connected regions of a map for one kind of walker.
///
/// Two cells have one label if steps and links, walked in any direction, lead from one to the
/// other. So cells with different labels have no way between them at all. Cells with one label
/// have a way, unless exits or links that lead in one direction only forbid it. Bodies and the
/// window of a search do not count.
///
/// Labels are numbered from 0 in reading order of the regions' first cells, floor by floor.
///
/// # Memory
///
/// 4 bytes a cell, and as many a region.
///
/// # References
///
/// Union–find with path halving: Tarjan and van Leeuwen, "Worst-case Analysis of Set Union
/// Algorithms", 1984.
#[derive(Clone, Debug)]
pub struct Regions {
    size: Size,
    /// By cell; [`NONE`] where the walker does not fit.
    labels: Vec<u32>,
    sizes: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Regions {
    /// The regions of a map as it is now.
    ///
    /// # Complexity
    ///
    /// One look at every cell and link; all but linear.
    pub fn of(grid: &Grid, rules: Rules) -> Self {
        let size = grid.size();
        let fits = |cell| grid.fits(cell, rules.footprint);
        // Each cell's parent, which is never behind it in reading order.
        let mut parents: Vec<u32> = vec![NONE; size.cells() as usize];
        // A body fits at most where its anchor is walkable.
        for cell in grid.walkable_cells().filter(|&cell| fits(cell)) {
            parents[size.index(cell)] = size.index(cell) as u32;
        }
        for cell in grid.walkable_cells().filter(|&cell| fits(cell)) {
            for direction in grid.steps(cell, rules) {
                if let Some(next) = cell.step(direction) {
                    join(&mut parents, size.index(cell), size.index(next));
                }
            }
        }
        for link in grid.links() {
            if fits(link.from) && fits(link.to) {
                join(&mut parents, size.index(link.from), size.index(link.to));
            }
        }
        let mut sizes = Vec::new();
        for cell in 0..parents.len() {
            let parent = parents[cell];
            if parent == NONE {
                continue;
            }
            // Cells before this one carry their labels already, the parent among them.
            let label = if parent as usize == cell {
                sizes.push(0);
                sizes.len() as u32 - 1
            } else {
                parents[parent as usize]
            };
            parents[cell] = label;
            sizes[label as usize] += 1;
        }
        Self {
            size,
            labels: parents,
            sizes,
        }
    }

    /// The region of a cell, or `None` where the walker does not fit.
    #[inline]
    pub fn label(&self, cell: Cell) -> Option<u32> {
        if !self.size.contains(cell) {
            return None;
        }
        Some(self.labels[self.size.index(cell)]).filter(|&label| label != NONE)
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
        let by_size = |label: &u32| (self.sizes[*label as usize], std::cmp::Reverse(*label));
        (0..self.sizes.len() as u32).max_by_key(by_size)
    }
}

fn join(parents: &mut [u32], a: usize, b: usize) {
    let (a, b) = (root(parents, a), root(parents, b));
    // The earlier one is the root, so that labels follow reading order.
    parents[a.max(b)] = a.min(b) as u32;
}

fn root(parents: &mut [u32], mut cell: usize) -> usize {
    while parents[cell] as usize != cell {
        let grandparent = parents[parents[cell] as usize];
        parents[cell] = grandparent;
        cell = grandparent as usize;
    }
    cell
}

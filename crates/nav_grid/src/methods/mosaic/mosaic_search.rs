//! The search method: scratch memory and slices of the search over blocks.

use super::block_expansion::{BlockRank, MosaicCheckpoint, MosaicTask};
use crate::{
    cell::Cell,
    index::Mosaic,
    methods::stamped_costs::StampedCosts,
    path::Path,
    query::{PathQuery, PendingSearch, Resumable, SliceResult, Support, Terrain, index_for},
    rules::{COST_MAX, Cost},
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// A* over the blocks of a [`Mosaic`](crate::index::Mosaic), the leaves of a quadtree: exact, and
/// quick on wide ground.
///
/// A block is a single node. It is queued with the best cell of its ring whose cost fell since
/// the block was last crossed. To *cross* a block carries these costs over to the rest of the
/// ring and on to the blocks around. A block whose ring gets lower costs later is crossed again.
/// Cells outside of larger blocks are blocks themselves, so borders, links and exits are exact.
///
/// The path is a cheapest one. [`PathQuery::heuristic`] does not matter: the guess is always the
/// cost on open ground. [`PathQuery::fallback`] does not apply, and
/// [`Limits::expansions`](crate::Limits::expansions) counts crossings.
///
/// Equally promising blocks are ordered by guess, then floor, then tile in reading order, then
/// place along the Z-shaped curve of the tile. Of equally cheap paths, traced from the goal, the
/// search takes the path that stays in a block for longest.
///
/// Needs [blocks](crate::IndexedMap::build_mosaic), built for the footprint and classes of the
/// query. Bodies are not served.
///
/// # When to choose it
///
/// On maps with few and large obstacles: A* floods the ground behind them cell by cell, this
/// search block by block. Maps with some 30 cells to a [block](crate::index::Mosaic::block_count)
/// gain by it. Where rooms, clutter or caves leave 3 to 4 cells, A* over cells is quicker, and
/// also where nothing lies between start and goal.
///
/// # Complexity
///
/// O(side²) for each crossing of a block: every cell of the ring with a new cost is compared with
/// every other one. Memory: 16 bytes a cell of the map. Only the part that searches reach is ever
/// touched.
///
/// # References
///
/// Nodes at the borders of quadtree blocks: Yahja, Stentz, Singh and Brumitt, "Framed-Quadtree
/// Path Planning for Mobile Robots Operating in Sparse Environments", 1998. Queueing blocks
/// instead of cells: Yap, Burch, Holte and Schaeffer, "Block A*: Database-Driven Search with
/// Applications in Any-Angle Path-Planning", 2011; crossings here follow from the geometry of
/// uniform ground instead of a database.
#[derive(Clone, Debug, Default)]
pub struct MosaicSearch {
    scratch: MosaicScratch,
    under_way: PendingSearch<MosaicCheckpoint>,
}

const SUPPORT: Support = Support {
    bodies: false,
    last_steps: false,
    ..Support::ALL
};

search_method!(MosaicSearch, Mosaic, SUPPORT);

impl Resumable for MosaicSearch {
    pending_search!(MosaicCheckpoint);

    fn work_at(&self, checkpoint: &MosaicCheckpoint) -> u32 {
        checkpoint.counters.work()
    }

    fn run(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        checkpoint: Option<MosaicCheckpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<MosaicCheckpoint> {
        let grid = terrain.grid;
        let mosaic = index_for::<Self, _>(terrain, query, |indexes| {
            let built = indexes.mosaic.as_ref();
            built.filter(|mosaic| mosaic.is_of(grid, query.rules))
        });
        match mosaic {
            Ok(mosaic) => {
                MosaicTask::new(grid, mosaic, query).run(&mut self.scratch, checkpoint, slice, path)
            }
            Err(outcome) => SliceResult::Done(outcome),
        }
    }
}

/// The cost of a cell that was not reached. No path costs as much.
pub(super) const UNREACHED: Cost = COST_MAX;

/// Marks a cost that fell since the block was last crossed, in a bit that no cost needs.
pub(super) const NEWS: Cost = 1 << 31;

/// The costs of the rings of blocks, and the queue of blocks to cross.
#[derive(Clone, Debug, Default)]
pub(super) struct MosaicScratch {
    /// By [place](Mosaic::place), with marks of [news](NEWS).
    pub(super) costs: StampedCosts,
    /// By the place of the first cell of a block: the total with which it is queued.
    pub(super) queued: StampedCosts,
    /// Totals, guesses and places.
    pub(super) open: BinaryHeap<Reverse<(Cost, Cost, usize)>>,
    /// The ring of the block that is crossed: its costs before, and the new ones.
    pub(super) ring: Vec<(Cell, Cost)>,
    pub(super) news: Vec<(Cell, Cost)>,
    /// The blocks around it that got better ranks.
    pub(super) reached: Vec<(usize, BlockRank)>,
}

impl MosaicScratch {
    /// Forgets the last search and makes room for a mosaic.
    pub(super) fn start(&mut self, mosaic: &Mosaic) {
        self.costs.start(mosaic.places());
        self.queued.start(mosaic.places());
        self.open.clear();
    }

    /// The cost at a place, or [`UNREACHED`].
    pub(super) fn cost(&self, place: usize) -> Cost {
        self.costs.get(place).unwrap_or(UNREACHED)
    }
}

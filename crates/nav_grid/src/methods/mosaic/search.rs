//! The search method: scratch memory, dispatch and slices of the search over blocks.

use super::{
    scratch::MosaicScratch,
    task::{MosaicCheckpoint, MosaicTask},
};
use crate::{
    path::Path,
    query::{
        Method, Outcome, PathQuery, PendingSearch, Resumable, Search, SliceResult, Support,
        Terrain, index_for,
    },
};

/// A* over the blocks of a [`Mosaic`](crate::index::Mosaic), the leaves of a quadtree: exact, and
/// quick where ground is wide.
///
/// A block is a single node. It is queued with the best of the cells on its ring that got a
/// lower cost since it was crossed last; to *cross* it carries the costs of its ring over to
/// the other side, all at once and in the time of its circumference, not of its area, and on to
/// the blocks around. A block whose ring gets lower costs later on is crossed again. Cells that
/// are no part of a larger block are blocks themselves, so borders are exact, and so are links
/// and exits.
///
/// The path is a cheapest one, whatever [`PathQuery::heuristic`] says: the guess is always the
/// cost on open ground. [`PathQuery::fallback`] is not honoured, and
/// [`Limits::expansions`](crate::Limits::expansions) counts crossings.
///
/// Among blocks of equal promise the one with the lower guess comes first, then floor, then
/// tile in reading order, then place along the tile's Z-shaped curve. Of equally cheap paths
/// the one is taken that, traced from the goal, stays in a block for longest.
///
/// Needs [blocks](crate::IndexedMap::build_mosaic), built for the footprint of the query. Bodies
/// are not served.
///
/// # When to choose it
///
/// Where few obstacles are large: then A* floods the ground behind them cell by cell, and this
/// search block by block. Maps of some 30 cells to a [block](crate::index::Mosaic::block_count)
/// gain by it; where rooms, clutter or caves leave 3 to 4, A* over cells is quicker. It is quicker,
/// too, where nothing lies between start and goal.
///
/// # Complexity
///
/// O(side) a crossing of a block. Memory: 12 bytes a cell of the map, of which only the part is
/// ever touched that searches come to.
///
/// # References
///
/// Nodes at the borders of quadtree blocks: Yahja, Stentz, Singh and Brumitt, "Framed-Quadtree
/// Path Planning for Mobile Robots Operating in Sparse Environments", 1998. Queueing blocks in
/// the place of cells: Yap, Burch, Holte and Schaeffer, "Block A*: Database-Driven Search with
/// Applications in Any-Angle Path-Planning", 2011; crossings here follow from the geometry of
/// uniform ground instead of a database.
#[derive(Clone, Debug, Default)]
pub struct MosaicSearch {
    scratch: MosaicScratch,
    under_way: PendingSearch<MosaicCheckpoint>,
}

impl MosaicSearch {
    /// A search without memory yet; it takes what the first query needs and keeps it.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Search for MosaicSearch {
    const METHOD: Method = Method::Mosaic;
    const SUPPORT: Support = Support {
        bodies: false,
        last_steps: false,
        ..Support::ALL
    };

    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        self.run_through(terrain, query, path)
    }
}

impl Resumable for MosaicSearch {
    type Checkpoint = MosaicCheckpoint;

    fn pending(&self) -> &PendingSearch<MosaicCheckpoint> {
        &self.under_way
    }

    fn pending_mut(&mut self) -> &mut PendingSearch<MosaicCheckpoint> {
        &mut self.under_way
    }

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
        let (grid, footprint) = (terrain.grid, query.rules.footprint);
        let mosaic = index_for::<MosaicSearch, _>(terrain, query, |indexes| {
            let mosaic = indexes.mosaic.as_ref();
            mosaic.filter(|mosaic| mosaic.is_of(grid, footprint))
        });
        match mosaic {
            Ok(mosaic) => {
                MosaicTask::new(grid, mosaic, query).run(&mut self.scratch, checkpoint, slice, path)
            }
            Err(outcome) => SliceResult::Done(outcome),
        }
    }
}

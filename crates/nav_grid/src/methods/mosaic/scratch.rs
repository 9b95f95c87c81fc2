//! What a search knows about the blocks it came to.

use super::cross::UNREACHED;
use crate::{
    index::{Mosaic, mosaic::Block},
    rules::Cost,
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// The costs of rings, and which blocks wait to be crossed.
#[derive(Clone, Debug, Default)]
pub(crate) struct MosaicScratch {
    /// By [place](Mosaic::place): the cells of a block's ring take up the first places of the
    /// block. The highest bit, which no cost needs, marks [news](NEWS).
    costs: Vec<Cost>,
    /// By the place of a block's first cell: `generation << 32 | key`. Other places are idle.
    blocks: Vec<u64>,
    generation: u32,
    open: BinaryHeap<Reverse<u128>>,
}

/// Marks the cost of a cell that is lower than when its block was crossed last.
pub(crate) const NEWS: Cost = 1 << 31;

/// The key of a block without news.
const NO_KEY: u32 = u32::MAX;

/// What ranks a block: the cell with news that promises most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BlockRank {
    /// Cost so far and guess.
    pub(crate) total: Cost,
    pub(crate) guess: Cost,
}

impl BlockRank {
    pub(crate) const LAST: Self = Self {
        total: NO_KEY,
        guess: NO_KEY,
    };
}

impl MosaicScratch {
    /// Forgets everything and makes room for a mosaic.
    pub(crate) fn start(&mut self, mosaic: &Mosaic) {
        let places = mosaic.places();
        if self.blocks.len() < places {
            // Fresh memory instead of a larger copy: the pages of places that no search comes
            // to are then never touched.
            self.costs = vec![0; places];
            self.blocks = vec![0; places];
            self.generation = 0;
        }
        if self.generation == u32::MAX {
            self.blocks.fill(0);
            self.generation = 0;
        }
        self.generation += 1;
        self.open.clear();
    }

    /// Whether the search came to a block.
    #[inline]
    pub(crate) fn knows(&self, place: usize) -> bool {
        self.blocks
            .get(place)
            .is_some_and(|state| (state >> 32) as u32 == self.generation)
    }

    /// The costs of a block's ring, all of them unreached if it is new, and whether it is.
    #[inline]
    pub(crate) fn ring(&mut self, place: usize, block: Block) -> (&mut [Cost], bool) {
        let new = !self.knows(place);
        let ring = &mut self.costs[place..place + block.ring_len()];
        if new {
            ring.fill(UNREACHED);
            self.blocks[place] = u64::from(self.generation) << 32 | u64::from(NO_KEY);
        }
        (ring, new)
    }

    /// The costs of the ring of a block that the search came to.
    #[inline]
    pub(crate) fn known_ring(&self, place: usize, block: Block) -> Option<&[Cost]> {
        self.knows(place)
            .then(|| &self.costs[place..place + block.ring_len()])
    }

    /// Queues a block for news of a rank, and returns whether it was not queued for better.
    #[inline]
    pub(crate) fn push(&mut self, place: usize, rank: BlockRank) -> bool {
        let state = &mut self.blocks[place];
        if rank.total >= *state as u32 {
            return false;
        }
        *state = *state >> 32 << 32 | u64::from(rank.total);
        let key = u128::from(rank.total) << 64 | u128::from(rank.guess) << 32 | place as u128;
        self.open.push(Reverse(key));
        true
    }

    /// Takes the best entry off the queue: its rank, and the place of its block, or `None` for
    /// the latter if the block was crossed since it was queued.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(BlockRank, Option<usize>)> {
        let Reverse(key) = self.open.pop()?;
        let rank = BlockRank {
            total: (key >> 64) as Cost,
            guess: (key >> 32) as Cost,
        };
        let place = key as u32 as usize;
        let state = &mut self.blocks[place];
        if *state as u32 != rank.total {
            return Some((rank, None));
        }
        *state |= u64::from(NO_KEY);
        Some((rank, Some(place)))
    }
}

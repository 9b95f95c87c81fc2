//! The costs at the borders of blocks, and the queue of blocks.

use super::cross::UNREACHED;
use crate::{
    index::{Mosaic, mosaic::Block},
    rules::Cost,
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// The costs of rings, and the queue of blocks to cross.
#[derive(Clone, Debug, Default)]
pub(crate) struct RingCosts {
    /// By [place](Mosaic::place). The ring of a block takes up the first places of the block. The
    /// highest bit, which no cost needs, marks [news](NEWS).
    costs: Vec<Cost>,
    /// By the place of the first cell of a block: `generation << 32 | key`.
    blocks: Vec<u64>,
    generation: u32,
    open: BinaryHeap<Reverse<u128>>,
}

/// Marks a cost that fell since the block was last crossed.
pub(crate) const NEWS: Cost = 1 << 31;

/// The key of a block without news.
const NO_KEY: u32 = u32::MAX;

/// The rank of a block: that of the best cell with news.
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

impl RingCosts {
    /// Forgets the last search and makes room for a mosaic.
    pub(crate) fn start(&mut self, mosaic: &Mosaic) {
        let places = mosaic.places();
        if self.blocks.len() < places {
            // Fresh memory instead of a larger copy, so that pages of places that no search
            // reaches are never touched.
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

    /// Whether the search reached a block.
    #[inline]
    fn knows(&self, place: usize) -> bool {
        self.blocks
            .get(place)
            .is_some_and(|state| (state >> 32) as u32 == self.generation)
    }

    /// The costs of the ring of a block, and whether the block is new, with all costs unreached.
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

    /// The costs of the ring of a block that the search reached.
    #[inline]
    pub(crate) fn known_ring(&self, place: usize, block: Block) -> Option<&[Cost]> {
        self.knows(place)
            .then(|| &self.costs[place..place + block.ring_len()])
    }

    /// Queues a block. Returns `false` if it was queued with this rank or a better one.
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

    /// Removes the best entry from the queue. Returns its rank and the place of its block, or
    /// `None` for the place if the block was crossed since.
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

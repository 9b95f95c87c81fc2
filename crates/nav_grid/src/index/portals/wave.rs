//! Distances inside a cluster by waves, a machine word a row.

use super::{
    cluster::{ClusterGround, ClusterRows, NO_ROWS, SIDE, Spot, is_in},
    flood::CostFlood,
};
use crate::{cell::Direction, rules::IntegerCosts};

/// The direction of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaveDirection {
    /// From the places of walkers to the places that they can reach.
    Forward,
    /// From the goals of walkers to the places from which they can be reached.
    Backward,
}

/// A breadth-first wave from one or more spots of a cluster, one front for each unit of cost. Where
/// cells have exits or step costs it is a [flood](CostFlood) instead.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClusterWave {
    fronts: Vec<WaveFront>,
    /// The number of fronts of the last wave; later entries are memory of earlier waves.
    count: usize,
    flood: CostFlood,
}

/// Spots of a flood that take as long as a front. Measured: 50 ns a spot, 100 ns a front.
const SPOTS_PER_FRONT: u32 = 2;

/// The spots that a wave reaches at one cost.
#[derive(Clone, Copy, Debug)]
struct WaveFront {
    rows: ClusterRows,
    /// The blocks of rows with spots, a bit each.
    blocks: u8,
    /// The blocks that a step from these spots may reach.
    reach: u8,
}

const NO_FRONT: WaveFront = WaveFront {
    rows: NO_ROWS,
    blocks: 0,
    reach: 0,
};

/// Rows of a block: a front is computed only in the blocks near the fronts before: eight
/// rows of 32 bits are two or one vectors, and a whole cluster is four blocks.
const BLOCK: usize = 8;
const BLOCKS: usize = SIDE as usize / BLOCK;

impl WaveFront {
    /// Finds the blocks with spots, among some blocks.
    #[inline]
    fn find_blocks(&mut self, blocks: u8) {
        for block in in_blocks(blocks) {
            let (first, end) = (block * BLOCK + 1, (block + 1) * BLOCK + 1);
            let rows = &self.rows[first..end];
            if rows.iter().fold(0, |any, row| any | row) == 0 {
                continue;
            }
            self.blocks |= 1 << block;
            // Only spots in the outer rows of a block lead to the next block.
            self.reach |= 1 << block;
            self.reach |= u8::from(self.rows[end - 1] != 0) << (block + 1);
            self.reach |= u8::from(self.rows[first] != 0) << block >> 1;
        }
        self.reach &= (1 << BLOCKS) - 1;
    }

    /// The rows of the blocks from its first spot to its last one.
    #[inline]
    fn span(&self) -> std::ops::Range<usize> {
        let first = self.blocks.trailing_zeros() as usize;
        let end = (u8::BITS - self.blocks.leading_zeros()) as usize;
        first.min(end) * BLOCK + 1..end * BLOCK + 1
    }
}

/// The numbers of the bits that are set.
#[inline]
fn in_blocks(blocks: u8) -> impl Iterator<Item = usize> {
    (0..BLOCKS).filter(move |block| blocks >> block & 1 == 1)
}

impl ClusterWave {
    /// The number of fronts of the last wave, empty ones included, or of fronts that take as long
    /// as the last flood, and 0 when called again. Drops the wave.
    pub(crate) fn take_fronts(&mut self) -> u32 {
        let flooded = std::mem::take(&mut self.flood.passed) / SPOTS_PER_FRONT;
        std::mem::take(&mut self.count) as u32 + flooded
    }

    /// Runs until the wave ends or `visit` returns `false`, which is called for each front with
    /// spots, with its cost and the range of its rows. Seeds are costs and spots, the cheapest
    /// first.
    pub(crate) fn run(
        &mut self,
        ground: &ClusterGround,
        step_costs: IntegerCosts,
        way: WaveDirection,
        seeds: impl IntoIterator<Item = (u32, Spot)>,
        mut visit: impl FnMut(u32, &ClusterRows, std::ops::Range<usize>) -> bool,
    ) {
        let mut seeds = seeds.into_iter().peekable();
        self.count = 0;
        self.flood.passed = 0;
        let Some(&(first, _)) = seeds.peek() else {
            return;
        };
        if let Some(mixed) = &ground.mixed {
            self.flood
                .run((ground, mixed), step_costs, way, seeds, visit);
            return;
        }
        // The cost of front 0; gaps between far seeds are skipped.
        let mut base = first;
        let mut fresh = ground.free;
        let longest = step_costs.straight.max(step_costs.diagonal);
        // Without diagonal steps this is 0: the front being made, which is not in `done` yet.
        let back = step_costs.diagonal;
        let mut empty = 0;
        loop {
            let at = self.count;
            let cost = base + at as u32;
            if self.fronts.len() == at {
                self.fronts.push(NO_FRONT);
            }
            let (done, rest) = self.fronts.split_at_mut(at);
            let next = &mut rest[0];
            let before = |step: usize| at.checked_sub(step).and_then(|at| done.get(at));
            let straight = before(step_costs.straight).unwrap_or(&NO_FRONT);
            let diagonal = before(back).unwrap_or(&NO_FRONT);
            // The memory of an earlier wave's front.
            *next = NO_FRONT;
            let mut reach = straight.reach | diagonal.reach;
            if reach != 0 {
                let fronts = (&straight.rows, &diagonal.rows);
                ground.spread(fronts, reach, (&mut fresh, &mut next.rows));
            }
            while let Some((_, spot)) = seeds.next_if(|&(due, _)| due <= cost) {
                if is_in(&fresh, spot) {
                    let row = usize::from(spot / SIDE) + 1;
                    next.rows[row] |= 1 << (spot % SIDE);
                    fresh[row] &= !(1 << (spot % SIDE));
                    reach |= 1 << ((row - 1) / BLOCK);
                }
            }
            next.find_blocks(reach);
            self.count += 1;
            if next.blocks != 0 {
                empty = 0;
                if !visit(cost, &next.rows, next.span()) {
                    return;
                }
                continue;
            }
            empty += 1;
            // No step reaches further back, so only a seed can continue the wave.
            if empty >= longest {
                let Some(&(due, _)) = seeds.peek() else {
                    return;
                };
                base = due;
                self.count = 0;
                empty = 0;
            }
        }
    }

    /// Walks from a spot that a wave without gaps reached at `cost` back to its seed, and calls
    /// `visit` with every spot but the seed, the last one first.
    ///
    /// Among equally cheap ways it takes a straight step before a diagonal one, then the first one
    /// clockwise from north.
    pub(crate) fn trace(
        &self,
        ground: &ClusterGround,
        step_costs: IntegerCosts,
        end: Spot,
        cost: u32,
        mut visit: impl FnMut(Spot),
    ) {
        if let Some(mixed) = &ground.mixed {
            self.flood.trace((ground, mixed), step_costs, end, visit);
            return;
        }
        let (mut spot, mut cost) = (end, cost as usize);
        let fronts = self.fronts.get(..self.count).unwrap_or_default();
        while cost > 0 {
            visit(spot);
            let before = |step: usize, diagonal: bool| {
                let at = cost.checked_sub(step).filter(|_| step > 0)?;
                let from = ground.origin(&fronts.get(at)?.rows, spot, diagonal)?;
                Some((from, at))
            };
            let straight = before(step_costs.straight, false);
            // Every spot of a front was reached from one before it.
            let Some(before) = straight.or_else(|| before(step_costs.diagonal, true)) else {
                return;
            };
            (spot, cost) = before;
        }
    }
}

/// Straight or diagonal directions, with the difference that a step makes to a spot.
type BackSteps = [(Direction, i16); 4];

const STRAIGHT: BackSteps = [
    (Direction::North, -(SIDE as i16)),
    (Direction::East, 1),
    (Direction::South, SIDE as i16),
    (Direction::West, -1),
];

const DIAGONAL: BackSteps = [
    (Direction::NorthEast, 1 - SIDE as i16),
    (Direction::SouthEast, 1 + SIDE as i16),
    (Direction::SouthWest, SIDE as i16 - 1),
    (Direction::NorthWest, -1 - (SIDE as i16)),
];

impl ClusterGround {
    /// The first spot of a front from which a straight step leads to `spot`, or a diagonal step.
    #[inline]
    fn origin(&self, front: &ClusterRows, spot: Spot, diagonal: bool) -> Option<Spot> {
        let (column, row) = (spot % SIDE, usize::from(spot / SIDE) + 1);
        // The three columns around the spot, as bits. One shift to the left first, so that column
        // -1 needs no case of its own.
        let around = |row: usize| u64::from(front[row]) << 1 >> column;
        let (above, here, below) = (around(row - 1), around(row), around(row + 1));
        let ([a, b, c, d], backs) = if diagonal {
            ([above >> 2, below >> 2, below, above], DIAGONAL)
        } else {
            ([above >> 1, here >> 2, below >> 1, here], STRAIGHT)
        };
        let mut found = a & 1 | (b & 1) << 1 | (c & 1) << 2 | (d & 1) << 3;
        while found != 0 {
            let (back, by) = backs[found.trailing_zeros() as usize];
            let from = spot.wrapping_add_signed(by);
            // The usual case needs no look at walls: the step itself was legal on the way here.
            let plain = !self.strict || !diagonal;
            if plain || self.allows(from, back.opposite()) == Some(spot) {
                return Some(from);
            }
            found &= found - 1;
        }
        None
    }

    /// Moves the reached spots of some blocks from `fresh` to `next`. Straight steps start in the
    /// first front and diagonal steps in the second one.
    #[inline]
    fn spread(
        &self,
        fronts: (&ClusterRows, &ClusterRows),
        blocks: u8,
        (fresh, next): (&mut ClusterRows, &mut ClusterRows),
    ) {
        for block in in_blocks(blocks) {
            if self.strict {
                self.spread_by::<true>(fronts, block, fresh, next);
            } else {
                self.spread_by::<false>(fronts, block, fresh, next);
            }
        }
    }

    /// One block: its fixed number of rows becomes vectors.
    #[inline]
    fn spread_by<const STRICT: bool>(
        &self,
        (straight, diagonal): (&ClusterRows, &ClusterRows),
        block: usize,
        fresh: &mut ClusterRows,
        next: &mut ClusterRows,
    ) {
        let first = block * BLOCK;
        let window = |rows: &ClusterRows| -> [u32; BLOCK + 2] {
            let rows = &rows[first..first + BLOCK + 2];
            rows.try_into().unwrap_or_default()
        };
        let (straight, diagonal) = (window(straight), window(diagonal));
        let (free, fresh_before) = (window(&self.free), window(fresh));
        let mut new = [0; BLOCK];
        for row in 0..BLOCK {
            let here = straight[row + 1];
            let by_straight = here << 1 | here >> 1 | straight[row] | straight[row + 2];
            let (up, down) = (diagonal[row], diagonal[row + 2]);
            let by_diagonal = if STRICT {
                // Both corners of a diagonal step must be free: first the corner in this row, then
                // the corner in the row of the start.
                let (up, down) = (up & free[row + 1], down & free[row + 1]);
                (up << 1 | up >> 1) & free[row] | (down << 1 | down >> 1) & free[row + 2]
            } else {
                up << 1 | up >> 1 | down << 1 | down >> 1
            };
            new[row] = (by_straight | by_diagonal) & fresh_before[row + 1];
        }
        // Written at the end, so that the loop above reads and writes no common memory.
        next[first + 1..=first + BLOCK].copy_from_slice(&new);
        for (fresh, new) in fresh[first + 1..].iter_mut().zip(new) {
            *fresh &= !new;
        }
    }
}

//! Distances inside a cluster by waves, a machine word a row.

use super::cluster::{ClusterGround, ClusterRows, NO_ROWS, SIDE, Spot, is_in};
use crate::{cell::Direction, rules::IntegerCosts};

/// Which way a wave runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaveDirection {
    /// From where walkers are to where they can go.
    Forward,
    /// From where walkers want to be to where they can come from.
    Backward,
}

/// A breadth-first wave from one or more spots of a cluster, one front for each unit of cost.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClusterWave {
    fronts: Vec<WaveFront>,
    /// How many of the fronts are this wave's.
    count: usize,
}

/// The spots that a wave comes to at one cost.
#[derive(Clone, Copy, Debug)]
struct WaveFront {
    rows: ClusterRows,
    /// The blocks of rows that have spots, a bit each.
    blocks: u8,
    /// The blocks that a step from there may lead to.
    reach: u8,
}

const NO_FRONT: WaveFront = WaveFront {
    rows: NO_ROWS,
    blocks: 0,
    reach: 0,
};

/// Rows of a block: of a front only the blocks near the last ones are looked at.
const BLOCK: usize = 8;
const BLOCKS: usize = SIDE as usize / BLOCK;

impl WaveFront {
    /// Notes which blocks have spots.
    #[inline]
    fn survey(&mut self, blocks: u8) {
        for block in in_blocks(blocks) {
            let (first, end) = (block * BLOCK + 1, (block + 1) * BLOCK + 1);
            let rows = &self.rows[first..end];
            if rows.iter().fold(0, |any, row| any | row) == 0 {
                continue;
            }
            self.blocks |= 1 << block;
            self.reach |= 1 << block;
            self.reach |= u8::from(self.rows[end - 1] != 0) << (block + 1);
            self.reach |= u8::from(self.rows[first] != 0) << block >> 1;
        }
        self.reach &= (1 << BLOCKS) - 1;
    }

    /// The rows between its first spot and its last one, and few others.
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
    /// How many fronts the last wave had, empty ones included; none if that was asked before.
    /// Forgets the wave.
    pub(crate) fn take_fronts(&mut self) -> u32 {
        std::mem::take(&mut self.count) as u32
    }

    /// Runs until the wave dies or `visit`, called with each front that has spots, its cost and
    /// its rows, answers `false`. Seeds are costs and spots, the cheapest first.
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
        let Some(&(first, _)) = seeds.peek() else {
            return;
        };
        // What fronts are numbered from; gaps between far seeds are skipped.
        let mut base = first;
        let mut fresh = ground.free;
        let longest = step_costs.straight.max(step_costs.diagonal);
        // Without diagonal steps no front is as far back.
        let back = if step_costs.diagonal > 0 {
            step_costs.diagonal
        } else {
            usize::MAX
        };
        let mut empty = 0;
        loop {
            let at = self.count;
            let cost = base + at as u32;
            if self.fronts.len() == at {
                self.fronts.push(NO_FRONT);
            }
            let (done, rest) = self.fronts.split_at_mut(at);
            let Some(next) = rest.first_mut() else { return };
            let before = |step: usize| at.checked_sub(step).and_then(|at| done.get(at));
            let straight = before(step_costs.straight).unwrap_or(&NO_FRONT);
            let diagonal = before(back).unwrap_or(&NO_FRONT);
            *next = NO_FRONT;
            let mut reach = straight.reach | diagonal.reach;
            if reach != 0 {
                let fronts = (&straight.rows, &diagonal.rows);
                match &ground.exits {
                    None => ground.spread(fronts, reach, &mut fresh, &mut next.rows),
                    Some(planes) => {
                        let steps = ExitSteps {
                            ground,
                            planes,
                            way,
                        };
                        steps.spread(fronts, &mut fresh, &mut next.rows);
                    }
                }
            }
            while let Some((_, spot)) = seeds.next_if(|&(due, _)| due <= cost) {
                if is_in(&fresh, spot) {
                    let row = usize::from(spot / SIDE) + 1;
                    next.rows[row] |= 1 << (spot % SIDE);
                    fresh[row] &= !(1 << (spot % SIDE));
                    reach |= 1 << ((row - 1) / BLOCK);
                }
            }
            next.survey(reach);
            self.count += 1;
            if next.blocks != 0 {
                empty = 0;
                if !visit(cost, &next.rows, next.span()) {
                    return;
                }
                continue;
            }
            empty += 1;
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

    /// Walks from a spot that a wave without gaps came to at `cost` back to its seed, and calls
    /// `visit` with every spot but the seed, the last one first.
    ///
    /// Among equally cheap ways it takes the diagonal step last, then the first one clockwise
    /// from north.
    pub(crate) fn trace(
        &self,
        ground: &ClusterGround,
        step_costs: IntegerCosts,
        end: Spot,
        cost: u32,
        mut visit: impl FnMut(Spot),
    ) {
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

/// Straight directions, or diagonal ones, with what a spot differs by from the one it is that way
/// of.
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
    /// The first of the spots a straight step away from one, or a diagonal one, that is in a
    /// front and may be left for it.
    #[inline]
    fn origin(&self, front: &ClusterRows, spot: Spot, diagonal: bool) -> Option<Spot> {
        let (column, row) = (spot % SIDE, usize::from(spot / SIDE) + 1);
        // The three columns around the spot, as bits.
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
            let plain = self.exits.is_none() && (!self.strict || !diagonal);
            if plain || self.allows(from, back.opposite()) == Some(spot) {
                return Some(from);
            }
            found &= found - 1;
        }
        None
    }

    /// Puts the spots that straight steps out of the first front and diagonal steps out of the
    /// second one newly come to into `next`, as far as they lie in some blocks, and takes them
    /// out of `fresh`.
    #[inline]
    fn spread(
        &self,
        fronts: (&ClusterRows, &ClusterRows),
        blocks: u8,
        fresh: &mut ClusterRows,
        next: &mut ClusterRows,
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
            let rows = rows.get(first..first + BLOCK + 2);
            rows.and_then(|rows| rows.try_into().ok())
                .unwrap_or_default()
        };
        let (straight, diagonal) = (window(straight), window(diagonal));
        let (free, fresh_before) = (window(&self.free), window(fresh));
        let mut new = [0; BLOCK];
        for row in 0..BLOCK {
            let here = straight[row + 1];
            let by_straight = here << 1 | here >> 1 | straight[row] | straight[row + 2];
            let (up, down) = (diagonal[row], diagonal[row + 2]);
            let by_diagonal = if STRICT {
                // Both cells beside a diagonal step must be free.
                let (up, down) = (up & free[row + 1], down & free[row + 1]);
                (up << 1 | up >> 1) & free[row] | (down << 1 | down >> 1) & free[row + 2]
            } else {
                up << 1 | up >> 1 | down << 1 | down >> 1
            };
            new[row] = (by_straight | by_diagonal) & fresh_before[row + 1];
        }
        next[first + 1..=first + BLOCK].copy_from_slice(&new);
        for (fresh, new) in fresh[first + 1..].iter_mut().zip(new) {
            *fresh &= !new;
        }
    }
}

/// Steps where exits count, a direction at a time.
struct ExitSteps<'a> {
    ground: &'a ClusterGround,
    planes: &'a [ClusterRows; 8],
    way: WaveDirection,
}

impl ExitSteps<'_> {
    fn spread(
        &self,
        (straight, diagonal): (&ClusterRows, &ClusterRows),
        fresh: &mut ClusterRows,
        next: &mut ClusterRows,
    ) {
        let free = &self.ground.free;
        for row in 1..=usize::from(SIDE) {
            let mut new = 0;
            for direction in Direction::ALL {
                let (dx, dy) = direction.delta();
                let front = if direction.is_diagonal() {
                    diagonal
                } else {
                    straight
                };
                let corners = direction.is_diagonal() && self.ground.strict;
                let exits = &self.planes[direction as usize];
                new |= match self.way {
                    WaveDirection::Forward => {
                        let from = row.wrapping_add_signed(-dy as isize);
                        let mut leaving = front[from] & exits[from];
                        if corners {
                            leaving &= shifted(free[from], -dx) & free[row];
                        }
                        shifted(leaving, dx)
                    }
                    WaveDirection::Backward => {
                        let to = row.wrapping_add_signed(dy as isize);
                        let mut leaving = shifted(front[to], -dx) & exits[row];
                        if corners {
                            leaving &= shifted(free[row], -dx) & free[to];
                        }
                        leaving
                    }
                };
            }
            new &= fresh[row];
            next[row] = new;
            fresh[row] ^= new;
        }
    }
}

/// A row moved so many columns to the right.
const fn shifted(row: u32, columns: i32) -> u32 {
    if columns >= 0 {
        row << columns
    } else {
        row >> -columns
    }
}

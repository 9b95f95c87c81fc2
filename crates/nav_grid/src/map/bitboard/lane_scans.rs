//! Where straight scans for jump points end, along the lanes of a board.

use super::{board::Bitboard, lanes::Lanes};
use crate::{
    bits::{Wide, widely},
    rules::CornerRule,
};
use std::ops::RangeInclusive;

/// Scans along the lanes of a board, toward higher bits and toward lower ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LaneScans {
    pub(super) up: LaneScan,
    pub(super) down: LaneScan,
}

/// Scans in one direction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LaneScan {
    /// The cells at which a walker must stop: walls, and *jump points*, beside which the walls
    /// leave a way that only this cell opens.
    ///
    /// Going east under [`CornerRule::Strict`], jump points are cells above or below which a
    /// wall has just ended: that cell is free and the one west of it is not. Under
    /// [`CornerRule::Cut`] the walker can turn one cell sooner, beside the last cell of the
    /// wall.
    pub(super) ends: Bitboard,
    /// The cells from which a scan ends at a jump point.
    pub(super) live: Bitboard,
}

/// A [`LaneScan`] of one floor, to read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScanLanes<'a> {
    pub(crate) ends: Lanes<'a>,
    pub(crate) live: Lanes<'a>,
}

impl LaneScans {
    pub(super) fn each_mut(&mut self) -> [&mut LaneScan; 2] {
        [&mut self.up, &mut self.down]
    }

    /// The cells from which scans are live, upward and downward.
    pub(super) fn live(&self) -> [&Bitboard; 2] {
        [&self.up.live, &self.down.live]
    }

    /// Marks where scans end in all lanes of a board whose lanes are single words.
    pub(super) fn mark_narrow(&mut self, free: &Bitboard, lanes: usize, corners: CornerRule) {
        let first = free.bit(0, 0, 0) / 64;
        let [ups, downs] = self.each_mut().map(|scan| {
            let LaneScan { ends, live } = scan;
            [ends, live].map(|board| &mut board.words[first..][..lanes])
        });
        let free = &free.words[first - 1..];
        match corners {
            CornerRule::Strict => widely(NarrowScan::<true>(free, ups, downs)),
            CornerRule::Cut => widely(NarrowScan::<false>(free, ups, downs)),
        }
    }

    /// Marks where scans end after an edit that changes some words of a lane. Returns the words
    /// that were updated.
    pub(super) fn mark(
        &mut self,
        free: &Bitboard,
        lane: LaneWords,
        corners: CornerRule,
    ) -> RangeInclusive<usize> {
        for at in lane.first..=lane.last {
            let walls = !free.words[at];
            let (mut ups, mut downs) = (walls, walls);
            for beside in [at - free.words_per_row, at + free.words_per_row] {
                let cells = free.words[beside];
                // The cell one bit below each, and the one above.
                let below = cells << 1 | free.words[beside - 1] >> 63;
                let above = cells >> 1 | free.words[beside + 1] << 63;
                match corners {
                    CornerRule::Strict => {
                        ups |= cells & !below;
                        downs |= cells & !above;
                    }
                    CornerRule::Cut => {
                        ups |= !cells & above;
                        downs |= !cells & below;
                    }
                }
            }
            self.up.ends.words[at] = ups;
            self.down.ends.words[at] = downs;
        }
        self.up.relight_up(free, lane)..=self.down.relight_down(free, lane)
    }
}

impl LaneScan {
    /// Updates the live cells of scans toward higher bits, from the edited words backward. Stops at
    /// the first word that does not change and returns it.
    fn relight_up(&mut self, free: &Bitboard, lane: LaneWords) -> usize {
        for at in (lane.start..=lane.last).rev() {
            let next = self.found(free, at + 1) & 1;
            let mut found = self.ends.words[at] & free.words[at];
            let mut way = free.words[at];
            found |= way & next << 63;
            // Spreads along the free cells, over twice as many each time.
            for step in [1, 2, 4, 8, 16, 32] {
                found |= way & found >> step;
                way &= way >> step;
            }
            let live = found >> 1 | next << 63;
            let before = std::mem::replace(&mut self.live.words[at], live);
            if before == live && at < lane.first {
                return at;
            }
        }
        lane.start
    }

    /// As [`relight_up`](Self::relight_up) for scans toward lower bits, forward.
    fn relight_down(&mut self, free: &Bitboard, lane: LaneWords) -> usize {
        for at in lane.first..=lane.end {
            let next = self.found(free, at - 1) >> 63;
            let mut found = self.ends.words[at] & free.words[at];
            let mut way = free.words[at];
            found |= way & next;
            for step in [1, 2, 4, 8, 16, 32] {
                found |= way & found << step;
                way &= way << step;
            }
            let live = found << 1 | next;
            let before = std::mem::replace(&mut self.live.words[at], live);
            if before == live && at > lane.last {
                return at;
            }
        }
        lane.end
    }

    /// The cells of a word that are jump points, or from which a scan ends at one.
    fn found(&self, free: &Bitboard, at: usize) -> u64 {
        free.words[at] & (self.ends.words[at] | self.live.words[at])
    }
}

/// Some words of a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneWords {
    /// The first word of the lane.
    start: usize,
    first: usize,
    last: usize,
    /// The last word of the lane.
    end: usize,
}

impl LaneWords {
    /// The words with the cells from column `left` to column `right` of a row.
    pub(super) fn of(board: &Bitboard, left: u16, right: u16, y: u16, floor: u8) -> Self {
        let start = board.bit(0, y, floor) / 64;
        Self {
            start,
            first: start + usize::from(left / 64),
            last: start + usize::from(right / 64),
            end: start + board.words_per_row - 1,
        }
    }
}

/// Marks the ends and the live cells of scans up and of scans down, in lanes that are single words.
/// The free cells begin one word before the first lane.
struct NarrowScan<'a, const STRICT: bool>(&'a [u64], [&'a mut [u64]; 2], [&'a mut [u64]; 2]);

impl<const STRICT: bool> Wide for NarrowScan<'_, STRICT> {
    type Answer = ();

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "wide vectors are for what is inlined into `widely`"
    )]
    fn run(self) {
        let Self(free, [up_ends, up_live], [down_ends, down_live]) = self;
        let lanes = up_ends.len();
        // All of one length, so that the loop has no bounds checks and becomes vectors.
        let [before, here, after] = [0, 1, 2].map(|from| &free[from..][..lanes]);
        let (up_live, down_ends) = (&mut up_live[..lanes], &mut down_ends[..lanes]);
        let down_live = &mut down_live[..lanes];
        for lane in 0..lanes {
            let way = here[lane];
            let (mut ups, mut downs) = (!way, !way);
            for beside in [before[lane], after[lane]] {
                if STRICT {
                    ups |= beside & !(beside << 1);
                    downs |= beside & !(beside >> 1);
                } else {
                    ups |= !beside & beside >> 1;
                    downs |= !beside & beside << 1;
                }
            }
            up_ends[lane] = ups;
            down_ends[lane] = downs;
            let (mut up, mut up_way) = (ups & way, way);
            let (mut down, mut down_way) = (downs & way, way);
            for step in [1, 2, 4, 8, 16, 32] {
                up |= up_way & up >> step;
                up_way &= up_way >> step;
                down |= down_way & down << step;
                down_way &= down_way << step;
            }
            up_live[lane] = up >> 1;
            down_live[lane] = down << 1;
        }
    }
}

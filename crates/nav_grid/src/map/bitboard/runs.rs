//! Where a diagonal run has to halt.

use super::{Bitboard, Lanes};
use crate::{CornerRule, Size};

/// The cells at which a walker must halt that runs northeast, southeast, southwest or northwest:
/// where its next step is not legal, where a look along the row to the side it runs to ends at a
/// jump point, and where the step there opens a way that no other does. The last are cells behind
/// corners that it cut.
///
/// # Memory
///
/// Four bits a cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    halts: [Bitboard; 4],
}

impl Runs {
    pub(super) fn reset(&mut self, size: Size) {
        for halts in &mut self.halts {
            halts.reset(size);
        }
    }

    /// Brings a word of a row up to date after an edit, from the cells that are free and those
    /// from which looks east and west are live.
    #[inline]
    pub(super) fn mark(
        &mut self,
        free: &Bitboard,
        at: usize,
        (east_live, west_live): (u64, u64),
        corners: CornerRule,
    ) {
        let row = |at: usize| {
            let [before, here, after] = [at - 1, at, at + 1].map(|at| free.words[at]);
            // The cells of the row, those to the east of each, and those to the west.
            [here, here >> 1 | after << 63, here << 1 | before >> 63]
        };
        let here = row(at);
        let above = row(at - free.words_per_row);
        let below = row(at + free.words_per_row);
        let (east, west) = (1, 2);
        for (halts, next, behind, side, live) in [
            (0, above, below, east, east_live),
            (1, below, above, east, east_live),
            (2, below, above, west, west_live),
            (3, above, below, west, west_live),
        ] {
            let halt = match corners {
                CornerRule::Strict => !(here[side] & next[0] & next[side]),
                CornerRule::Cut => {
                    let back = 3 - side;
                    !next[side] | !here[back] & next[back] | !behind[0] & behind[side]
                }
            };
            self.halts[halts].words[at] = halt | live;
        }
    }

    /// The halts of a floor on runs northeast, southeast, southwest and northwest.
    pub(super) fn lanes(&self, floor: u8) -> [Lanes<'_>; 4] {
        self.halts.each_ref().map(|halts| halts.lanes(floor))
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.halts.iter().map(Bitboard::heap_bytes).sum()
    }
}

//! Which steps lead on where not all can be taken back.

use super::field_window::{FIRST_ROW, SIDE};
use crate::{
    cell::{Direction, Directions},
    rules::CornerRule,
    window::{ExitPlanes, FloodMask, Frontier},
};

/// The steps out of each place of a window that do not lead further from the target.
///
/// A ledge may be jumped down, and then it is as many steps back as there are around it. So of
/// two neighbours one may be further by any number of steps, which three boards cannot tell from
/// one that is nearer by one. Of the steps here each leads one step nearer or none.
#[derive(Clone, Debug)]
pub(crate) struct OnwardSteps {
    /// By row, the columns that may be left in each direction.
    rows: [[u64; 8]; SIDE],
}

impl Default for OnwardSteps {
    fn default() -> Self {
        Self {
            rows: [[0; 8]; SIDE],
        }
    }
}

impl OnwardSteps {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.rows = [[0; 8]; SIDE];
    }

    /// Notes the steps out of the new places of a wave to such as it has reached by now, under the
    /// rules that it spread by.
    pub(crate) fn note(
        &mut self,
        mask: FloodMask<'_>,
        entrances: &ExitPlanes,
        diagonals: bool,
        frontier: Frontier<'_>,
    ) {
        let Frontier {
            rows: (first, end),
            before,
            reached,
        } = frontier;
        for row in first..end {
            let news = before[row] ^ reached[row];
            if news == 0 {
                continue;
            }
            let Some(passes) = self.rows.get_mut(row - FIRST_ROW) else {
                return;
            };
            for (way, pass) in Direction::ALL.into_iter().zip(passes) {
                if way.is_diagonal() && !diagonals {
                    continue;
                }
                let (dx, dy) = way.delta();
                let beyond = row.wrapping_add_signed(dy as isize);
                let mut ends = reached[beyond] & entrances.of(way.opposite())[beyond];
                let mut starts = news;
                if way.is_diagonal() && mask.corners == CornerRule::Strict {
                    ends &= mask.free[row];
                    starts &= mask.free[beyond];
                }
                let leaving = match dx {
                    1 => ends >> 1,
                    -1 => ends << 1,
                    _ => ends,
                };
                *pass |= starts & leaving;
            }
        }
    }

    /// The steps out of a place, both counted from the first one that a window may have.
    #[inline]
    pub(crate) fn at(&self, row: usize, column: u32) -> Directions {
        let Some(row) = self.rows.get(row) else {
            return Directions::NONE;
        };
        let ways = row.iter().rev();
        Directions(ways.fold(0, |ways, pass| ways << 1 | (pass >> column & 1) as u8))
    }
}

//! Breadth-first distances over a window modulo 3, in two bits a cell.

#![expect(
    clippy::inline_always,
    reason = "only code that is inlined into `widely` uses wide vectors"
)]

use super::{
    flood_step::{EMPTY, FloodMask, WaveStep, rows_of},
    window_bits::{CENTER, WindowRows},
};
use crate::bits::{Wide, widely};

/// The distances in steps from the [`CENTER`] of a window, modulo 3: a board for each remainder.
///
/// If all steps can be taken back, distances of neighbours differ by at most one. Then three boards
/// tell which of two neighbours is nearer.
#[derive(Clone, Debug)]
pub(crate) struct DistanceMod3 {
    planes: [WindowRows; 3],
    /// The places reached by now and a step ago, in turns.
    boards: [WindowRows; 2],
}

impl Default for DistanceMod3 {
    fn default() -> Self {
        Self {
            planes: [EMPTY; 3],
            boards: [EMPTY; 2],
        }
    }
}

/// The limits of a flood.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaveBounds {
    /// Rows of the window above or below the center, whichever are more.
    pub(crate) rows: usize,
    /// Number of steps.
    pub(crate) steps: u32,
}

/// The places that a wave reaches with one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frontier<'a> {
    /// The first row that may have new places, and the end of these rows.
    pub(crate) rows: (usize, usize),
    pub(crate) before: &'a WindowRows,
    pub(crate) reached: &'a WindowRows,
}

impl DistanceMod3 {
    /// Floods from the center until nothing new is reached or the last step is taken. All steps
    /// cost the same; `diagonals` says whether there are diagonal ones. Passes each frontier to
    /// `see`. Returns the number of waves and of places. The center counts as a wave, and so does
    /// the last one, which reaches nothing new.
    pub(crate) fn flood(
        &mut self,
        mask: FloodMask<'_>,
        diagonals: bool,
        reach: WaveBounds,
        see: impl FnMut(Frontier<'_>),
    ) -> (u32, u32) {
        *self = Self::default();
        self.planes[0][CENTER.row] = 1 << CENTER.column;
        self.boards[0][CENTER.row] = 1 << CENTER.column;
        widely(Mod3Flood {
            distances: self,
            mask,
            diagonals,
            reach,
            see,
        })
    }

    /// The reached places by their distance modulo 3.
    pub(crate) fn planes(&self) -> &[WindowRows; 3] {
        &self.planes
    }
}

/// The work of [`DistanceMod3::flood`].
struct Mod3Flood<'a, F> {
    distances: &'a mut DistanceMod3,
    mask: FloodMask<'a>,
    diagonals: bool,
    reach: WaveBounds,
    see: F,
}

impl<F: FnMut(Frontier<'_>)> Wide for Mod3Flood<'_, F> {
    type Answer = (u32, u32);

    #[inline(always)]
    fn run(self) -> (u32, u32) {
        let Self {
            distances: DistanceMod3 { planes, boards },
            mask,
            diagonals,
            reach,
            mut see,
        } = self;
        let [mut here, mut next] = boards.each_mut();
        let mut steps = 0;
        let mut more = true;
        while more && steps < reach.steps {
            steps += 1;
            let rows = rows_of(reach.rows.min(steps as usize));
            let slants = if diagonals { &*here } else { &EMPTY };
            more = WaveStep {
                mask,
                here,
                from: [here, slants],
                next,
                rows: rows.clone(),
            }
            .run();
            let (first, count) = (rows.start, rows.len());
            let frontier = &mut planes[steps as usize % 3][first..][..count];
            let (before, reached) = (&here[first..][..count], &next[first..][..count]);
            for row in 0..count {
                frontier[row] |= before[row] ^ reached[row];
            }
            see(Frontier {
                rows: (rows.start, rows.end),
                before: here,
                reached: next,
            });
            std::mem::swap(&mut here, &mut next);
        }
        let places = here.iter().map(|row| row.count_ones()).sum();
        (steps + 1, places)
    }
}

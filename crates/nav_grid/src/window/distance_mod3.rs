//! Where a wave over a window comes to, by the number of its steps modulo 3.

#![expect(
    clippy::inline_always,
    reason = "wide vectors are for what is inlined into `widely`"
)]

use super::{
    flood_mask::FloodMask,
    rows::{CENTER, WindowRows},
    wave_step::{EMPTY, WaveStep, rows_of},
};
use crate::bits::{Wide, widely};

/// What a wave from the [`CENTER`] of a window came to after as many steps as leave 0, 1 and 2
/// when divided by 3.
///
/// Steps that can be taken back lead at most one step nearer or further, so three boards say of
/// any two neighbours which is nearer.
#[derive(Clone, Debug)]
pub(crate) struct DistanceMod3 {
    planes: [WindowRows; 3],
    /// What was reached by now and a step ago, in turns.
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

/// How far a wave goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaveBounds {
    /// Rows of the window above and below the center, whichever are more.
    pub(crate) rows: usize,
    /// Number of steps.
    pub(crate) steps: u32,
}

/// What a wave comes to with one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frontier<'a> {
    /// The rows that may have anything new.
    pub(crate) rows: (usize, usize),
    pub(crate) before: &'a WindowRows,
    pub(crate) reached: &'a WindowRows,
}

impl DistanceMod3 {
    /// Begins at the center and goes on until nothing new is reached or the last step is taken.
    /// All steps cost the same; `diagonals` says whether there are diagonal ones. Shows each
    /// frontier to `see`. Returns the number of waves, the center and a last one without anything
    /// new among them, and of places.
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

    /// The places that were reached after some steps, by how many of them modulo 3.
    pub(crate) fn planes(&self) -> &[WindowRows; 3] {
        &self.planes
    }
}

/// What [`DistanceMod3::flood`] does.
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

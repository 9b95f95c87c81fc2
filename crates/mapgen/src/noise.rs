//! Smooth noise in whole numbers.

use crate::{canvas::Size, random::Random};

/// Random heights on a coarse lattice, blended in between.
pub(crate) struct Noise {
    spacing: usize,
    columns: usize,
    heights: Vec<i32>,
}

impl Noise {
    /// Creates heights from -`amplitude` to `amplitude` every `spacing` cells.
    pub(crate) fn new(
        (width, height): Size,
        spacing: usize,
        amplitude: i32,
        random: &mut Random,
    ) -> Self {
        let columns = width / spacing + 2;
        let rows = height / spacing + 2;
        Self {
            spacing,
            columns,
            heights: (0..columns * rows)
                .map(|_| random.between(-amplitude, amplitude))
                .collect(),
        }
    }

    /// Adds the heights of row `y` to those in `row`.
    pub(crate) fn add_row(&self, y: usize, row: &mut [i32]) {
        let spacing = self.spacing as i32;
        let down = (y % self.spacing) as i32;
        let above = &self.heights[y / self.spacing * self.columns..];
        let below = &above[self.columns..];
        let blend = |column: usize| above[column] * (spacing - down) + below[column] * down;
        for (column, cells) in row.chunks_mut(self.spacing).enumerate() {
            let (left, right) = (blend(column), blend(column + 1));
            for (cell, step) in cells.iter_mut().zip(0..) {
                let height = left * (spacing - step) + right * step;
                *cell += height.div_euclid(spacing * spacing);
            }
        }
    }
}

//! Smooth noise in whole numbers.

use crate::{canvas::Size, random::Random};

/// Random heights on a coarse lattice, blended in between.
pub(crate) struct Noise {
    spacing: usize,
    columns: usize,
    heights: Vec<i32>,
}

impl Noise {
    /// Heights from -`amplitude` to `amplitude` every `spacing` cells.
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

    pub(crate) fn at(&self, x: usize, y: usize) -> i32 {
        let (column, right) = (x / self.spacing, (x % self.spacing) as i32);
        let (row, down) = (y / self.spacing, (y % self.spacing) as i32);
        let spacing = self.spacing as i32;
        let corner = row * self.columns + column;
        let blend = |corner: usize| {
            self.heights[corner] * (spacing - right) + self.heights[corner + 1] * right
        };
        let above = blend(corner);
        let below = blend(corner + self.columns);
        (above * (spacing - down) + below * down).div_euclid(spacing * spacing)
    }
}

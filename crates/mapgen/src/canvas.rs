//! A canvas of open and blocked cells, on which map makers draw.

use nav_grid::{Cell, Grid, GridError};

/// Width and height.
pub(crate) type Size = (usize, usize);

/// Cells in reading order, each open or not. Faster to draw on than a `Grid`.
pub(crate) struct Canvas {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) open: Vec<bool>,
}

impl Canvas {
    pub(crate) fn open(size: Size) -> Self {
        Self::filled(size, true)
    }

    pub(crate) fn blocked(size: Size) -> Self {
        Self::filled(size, false)
    }

    fn filled((width, height): Size, open: bool) -> Self {
        Self {
            width,
            height,
            open: vec![open; width * height],
        }
    }

    /// Returns the index of a cell.
    pub(crate) fn at(&self, x: usize, y: usize) -> usize {
        y * self.width + x
    }

    /// Returns the indexes of the cells above, left of, right of and below a cell, as far as they
    /// exist.
    pub(crate) fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let x = cell % self.width;
        [
            (cell >= self.width).then(|| cell - self.width),
            (x > 0).then(|| cell - 1),
            (x + 1 < self.width).then(|| cell + 1),
            (cell + self.width < self.open.len()).then(|| cell + self.width),
        ]
        .into_iter()
        .flatten()
    }

    pub(crate) fn to_grid(&self, width: u16, height: u16) -> Result<Grid, GridError> {
        Grid::from_fn(width, height, |Cell { x, y, .. }| {
            self.open[self.at(x.into(), y.into())]
        })
    }
}

//! What does not depend on where a step is taken.

use crate::{
    cell::{Cell, Direction},
    query::TieBreakLine,
    rules::{Cost, Metric},
    window::SearchWindow,
};

/// What a step in one direction changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WindowStep {
    pub(crate) cost: Cost,
    /// What to add to the node's number.
    pub(crate) offset: i32,
    /// What to add to the deviation.
    pub(crate) deviation: i32,
    delta: (i16, i16),
}

impl WindowStep {
    /// The eight, by direction. Steps that the metric lacks have any cost.
    pub(crate) fn all(window: &SearchWindow, metric: Metric, line: TieBreakLine) -> [Self; 8] {
        let offsets = window.offsets();
        Direction::ALL.map(|direction| {
            let (dx, dy) = direction.delta();
            Self {
                cost: metric.step(direction).unwrap_or(metric.straight()),
                offset: offsets[direction as usize],
                deviation: line.deviation_of(dx, dy),
                delta: (dx as i16, dy as i16),
            }
        })
    }

    /// The cell that the step leads to, if it is one of the window.
    #[inline]
    pub(crate) fn from(&self, cell: Cell) -> Cell {
        Cell {
            x: cell.x.wrapping_add_signed(self.delta.0),
            y: cell.y.wrapping_add_signed(self.delta.1),
            ..cell
        }
    }
}

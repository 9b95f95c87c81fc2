//! What does not depend on where a step is taken.

use crate::{
    Cell, Cost, Direction, Metric,
    search::{line::Line, window::Window},
};

/// What a step in one direction changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) cost: Cost,
    /// What to add to the node's number.
    pub(super) offset: i32,
    /// What to add to the deviation.
    pub(super) deviation: i32,
    delta: (i16, i16),
}

impl Step {
    /// The eight, by direction. Steps that the metric lacks have any cost.
    pub(super) fn all(window: &Window, metric: Metric, line: Line) -> [Self; 8] {
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
    pub(super) fn from(&self, cell: Cell) -> Cell {
        Cell {
            x: cell.x.wrapping_add_signed(self.delta.0),
            y: cell.y.wrapping_add_signed(self.delta.1),
            ..cell
        }
    }
}

//! What breaks ties between equally good cells.

use crate::cell::Cell;

/// The straight line from start to goal, for breaking ties.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TieBreakLine {
    goal: (i32, i32),
    run: (i32, i32),
}

impl TieBreakLine {
    pub(crate) fn new(start: Cell, goal: Cell) -> Self {
        let (gx, gy) = (i32::from(goal.x), i32::from(goal.y));
        Self {
            goal: (gx, gy),
            run: (gx - i32::from(start.x), gy - i32::from(start.y)),
        }
    }

    /// Distance of a cell from the line, times the line's length; its sign tells the side.
    #[inline]
    pub(crate) fn deviation(&self, cell: Cell) -> i32 {
        self.deviation_of(
            i32::from(cell.x) - self.goal.0,
            i32::from(cell.y) - self.goal.1,
        )
    }

    /// The deviation of a cell so many columns and rows from any cell on the line. Linear, so
    /// a step adds the same to every cell's.
    #[inline]
    pub(crate) fn deviation_of(&self, dx: i32, dy: i32) -> i32 {
        dx * self.run.1 - dy * self.run.0
    }

    /// The greatest deviation at most so many columns and rows from the goal.
    pub(crate) fn deviation_max(&self, columns: u16, rows: u16) -> u32 {
        u32::from(columns) * self.run.1.unsigned_abs() + u32::from(rows) * self.run.0.unsigned_abs()
    }
}

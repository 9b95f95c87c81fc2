//! The walk of an agent from the centre of one cell to that of the next.

use crate::NavTime;
use bevy_ecs::prelude::*;
use nav_grid::Cell;

/// Where an agent walks from and to, and when. 56 bytes for each agent that is shown.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(super) struct CellWalk {
    pub(super) from: [f32; 3],
    pub(super) to: [f32; 3],
    pub(super) start: NavTime,
    pub(super) end: NavTime,
    /// The cell it walks to and the map of that; `None` before it is shown for the first time.
    pub(super) cell: Option<(Cell, Entity)>,
}

impl CellWalk {
    /// Where it is at a moment: before the walk at its beginning, afterwards at its end.
    pub(super) fn at(&self, now: NavTime) -> [f32; 3] {
        if now >= self.end {
            return self.to;
        }
        let (passed, all) = (
            now.0.saturating_sub(self.start.0) as f64,
            (self.end.0 - self.start.0) as f64,
        );
        let part = (passed / all) as f32;
        std::array::from_fn(|axis| {
            let (from, to) = (self.from[axis], self.to[axis]);
            from + (to - from) * part
        })
    }
}

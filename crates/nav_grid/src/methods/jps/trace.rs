//! The path behind a node.

use super::{
    nodes::{JumpNodes, unpack},
    task::JumpTask,
};
use crate::{cell::Cell, path::Path};

impl<const CUT: bool> JumpTask<'_, CUT> {
    /// Leaves the path from the start to a cell, which is reached from node `parent`.
    pub(crate) fn trace(&self, nodes: &JumpNodes, cell: u32, parent: u32, path: &mut Path) {
        let (mut to, mut parent) = (unpack(cell), parent);
        loop {
            let node = nodes.get(parent);
            let from = unpack(node.cell);
            self.lay(from, to, path);
            if node.parent == parent {
                return;
            }
            (to, parent) = (from, node.parent);
        }
    }

    /// The cells of one jump, from its end to the one behind its beginning: diagonal steps come
    /// first on the way, so last here.
    fn lay(&self, from: (u32, u32), to: (u32, u32), path: &mut Path) {
        let (across, down) = (from.0 as i32 - to.0 as i32, from.1 as i32 - to.1 as i32);
        let (columns, rows) = (across.abs(), down.abs());
        let diagonal = columns.min(rows);
        let straight = columns.max(rows) - diagonal;
        let (x, y) = (across.signum(), down.signum());
        let ahead = if columns > rows { (x, 0) } else { (0, y) };
        let bend = (
            to.0.wrapping_add_signed(straight * ahead.0),
            to.1.wrapping_add_signed(straight * ahead.1),
        );
        for (start, steps, (dx, dy)) in [(to, straight, ahead), (bend, diagonal, (x, y))] {
            let Cell {
                x: left,
                y: top,
                floor,
            } = self.boards.origin;
            let first = (left + start.0 as u16, top + start.1 as u16);
            path.prepend_all((0..steps).map(|step| Cell {
                x: first.0.wrapping_add_signed((step * dx) as i16),
                y: first.1.wrapping_add_signed((step * dy) as i16),
                floor,
            }));
        }
    }
}

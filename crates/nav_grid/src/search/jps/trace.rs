//! The path behind a node.

use super::{
    nodes::{Nodes, unpack},
    task::Task,
};
use crate::{Cell, Path};

impl<const CUT: bool> Task<'_, CUT> {
    /// Leaves the path from the start to a cell, which is reached from node `parent`.
    pub(super) fn trace(&self, nodes: &Nodes, cell: u32, parent: u32, path: &mut Path) {
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
    fn lay(&self, from: (u32, u32), (mut x, mut y): (u32, u32), path: &mut Path) {
        let Cell {
            x: left,
            y: top,
            floor,
        } = self.boards.origin;
        let toward = |from: u32, to: u32| (from as i32 - to as i32).signum();
        while (x, y) != from {
            path.prepend(Cell {
                x: left + x as u16,
                y: top + y as u16,
                floor,
            });
            let (columns, rows) = (x.abs_diff(from.0), y.abs_diff(from.1));
            if columns >= rows {
                x = x.wrapping_add_signed(toward(from.0, x));
            }
            if rows >= columns {
                y = y.wrapping_add_signed(toward(from.1, y));
            }
        }
    }
}

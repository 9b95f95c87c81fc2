//! The trace of the path: from the goal back along costs.

use super::{
    block_expansion::MosaicTask,
    mosaic_search::{MosaicScratch, NEWS, UNREACHED},
};
use crate::{
    cell::{Cell, Direction},
    index::mosaic::Block,
    path::Path,
    rules::Cost,
};

impl MosaicTask<'_> {
    /// Fills `path` from the costs of a search: backward from the goal, always to a cell whose
    /// cost and the move make up the cost of the last cell.
    ///
    /// Costs along a cheapest path are final, so there is such a cell. If there is none, the map
    /// was exchanged: returns `None`, with a part of the path.
    pub(super) fn trace(&self, scratch: &MosaicScratch, cost: Cost, path: &mut Path) -> Option<()> {
        let (start, mut cell, mut cost) = (self.query.start, self.query.goal, cost);
        let mut block = self.block(cell)?;
        while cell != start {
            if block.contains(start) && self.within(block, start, cell) == cost {
                self.draw(start, cell, path);
                break;
            }
            // Through the block as far as possible, then out of it by one move.
            if let Some((before, less)) = self.across(scratch, cell, block, cost) {
                self.draw(before, cell, path);
                (cell, cost) = (before, less);
            } else {
                path.prepend(cell);
                (cell, block, cost) = self.outside(scratch, cell, block, cost)?;
            }
        }
        Some(())
    }

    /// The cell of the ring from which a straight way through the block led to `cell`, with its
    /// cost. Of several the cheapest, then the first in the ring.
    fn across(
        &self,
        scratch: &MosaicScratch,
        cell: Cell,
        block: Block,
        cost: Cost,
    ) -> Option<(Cell, Cost)> {
        block
            .ring()
            .map(|cell| (scratch.cost(self.mosaic.place(cell)) & !NEWS, cell))
            .filter(|&(known, from)| known < cost && known + self.within(block, from, cell) == cost)
            .map(|(known, from)| (from, known))
            .min_by_key(|&(_, known)| known)
    }

    /// The cell outside a block from which a step or a link led to `cell`: in the first direction
    /// clockwise from north, or by the first link.
    fn outside(
        &self,
        scratch: &MosaicScratch,
        cell: Cell,
        block: Block,
        cost: Cost,
    ) -> Option<(Cell, Block, Cost)> {
        let came_from = |from: Cell, step: Cost| {
            let other = self.block(from)?;
            let known = scratch.cost(self.mosaic.place(from)) & !NEWS;
            (known < UNREACHED && known + step == cost).then_some((from, other, known))
        };
        let rules = self.query.rules;
        let steps = Direction::ALL.into_iter().filter_map(|direction| {
            let from = cell.step(direction.opposite())?;
            if block.contains(from) {
                return None;
            }
            came_from(from, self.grid.step_cost(from, direction, rules)?)
        });
        let links = self.grid.links_to(cell).iter().filter_map(|link| {
            came_from(link.from, Cost::from(link.cost) * rules.metric.straight())
        });
        steps.chain(links).next()
    }

    /// Prepends the cells of a straight way, from its end back to and without its begin. Turns
    /// are spread evenly, as if drawn with a ruler.
    fn draw(&self, from: Cell, to: Cell, path: &mut Path) {
        let diagonal = self.query.rules.metric.diagonal().is_some();
        let columns = u32::from(from.x.abs_diff(to.x));
        let rows = u32::from(from.y.abs_diff(to.y));
        let steps = if diagonal {
            columns.max(rows)
        } else {
            columns + rows
        };
        let part = |whole: u32, step: u32| ((whole * step + steps / 2) / steps.max(1)) as u16;
        let toward = |from: u16, to: u16, by: u16| if from < to { from + by } else { from - by };
        for step in (1..=steps).rev() {
            let across = part(columns, step);
            let down = if diagonal {
                part(rows, step)
            } else {
                step as u16 - across
            };
            path.prepend(Cell {
                x: toward(from.x, to.x, across),
                y: toward(from.y, to.y, down),
                ..from
            });
        }
    }
}

//! The way back from the goal.

use super::{
    cross::UNREACHED,
    scratch::{MosaicScratch, NEWS},
    task::MosaicTask,
};
use crate::{
    cell::{Cell, Direction},
    index::mosaic::Block,
    path::Path,
    rules::Cost,
};

impl MosaicTask<'_> {
    /// Fills `path` from the costs that a search left behind: backward from the goal, always to
    /// a cell from which the cost is just what it is. Costs along a cheapest path are final, so
    /// there always is one; without one the path is left empty.
    pub(crate) fn trace(&self, scratch: &MosaicScratch, cost: Cost, path: &mut Path) -> Option<()> {
        let goal = self.query.goal;
        let block = self.block(goal)?;
        let traced = self.trace_from(scratch, (goal, block, cost), path);
        if traced.is_none() {
            path.clear();
        }
        traced
    }

    fn trace_from(
        &self,
        scratch: &MosaicScratch,
        end: (Cell, Block, Cost),
        path: &mut Path,
    ) -> Option<()> {
        let (mut cell, mut block, mut cost) = end;
        let start = self.query.start;
        while cell != start {
            if block.contains(start) && self.within(block, start, cell) == cost {
                self.draw(start, cell, path);
                return Some(());
            }
            if let Some((before, less)) = self.across(scratch, cell, block, cost) {
                self.draw(before, cell, path);
                (cell, cost) = (before, less);
            }
            if cell == start {
                break;
            }
            if block.contains(start) && self.within(block, start, cell) == cost {
                continue;
            }
            path.prepend(cell);
            (cell, block, cost) = self.outside(scratch, cell, block, cost)?;
        }
        Some(())
    }

    /// The cell of a block's ring nearest to the start from which a straight way through the
    /// block led to `cell`, the first in the ring of several.
    fn across(
        &self,
        scratch: &MosaicScratch,
        cell: Cell,
        block: Block,
        cost: Cost,
    ) -> Option<(Cell, Cost)> {
        let ring = scratch.known_ring(self.mosaic.place(block.origin), block)?;
        let cells = ring.iter().enumerate();
        let before = cells.map(|(index, &known)| (known & !NEWS, block.ring_cell(index)));
        before
            .filter(|&(known, from)| known < cost && known + self.within(block, from, cell) == cost)
            .map(|(known, from)| (from, known))
            .min_by_key(|&(_, known)| known)
    }

    /// The cell outside a block from which a step or a link led to `cell`: the first direction
    /// clockwise from north, or the first link.
    fn outside(
        &self,
        scratch: &MosaicScratch,
        cell: Cell,
        block: Block,
        cost: Cost,
    ) -> Option<(Cell, Block, Cost)> {
        let came_from = |from: Cell, step: Cost| {
            let other = self.block(from)?;
            let ring = scratch.known_ring(self.mosaic.place(other.origin), other)?;
            let known = ring.get(other.ring_index(from))? & !NEWS;
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
        let links = self.grid.links_to(cell).iter();
        let links = links.filter_map(|link| {
            came_from(link.from, Cost::from(link.cost) * self.step_costs.straight)
        });
        steps.chain(links).next()
    }

    /// Puts the cells of a straight way before the path, from its end back to, and without, its
    /// beginning: the turns are spread evenly, as a ruler would draw them.
    fn draw(&self, from: Cell, to: Cell, path: &mut Path) {
        let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        let diagonal = self.query.rules.metric.diagonal().is_some();
        let (columns, rows) = (u32::from(dx), u32::from(dy));
        let steps = if diagonal {
            columns.max(rows)
        } else {
            columns + rows
        };
        let part = |whole: u32, step: u32| ((whole * step + steps / 2) / steps.max(1)) as u16;
        let toward = |from: u16, to: u16, by: u16| if from < to { from + by } else { from - by };
        for step in (1..=steps).rev() {
            let (across, down) = if diagonal {
                (part(columns, step), part(rows, step))
            } else {
                let across = part(columns, step);
                (across, step as u16 - across)
            };
            path.prepend(Cell {
                x: toward(from.x, to.x, across),
                y: toward(from.y, to.y, down),
                ..from
            });
        }
    }
}

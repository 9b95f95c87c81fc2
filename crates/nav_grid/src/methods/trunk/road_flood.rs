//! Dijkstra's search from one end of a query to the nearest road.

use super::trunk_task::{BudgetEnd, ExpansionBudget, TrunkTask};
use crate::{cell::Cell, map::Size, methods::stamped_costs::StampedCosts, rules::Cost};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Dijkstra's search from one cell, ahead or back, until it reaches a road.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoadFlood {
    /// By cell.
    costs: StampedCosts,
    /// Costs and cells.
    open: BinaryHeap<Reverse<(Cost, usize)>>,
}

impl RoadFlood {
    /// Forgets the last search, makes room for the map and queues `end`.
    pub(crate) fn begin(&mut self, task: &TrunkTask<'_>, end: Cell, budget: &mut ExpansionBudget) {
        let size = task.grid.size();
        self.costs.start(size.cells() as usize);
        self.open.clear();
        self.reach(size, end, 0, budget);
    }

    /// Continues the search for the road cell nearest to `end`, of several the first in reading
    /// order, by moves ahead or against their direction.
    ///
    /// Returns the cell and its cost, and fills `way` with the cells from there to `end`, both
    /// included. Returns `None` if there is no road in the window at a cost below `limit`.
    pub(crate) fn find(
        &mut self,
        task: &TrunkTask<'_>,
        (end, ahead): (Cell, bool),
        limit: Cost,
        budget: &mut ExpansionBudget,
        way: &mut Vec<Cell>,
    ) -> Result<Option<(Cell, Cost)>, BudgetEnd> {
        let size = task.grid.size();
        let limit = limit.min(task.query.limits.cost_max());
        while let Some(Reverse((cost, index))) = self.open.pop() {
            budget.counters.popped += 1;
            if cost >= limit {
                break;
            }
            // Outdated: the cell became cheaper after it was queued.
            if self.costs.get(index) != Some(cost) {
                continue;
            }
            let cell = size.cell(index);
            if task.roads.contains(cell) {
                self.trace(task, (cell, cost), (end, ahead), way);
                return Ok(Some((cell, cost)));
            }
            if let Err(spent) = budget.spend() {
                self.open.push(Reverse((cost, index)));
                return Err(spent);
            }
            for (next, step) in task.moves(cell, ahead) {
                self.reach(size, next, cost.saturating_add(step), budget);
            }
        }
        Ok(None)
    }

    fn reach(&mut self, size: Size, cell: Cell, cost: Cost, budget: &mut ExpansionBudget) {
        let index = size.index(cell);
        let known = self.costs.get(index);
        if known.is_none_or(|known| cost < known) {
            self.costs.set(index, cost);
            budget.counters.touched += u32::from(known.is_none());
            budget.counters.pushed += 1;
            self.open.push(Reverse((cost, index)));
        }
    }

    /// Follows costs from a cell back to the end of the flood.
    fn trace(
        &self,
        task: &TrunkTask<'_>,
        (mut cell, mut cost): (Cell, Cost),
        (end, ahead): (Cell, bool),
        way: &mut Vec<Cell>,
    ) {
        let size = task.grid.size();
        way.clear();
        way.push(cell);
        while cell != end {
            let before = task.moves(cell, !ahead).find(|&(next, step)| {
                let known = self.costs.get(size.index(next));
                known.is_some_and(|known| known.checked_add(step) == Some(cost))
            });
            // Moves are not free, so there is one, and it leads nearer to the end.
            let Some((nearer, step)) = before else { return };
            (cell, cost) = (nearer, cost - step);
            way.push(cell);
        }
    }
}

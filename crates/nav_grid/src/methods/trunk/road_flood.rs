//! Dijkstra's search from one end of a query to the nearest road.

use super::trunk_task::{BudgetEnd, ExpansionBudget, MoveSense, TrunkTask};
use crate::{cell::Cell, map::Size, rules::Cost};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Dijkstra's search from one cell, ahead or back, until it reaches a road.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoadFlood {
    /// By cell: `generation << 32 | cost`.
    costs: Vec<u64>,
    generation: u32,
    /// `cost << 32 | cell`.
    open: BinaryHeap<Reverse<u64>>,
}

impl RoadFlood {
    /// Forgets the last search, makes room for the map and queues `end`.
    pub(crate) fn begin(&mut self, task: &TrunkTask<'_>, end: Cell, budget: &mut ExpansionBudget) {
        let size = task.grid.size();
        let cells = size.cells() as usize;
        if self.costs.len() < cells {
            // Fresh memory instead of a larger copy, so that pages of cells that no search
            // reaches are never touched.
            self.costs = vec![0; cells];
            self.generation = 0;
        }
        if self.generation == u32::MAX {
            self.costs.fill(0);
            self.generation = 0;
        }
        self.generation += 1;
        self.open.clear();
        self.reach(size, end, 0, budget);
    }

    /// Continues the search for the road cell nearest to `end`, of several the first in reading
    /// order.
    ///
    /// Returns the cell and its cost, and fills `way` with the cells from there to `end`, both
    /// included. Returns `None` if there is no road in the window at a cost below `limit`.
    pub(crate) fn find(
        &mut self,
        task: &TrunkTask<'_>,
        (end, sense): (Cell, MoveSense),
        limit: Cost,
        budget: &mut ExpansionBudget,
        way: &mut Vec<Cell>,
    ) -> Result<Option<(Cell, Cost)>, BudgetEnd> {
        let size = task.grid.size();
        let limit = limit.min(task.query.limits.cost_max());
        while let Some(Reverse(key)) = self.open.pop() {
            budget.counters.popped += 1;
            let (cost, index) = ((key >> 32) as Cost, key as u32 as usize);
            if cost >= limit {
                break;
            }
            // Outdated: the cell became cheaper after it was queued.
            if self.known(index) != Some(cost) {
                continue;
            }
            let cell = size.cell(index);
            if task.roads.contains(cell) {
                self.trace(task, (cell, cost), (end, sense), way);
                return Ok(Some((cell, cost)));
            }
            if let Err(spent) = budget.spend() {
                self.open.push(Reverse(key));
                return Err(spent);
            }
            for (next, step) in task.moves(cell, sense) {
                self.reach(size, next, cost.saturating_add(step), budget);
            }
        }
        Ok(None)
    }

    /// The cost of a cell, if the flood reached it.
    #[inline]
    fn known(&self, index: usize) -> Option<Cost> {
        let known = self.costs.get(index).copied().unwrap_or(0);
        ((known >> 32) as u32 == self.generation).then_some(known as Cost)
    }

    #[inline]
    fn reach(&mut self, size: Size, cell: Cell, cost: Cost, budget: &mut ExpansionBudget) {
        let index = size.index(cell);
        let known = self.known(index);
        if known.is_some_and(|known| known <= cost) {
            return;
        }
        if let Some(slot) = self.costs.get_mut(index) {
            *slot = u64::from(self.generation) << 32 | u64::from(cost);
            budget.counters.touched += u32::from(known.is_none());
            budget.counters.pushed += 1;
            self.open
                .push(Reverse(u64::from(cost) << 32 | index as u64));
        }
    }

    /// Follows costs from a cell back to the end of the flood.
    fn trace(
        &self,
        task: &TrunkTask<'_>,
        (mut cell, mut cost): (Cell, Cost),
        (end, sense): (Cell, MoveSense),
        way: &mut Vec<Cell>,
    ) {
        let size = task.grid.size();
        way.clear();
        way.push(cell);
        while cell != end {
            let before = task.moves(cell, sense.opposite()).find(|&(next, step)| {
                let known = self.known(size.index(next));
                known.is_some_and(|known| known.checked_add(step) == Some(cost))
            });
            // Moves are not free, so there is one, and it leads nearer to the end.
            let Some((nearer, step)) = before else { return };
            (cell, cost) = (nearer, cost - step);
            way.push(cell);
        }
    }
}

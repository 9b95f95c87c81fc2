//! From one end of a query to the nearest road.

use super::task::{BudgetEnd, ExpansionBudget, TrunkTask};
use crate::{
    cell::{Cell, Direction},
    map::Size,
    rules::Cost,
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Dijkstra's search from one cell, in either direction, until it comes to a road.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoadFlood {
    /// By cell: `generation << 32 | cost`.
    costs: Vec<u64>,
    generation: u32,
    /// `cost << 32 | cell`.
    open: BinaryHeap<Reverse<u64>>,
}

/// Which way moves are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveSense {
    /// From the start.
    Ahead,
    /// Against their direction, from the goal.
    Back,
}

impl RoadFlood {
    /// Begins to look around `end`.
    pub(crate) fn begin(&mut self, task: &TrunkTask<'_>, end: Cell, budget: &mut ExpansionBudget) {
        let size = task.grid.size();
        self.start(size);
        self.reach(size, end, 0, budget);
    }

    /// Goes on looking for the road cell nearest to `end`, the first in reading order of several,
    /// at a cost below `limit`, and fills `way` with the cells from there to `end`, both included.
    /// Returns the cell and its cost, or `None` if there is none within the limit or the window.
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
            if self.known(index) != Some(cost) {
                continue;
            }
            let cell = cell_of(size, index);
            if task.roads.contains(cell) {
                self.trace(task, (cell, cost), (end, sense), way);
                return Ok(Some((cell, cost)));
            }
            if let Err(spent) = budget.spend() {
                if spent == BudgetEnd::Slice {
                    // The next one takes it off the queue again.
                    self.open.push(Reverse(key));
                    budget.counters.popped -= 1;
                }
                return Err(spent);
            }
            task.moves(cell, sense, |next, step| {
                self.reach(size, next, cost.saturating_add(step), budget);
                false
            });
        }
        Ok(None)
    }

    /// Forgets everything and makes room for a map.
    fn start(&mut self, size: Size) {
        let cells = size.cells() as usize;
        if self.costs.len() < cells {
            // Fresh memory instead of a larger copy: the pages of cells that no search comes
            // to are then never touched.
            self.costs = vec![0; cells];
            self.generation = 0;
        }
        if self.generation == u32::MAX {
            self.costs.fill(0);
            self.generation = 0;
        }
        self.generation += 1;
        self.open.clear();
    }

    /// The cost of a cell, if the flood came to it.
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

    /// Walks from a cell back to the end of the flood, along costs that are just what they are.
    fn trace(
        &self,
        task: &TrunkTask<'_>,
        (mut cell, mut cost): (Cell, Cost),
        (end, sense): (Cell, MoveSense),
        way: &mut Vec<Cell>,
    ) {
        let size = task.grid.size();
        let against = match sense {
            MoveSense::Ahead => MoveSense::Back,
            MoveSense::Back => MoveSense::Ahead,
        };
        way.clear();
        way.push(cell);
        while cell != end {
            let mut before = None;
            task.moves(cell, against, |next, step| {
                let known = self.known(size.index(next));
                let fits = known.is_some_and(|known| known.checked_add(step) == Some(cost));
                if fits {
                    before = Some((next, cost - step));
                }
                fits
            });
            // Moves are not free, so there is one, nearer to the end.
            let Some(nearer) = before else { return };
            (cell, cost) = nearer;
            way.push(cell);
        }
    }
}

/// The cell of a number; see [`Size::index`].
#[inline]
fn cell_of(size: Size, index: usize) -> Cell {
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    let (rows, column) = (index / width, index % width);
    Cell {
        x: column as u16,
        y: (rows % height) as u16,
        floor: (rows / height) as u8,
    }
}

impl TrunkTask<'_> {
    /// Calls `visit` with the cells one move ahead, or from which one move leads here, and the
    /// costs of the moves, until it returns `true`: steps clockwise from north, then links.
    pub(crate) fn moves(
        &self,
        cell: Cell,
        sense: MoveSense,
        mut visit: impl FnMut(Cell, Cost) -> bool,
    ) {
        let (grid, rules) = (self.grid, self.query.rules);
        let straight = rules.metric.straight();
        let may_go = |cell: Cell| self.in_window(cell) && grid.fits(cell, rules.footprint);
        match sense {
            MoveSense::Ahead => {
                for direction in grid.steps(cell, rules) {
                    let (Some(to), Some(step)) =
                        (cell.step(direction), rules.metric.step(direction))
                    else {
                        continue;
                    };
                    let ground = grid.cost_of_body(to, rules.footprint);
                    if self.in_window(to) && visit(to, step * ground) {
                        return;
                    }
                }
                for link in grid.links_from(cell) {
                    let cost = Cost::from(link.cost) * straight;
                    if may_go(link.to) && visit(link.to, cost) {
                        return;
                    }
                }
            }
            MoveSense::Back => {
                let ground = grid.cost_of_body(cell, rules.footprint);
                for direction in Direction::ALL {
                    let (Some(from), Some(step)) =
                        (cell.step(direction), rules.metric.step(direction))
                    else {
                        continue;
                    };
                    let leads =
                        may_go(from) && grid.steps(from, rules).contains(direction.opposite());
                    if leads && visit(from, step * ground) {
                        return;
                    }
                }
                for link in grid.links_to(cell) {
                    let cost = Cost::from(link.cost) * straight;
                    if may_go(link.from) && visit(link.from, cost) {
                        return;
                    }
                }
            }
        }
    }
}

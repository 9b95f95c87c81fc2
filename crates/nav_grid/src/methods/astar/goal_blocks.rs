//! The guess of a search for the nearest of several goals.

use crate::{
    cell::Cell,
    query::Counters,
    rules::{Cost, Estimate},
    window::SearchWindow,
};
use std::ops::Range;

/// Columns and rows of a block: small enough that few goals can be nearest to a cell of
/// it, large enough that looking at all goals once a block takes less than expanding its cells.
const SIDE: u16 = 16;

/// A block that was not looked at yet.
const UNKNOWN: Range<u32> = u32::MAX..u32::MAX;

/// Several goals, and for each block of a window the goals that may be nearest to a cell of it.
///
/// With all goals looked at for each cell, fifty goals would take longer than the rest of an
/// expansion.
#[derive(Clone, Debug, Default)]
pub(super) struct GoalBlocks {
    goals: Vec<Cell>,
    /// The number of blocks side by side.
    columns: usize,
    /// By block, in reading order: where its goals are in `near`.
    blocks: Vec<Range<u32>>,
    near: Vec<Cell>,
}

impl GoalBlocks {
    /// Takes other goals and another window.
    pub(super) fn start(&mut self, window: &SearchWindow, goals: impl Iterator<Item = Cell>) {
        let [columns, rows] =
            [window.columns(), window.rows()].map(|cells| cells.div_ceil(SIDE.into()) as usize);
        self.goals.clear();
        self.goals.extend(goals);
        self.near.clear();
        self.columns = columns;
        self.blocks.clear();
        self.blocks.resize(columns * rows, UNKNOWN);
    }

    /// The least estimate from a cell of the window to a goal. Floors do not count.
    #[inline]
    pub(super) fn guess(
        &mut self,
        cell: Cell,
        estimate: Estimate,
        (window, counters): (&SearchWindow, &mut Counters),
    ) -> Cost {
        let place = window.place(cell);
        let block = usize::from(place.y / SIDE) * self.columns + usize::from(place.x / SIDE);
        if self.blocks[block] == UNKNOWN {
            let first = Cell::new(place.x / SIDE * SIDE, place.y / SIDE * SIDE);
            self.look(block, window.at(first), estimate);
            // Two estimates a goal.
            counters.scanned += (2 * self.goals.len() as u32).div_ceil(Counters::CELLS_PER_SCAN);
        }
        let Range { start, end } = self.blocks[block];
        let near = &self.near[start as usize..end as usize];
        let guesses = near.iter().map(|&goal| estimate.between(cell, goal));
        guesses.min().unwrap_or(0)
    }

    /// Lists the goals that may be nearest to a cell of a block.
    #[cold]
    fn look(&mut self, block: usize, first: Cell, estimate: Estimate) {
        // From the nearest and from the farthest cell of the block.
        let between = |goal: Cell| {
            let (columns, rows) = (away(goal.x, first.x), away(goal.y, first.y));
            [(columns.0, rows.0), (columns.1, rows.1)].map(|(dx, dy)| estimate.cost(dx, dy))
        };
        let most = self.goals.iter().map(|&goal| between(goal)[1]).min();
        let start = self.near.len() as u32;
        let goals = self.goals.iter().copied();
        self.near
            .extend(goals.filter(|&goal| Some(between(goal)[0]) <= most));
        self.blocks[block] = start..self.near.len() as u32;
    }
}

/// The least and the greatest distance from a column or row to those of a block.
fn away(at: u16, first: u16) -> (u16, u16) {
    let last = first.saturating_add(SIDE - 1);
    let least = first.saturating_sub(at).max(at.saturating_sub(last));
    (least, at.abs_diff(first).max(at.abs_diff(last)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        map::Grid,
        rules::{Heuristic, Metric},
    };

    #[test]
    fn distances_to_block() {
        let cases = [
            (0, 16, (16, 31)),
            (20, 16, (0, 11)),
            (40, 16, (9, 24)),
            (5, 0, (0, 10)),
        ];
        for (at, first, expected) in cases {
            assert_eq!(away(at, first), expected, "{at} to {first}");
        }
    }

    #[test]
    fn guesses_are_least_estimates() {
        let grid = Grid::open(100, 70).unwrap();
        let window = SearchWindow::around(Cell::new(60, 30), 37, &grid);
        let goals: Vec<Cell> = (0..50)
            .map(|n: u16| Cell::new(n * 37 % 100, n * 53 % 70))
            .collect();
        let mut blocks = GoalBlocks::default();
        for heuristic in Heuristic::ALL {
            let estimate = Estimate::new(heuristic, Metric::Grid);
            blocks.start(&window, goals.iter().copied());
            let mut counters = Counters::NONE;
            for cell in grid.walkable_cells().filter(|&cell| window.contains(cell)) {
                let guess = blocks.guess(cell, estimate, (&window, &mut counters));
                let least = goals.iter().map(|&goal| estimate.between(cell, goal)).min();
                assert_eq!(Some(guess), least, "{heuristic:?} at {cell}");
            }
            // Two scans for each of the blocks that 75 by 68 cells have.
            assert_eq!(counters.scanned, 2 * 5 * 5);
        }
    }
}

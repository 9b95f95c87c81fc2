//! The goals of a search, as its expansion asks for them.

use super::goal_blocks::GoalBlocks;
use crate::{
    cell::Cell,
    query::Counters,
    rules::{Cost, Estimate},
    window::SearchWindow,
};

/// The goals of a search to the nearest of them.
pub(super) trait GoalSet {
    /// The least estimate from a cell of the window to a goal. Floors do not count.
    fn guess(
        &mut self,
        cell: Cell,
        estimate: Estimate,
        counted: (&SearchWindow, &mut Counters),
    ) -> Cost;

    /// The number of the goal on a cell.
    fn number_of(&self, cell: Cell, counters: &mut Counters) -> Option<u32>;

    /// Whether a goal that comes before the one with a number may be as near, which `may_be` tells.
    fn any_before(
        &self,
        number: u32,
        counters: &mut Counters,
        may_be: impl Fn(Cell) -> bool,
    ) -> bool;
}

/// Goals in a list.
pub(super) struct ListedGoals<'a> {
    /// In reading order, each with its number.
    pub(super) goals: &'a [(Cell, u32)],
    pub(super) blocks: &'a mut GoalBlocks,
}

impl GoalSet for ListedGoals<'_> {
    #[inline]
    fn guess(
        &mut self,
        cell: Cell,
        estimate: Estimate,
        counted: (&SearchWindow, &mut Counters),
    ) -> Cost {
        self.blocks.guess(cell, estimate, counted)
    }

    #[inline]
    fn number_of(&self, cell: Cell, _: &mut Counters) -> Option<u32> {
        let at = self.goals.binary_search_by_key(&cell, |goal| goal.0);
        Some(self.goals[at.ok()?].1)
    }

    fn any_before(
        &self,
        number: u32,
        counters: &mut Counters,
        may_be: impl Fn(Cell) -> bool,
    ) -> bool {
        counters.scanned += (self.goals.len() as u32).div_ceil(Counters::CELLS_PER_SCAN);
        let mut before = self.goals.iter().filter(|goal| goal.1 < number);
        before.any(|&(goal, _)| may_be(goal))
    }
}

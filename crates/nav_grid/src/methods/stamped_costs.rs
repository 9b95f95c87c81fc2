//! Costs by number, forgotten all at once.

use crate::rules::Cost;

/// Costs by number, each with the stamp of its search. Costs with another stamp do not count, so
/// starting a search takes no pass over memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct StampedCosts {
    /// `generation << 32 | cost`.
    costs: Vec<u64>,
    generation: u32,
}

impl StampedCosts {
    /// Forgets all costs and makes room for `count` of them.
    pub(crate) fn start(&mut self, count: usize) {
        if self.costs.len() < count || self.generation == u32::MAX {
            // Fresh memory instead of a larger copy, so that pages that no search reaches are
            // never touched.
            self.costs = vec![0; count.max(self.costs.len())];
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// The cost recorded since the start.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> Option<Cost> {
        let known = self.costs.get(number).copied().unwrap_or(0);
        ((known >> 32) as u32 == self.generation).then_some(known as Cost)
    }

    #[inline]
    pub(crate) fn set(&mut self, number: usize, cost: Cost) {
        if let Some(known) = self.costs.get_mut(number) {
            *known = u64::from(self.generation) << 32 | u64::from(cost);
        }
    }
}

//! The indexes of one kind of a map, one for each need.

use super::BuildProgress;
use crate::{
    map::{Grid, Size},
    rules::Rules,
};

/// An index for walkers of some rules that is built and repaired in slices.
pub trait SlicedIndex: Sized {
    /// An index of which everything is due.
    fn begin(grid: &Grid, rules: Rules) -> Self;

    /// The rules that it was begun with.
    fn rules(&self) -> Rules;

    /// The size and the [version](Grid::version) of the map that it describes.
    fn map(&self) -> (Size, u64);

    /// Whether walkers of other rules have the same index.
    fn is_for(&self, rules: Rules) -> bool;

    /// The number of tiles or clusters that are to be read, at least 1 if anything is left to do; 0
    /// once the index is complete. It does not know of edits that no repair has seen.
    fn due(&self) -> usize;

    /// The number of tiles or clusters of the map.
    fn parts(&self) -> usize;

    /// Builds or repairs a part. Returns the work done, 0 if nothing was due. Once nothing is due
    /// any more, the result equals a new index, however it was sliced. Edits between calls are
    /// taken in. Begins again for a map of another size.
    ///
    /// A unit of work takes some 50 ns, as one of [`Counters::work`](crate::query::Counters::work)
    /// does. A call ends at the first tile or cluster after `work`.
    fn repair_within(&mut self, grid: &Grid, work: u32) -> u32;

    /// Builds or repairs all that is due.
    fn repair(&mut self, grid: &Grid) {
        // A great map may take more work than 32 bits count.
        while self.repair_within(grid, u32::MAX) > 0 {}
    }

    /// Whether nothing is due and the map is unedited since. Two maps of the same size and the same
    /// number of edits are taken for the same map.
    fn is_current(&self, grid: &Grid) -> bool {
        self.map() == (grid.size(), grid.version()) && self.due() == 0
    }

    /// Whether it is complete, up to date, and for walkers of these rules.
    fn serves(&self, grid: &Grid, rules: Rules) -> bool {
        self.is_current(grid) && self.is_for(rules)
    }
}

/// Indexes of one kind, in the order of their rules: that of the requests is not saved.
#[derive(Clone, Debug)]
pub(crate) struct IndexList<I>(Vec<I>);

impl<I> Default for IndexList<I> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<I: SlicedIndex> IndexList<I> {
    pub(crate) fn as_slice(&self) -> &[I] {
        &self.0
    }

    /// The index for walkers of some rules, complete or not.
    pub(crate) fn find(&self, rules: Rules) -> Option<&I> {
        self.0.iter().find(|index| index.is_for(rules))
    }

    /// The index for walkers of some rules, if it is complete and up to date.
    pub(crate) fn ready(&self, grid: &Grid, rules: Rules) -> Option<&I> {
        self.find(rules).filter(|index| index.serves(grid, rules))
    }

    /// The index for walkers of some rules, begun if it is not there.
    pub(crate) fn want(&mut self, grid: &Grid, rules: Rules) -> &mut I {
        let known = self.0.iter().position(|index| index.is_for(rules));
        let at = known.unwrap_or_else(|| {
            let at = self.0.partition_point(|index| index.rules() < rules);
            self.0.insert(at, I::begin(grid, rules));
            at
        });
        &mut self.0[at]
    }

    /// Adds the rules of the complete indexes to one list, and those of the others to another.
    pub(crate) fn name(&self, complete: &mut Vec<Rules>, due: &mut Vec<Rules>) {
        for index in &self.0 {
            let list = if index.due() == 0 {
                &mut *complete
            } else {
                &mut *due
            };
            list.push(index.rules());
        }
    }

    /// Completes the indexes of one list, and begins those of another. Complete ones are left to a
    /// later repair, as on any other map.
    pub(crate) fn build(&mut self, grid: &Grid, complete: &[Rules], due: &[Rules]) {
        for &rules in complete {
            let index = self.want(grid, rules);
            if index.due() > 0 {
                index.repair(grid);
            }
        }
        for &rules in due {
            self.want(grid, rules);
        }
    }

    /// Drops the indexes that neither list names.
    pub(crate) fn retain(&mut self, complete: &[Rules], due: &[Rules]) {
        self.0.retain(|index| {
            let rules = index.rules();
            complete.contains(&rules) || due.contains(&rules)
        });
    }

    /// Brings those up to date that were complete before an edit.
    pub(crate) fn repair_complete(&mut self, grid: &Grid) {
        for index in self.0.iter_mut().filter(|index| index.due() == 0) {
            index.repair(grid);
        }
    }

    /// Begins the incomplete indexes again.
    pub(crate) fn begin_due_again(&mut self, grid: &Grid) {
        for index in self.0.iter_mut().filter(|index| index.due() > 0) {
            *index = I::begin(grid, index.rules());
        }
    }

    /// Begins all indexes again.
    pub(crate) fn begin_all_again(&mut self, grid: &Grid) {
        for index in &mut self.0 {
            *index = I::begin(grid, index.rules());
        }
    }

    /// Builds and repairs for an amount of work, in order, and returns the work done.
    pub(crate) fn repair_within(&mut self, grid: &Grid, work: u32) -> u32 {
        self.0.iter_mut().fold(0, |done: u32, index| {
            done.saturating_add(index.repair_within(grid, work.saturating_sub(done)))
        })
    }

    /// Adds how far they are.
    pub(crate) fn add_progress(&self, progress: &mut BuildProgress) {
        for index in &self.0 {
            progress.due += index.due();
            progress.of += index.parts();
        }
    }
}

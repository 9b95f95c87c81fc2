//! The indexes of one kind of a map, one for each need.

use super::{BuildProgress, PortalGraph, Regions};
use crate::{map::Grid, rules::Rules};

/// An index for walkers of some rules that is built and repaired in slices.
pub(crate) trait SlicedIndex: Sized {
    /// An index of which everything is due.
    fn begin(grid: &Grid, rules: Rules) -> Self;

    /// The rules that it was begun with.
    fn rules(&self) -> Rules;

    /// Whether walkers of other rules have the same index.
    fn is_for(&self, rules: Rules) -> bool;

    /// Whether it is complete, up to date, and for walkers of these rules.
    fn serves(&self, grid: &Grid, rules: Rules) -> bool;

    /// How much is due: tiles, or clusters.
    fn due(&self) -> usize;

    /// All tiles, or clusters, of the map.
    fn size(&self) -> usize;

    /// Builds or repairs a part, and returns the work done.
    fn repair_within(&mut self, grid: &Grid, work: u32) -> u32;

    /// Builds or repairs all that is due.
    fn repair(&mut self, grid: &Grid);

    fn heap_bytes(&self) -> usize;
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

    /// Drops all and returns whether there were any.
    pub(crate) fn clear(&mut self) -> bool {
        !std::mem::take(&mut self.0).is_empty()
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
            progress.of += index.size();
        }
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.0.iter().map(I::heap_bytes).sum()
    }
}

/// Passes the calls on to the methods of the same index.
macro_rules! sliced_index {
    ($index:ty: $is_for:ident, $serves:ident, $size:ident) => {
        impl SlicedIndex for $index {
            fn begin(grid: &Grid, rules: Rules) -> Self {
                <$index>::begin(grid, rules)
            }

            fn rules(&self) -> Rules {
                self.rules()
            }

            fn is_for(&self, rules: Rules) -> bool {
                self.$is_for(rules)
            }

            fn serves(&self, grid: &Grid, rules: Rules) -> bool {
                self.$serves(grid, rules)
            }

            fn due(&self) -> usize {
                self.due()
            }

            fn size(&self) -> usize {
                self.$size()
            }

            fn repair_within(&mut self, grid: &Grid, work: u32) -> u32 {
                self.repair_within(grid, work)
            }

            fn repair(&mut self, grid: &Grid) {
                self.repair(grid);
            }

            fn heap_bytes(&self) -> usize {
                self.heap_bytes()
            }
        }
    };
}

sliced_index!(Regions: are_for, serve, tile_count);
sliced_index!(PortalGraph: is_for, serves, clusters);

//! One query.

use super::roads::{Stretch, TrunkRoads, Way};
use crate::{Cell, Counters, Grid, Query, search::stop_after};

/// A query on roads.
pub(super) struct Task<'a> {
    pub(super) grid: &'a Grid,
    pub(super) roads: &'a TrunkRoads,
    pub(super) query: &'a Query,
}

impl Task<'_> {
    #[inline]
    pub(super) fn in_window(&self, cell: Cell) -> bool {
        self.query.start.chebyshev(cell) <= self.query.limits.radius
    }

    /// Whether all of a way is in the window.
    pub(super) fn has_way(&self, way: Way) -> bool {
        if let Some((stretch, _)) = way.stretch {
            let stretch = self.roads.stretches.get(stretch as usize);
            stretch.is_some_and(|stretch| self.has_stretch(stretch))
        } else {
            let to = self.roads.crossings.get(way.to as usize);
            to.is_some_and(|&to| self.in_window(to))
        }
    }

    /// Whether all of a stretch is in the window.
    pub(super) fn has_stretch(&self, stretch: &Stretch) -> bool {
        self.in_window(stretch.corners.0) && self.in_window(stretch.corners.1)
    }
}

/// The work done, and how much is allowed.
pub(super) struct Budget {
    pub(super) counters: Counters,
    expansions: u32,
    /// The count of expansions at which the slice ends.
    stop: u32,
}

/// What has no expansion left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spent {
    Slice,
    Limit,
}

impl Budget {
    /// The budget of a slice of so many expansions.
    pub(super) fn new(query: &Query, counters: Counters, slice: u32) -> Self {
        Self {
            counters,
            expansions: query.limits.expansions,
            stop: stop_after(counters.expanded, slice, query.limits),
        }
    }

    /// Counts an expansion, if there is one left.
    #[inline]
    pub(super) fn spend(&mut self) -> Result<(), Spent> {
        if self.counters.expanded < self.stop {
            self.counters.expanded += 1;
            Ok(())
        } else if self.stop < self.expansions {
            Err(Spent::Slice)
        } else {
            Err(Spent::Limit)
        }
    }

    /// How many expansions are left in all.
    pub(super) fn left(&self) -> u32 {
        self.expansions - self.counters.expanded
    }

    /// How many are left in the slice.
    pub(super) fn left_in_slice(&self) -> u32 {
        self.stop - self.counters.expanded
    }
}

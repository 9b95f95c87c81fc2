//! One query.

use crate::{
    cell::Cell,
    index::{
        TrunkRoads,
        roads::{RoadEdge, RoadSegment},
    },
    map::Grid,
    query::{Counters, PathQuery, stop_after},
};

/// A query on roads.
pub(crate) struct TrunkTask<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) roads: &'a TrunkRoads,
    pub(crate) query: &'a PathQuery,
}

impl TrunkTask<'_> {
    #[inline]
    pub(crate) fn in_window(&self, cell: Cell) -> bool {
        self.query.start.chebyshev(cell) <= self.query.limits.radius
    }

    /// Whether all of a way is in the window.
    pub(crate) fn has_way(&self, way: RoadEdge) -> bool {
        if let Some((segment, _)) = way.segment {
            let segment = self.roads.segments.get(segment as usize);
            segment.is_some_and(|segment| self.has_segment(segment))
        } else {
            let to = self.roads.crossings.get(way.to as usize);
            to.is_some_and(|&to| self.in_window(to))
        }
    }

    /// Whether all of a segment is in the window.
    pub(crate) fn has_segment(&self, segment: &RoadSegment) -> bool {
        self.in_window(segment.corners.0) && self.in_window(segment.corners.1)
    }
}

/// The work done, and how much is allowed.
pub(crate) struct ExpansionBudget {
    pub(crate) counters: Counters,
    expansions: u32,
    /// The count of expansions at which the slice ends.
    stop: u32,
}

/// What has no expansion left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BudgetEnd {
    Slice,
    Limit,
}

impl ExpansionBudget {
    /// The budget of a slice of so many expansions.
    pub(crate) fn new(query: &PathQuery, counters: Counters, slice: u32) -> Self {
        Self {
            counters,
            expansions: query.limits.expansions,
            stop: stop_after(counters.expanded, slice, query.limits),
        }
    }

    /// Counts an expansion, if there is one left.
    #[inline]
    pub(crate) fn spend(&mut self) -> Result<(), BudgetEnd> {
        if self.counters.expanded < self.stop {
            self.counters.expanded += 1;
            Ok(())
        } else if self.stop < self.expansions {
            Err(BudgetEnd::Slice)
        } else {
            Err(BudgetEnd::Limit)
        }
    }

    /// How many expansions are left in all.
    pub(crate) fn left(&self) -> u32 {
        self.expansions - self.counters.expanded
    }

    /// How many are left in the slice.
    pub(crate) fn left_in_slice(&self) -> u32 {
        self.stop - self.counters.expanded
    }
}

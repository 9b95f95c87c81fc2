//! One query.

use super::roads::{Stretch, TrunkRoads, Way};
use crate::{Cell, Counters, Grid, Query};

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
    pub(super) expansions: u32,
}

impl Budget {
    /// Counts an expansion, if there is one left.
    #[inline]
    pub(super) fn spend(&mut self) -> bool {
        let left = self.counters.expanded < self.expansions;
        self.counters.expanded += u32::from(left);
        left
    }
}

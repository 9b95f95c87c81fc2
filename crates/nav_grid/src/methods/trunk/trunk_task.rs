//! One query by roads: its window, the moves of a walker, and its budget.

use crate::{
    cell::{Cell, Direction},
    index::{
        TrunkRoads,
        roads::{RoadEdge, RoadSegment},
    },
    map::Grid,
    query::{Counters, PathQuery, stop_after},
    rules::Cost,
};

/// A query on roads.
pub(crate) struct TrunkTask<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) roads: &'a TrunkRoads,
    pub(crate) query: &'a PathQuery,
}

impl TrunkTask<'_> {
    #[inline]
    fn in_window(&self, cell: Cell) -> bool {
        self.query.limits.window_holds(self.query.start, cell)
    }

    /// Whether a whole way is in the window.
    pub(crate) fn has_way(&self, way: RoadEdge) -> bool {
        if let Some((segment, _)) = way.segment {
            let segment = self.roads.segments.get(segment as usize);
            segment.is_some_and(|segment| self.has_segment(segment))
        } else {
            let to = self.roads.crossings.get(way.to as usize);
            to.is_some_and(|&to| self.in_window(to))
        }
    }

    /// Whether a whole segment is in the window.
    pub(crate) fn has_segment(&self, segment: &RoadSegment) -> bool {
        self.in_window(segment.corners.0) && self.in_window(segment.corners.1)
    }

    /// The cells one move ahead, or one move back against the direction of moves, with the costs of
    /// the moves: steps clockwise from north, then links.
    pub(crate) fn moves(&self, cell: Cell, ahead: bool) -> impl Iterator<Item = (Cell, Cost)> + '_ {
        let (grid, rules) = (self.grid, self.query.rules);
        let may_go =
            move |&other: &Cell| self.in_window(other) && grid.fits(other, rules.footprint);
        let steps = Direction::ALL.into_iter().filter_map(move |direction| {
            let other = cell.step(direction).filter(may_go)?;
            let step = if ahead {
                grid.step_cost(cell, direction, rules)
            } else {
                grid.step_cost(other, direction.opposite(), rules)
            };
            Some((other, step?))
        });
        let links = if ahead {
            grid.links_from(cell)
        } else {
            grid.links_to(cell)
        };
        let links = links.iter().filter_map(move |link| {
            let other = if ahead { link.to } else { link.from };
            let cost = Cost::from(link.cost) * rules.metric.straight();
            may_go(&other).then_some((other, cost))
        });
        steps.chain(links)
    }
}

/// The work done, and the work allowed.
pub(crate) struct ExpansionBudget {
    pub(crate) counters: Counters,
    expansions: u32,
    /// The count of expansions at which the slice ends.
    stop: u32,
}

/// The budget that has no expansion left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BudgetEnd {
    Slice,
    Limit,
}

impl ExpansionBudget {
    /// The budget of a slice of `slice` expansions.
    pub(crate) fn new(query: &PathQuery, counters: Counters, slice: u32) -> Self {
        Self {
            counters,
            expansions: query.limits.expansions,
            stop: stop_after(counters.expanded, slice, query.limits),
        }
    }

    /// Counts an expansion, if one is left. If the slice ends, the entry of the queue that was
    /// popped for it counts with the next slice: the caller must put it back.
    #[inline]
    pub(crate) fn spend(&mut self) -> Result<(), BudgetEnd> {
        if self.counters.expanded < self.stop {
            self.counters.expanded += 1;
            Ok(())
        } else if self.stop < self.expansions {
            self.counters.popped -= 1;
            Err(BudgetEnd::Slice)
        } else {
            Err(BudgetEnd::Limit)
        }
    }

    /// The expansions left in all.
    pub(crate) fn left(&self) -> u32 {
        self.expansions - self.counters.expanded
    }

    /// The expansions left in the slice.
    pub(crate) fn left_in_slice(&self) -> u32 {
        self.stop - self.counters.expanded
    }
}

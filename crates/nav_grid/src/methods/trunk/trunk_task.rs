//! One query by roads: its window, the moves of a walker, and its budget.

use crate::{
    cell::{Cell, Directions},
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

/// The sense in which moves are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveSense {
    /// From the start.
    Ahead,
    /// Against their direction, from the goal.
    Back,
}

impl MoveSense {
    pub(crate) const fn opposite(self) -> Self {
        match self {
            Self::Ahead => Self::Back,
            Self::Back => Self::Ahead,
        }
    }
}

impl TrunkTask<'_> {
    #[inline]
    fn in_window(&self, cell: Cell) -> bool {
        self.query.start.chebyshev(cell) <= self.query.limits.radius
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

    /// The cells one move ahead or back, with the costs of the moves: steps clockwise from north,
    /// then links.
    pub(crate) fn moves(
        &self,
        cell: Cell,
        sense: MoveSense,
    ) -> impl Iterator<Item = (Cell, Cost)> + '_ {
        let (grid, rules) = (self.grid, self.query.rules);
        let may_go =
            move |&other: &Cell| self.in_window(other) && grid.fits(other, rules.footprint);
        let (leaving, links) = match sense {
            MoveSense::Ahead => (grid.steps(cell, rules), grid.links_from(cell)),
            MoveSense::Back => (Directions::ALL, grid.links_to(cell)),
        };
        let steps = leaving.into_iter().filter_map(move |direction| {
            let other = cell.step(direction).filter(may_go)?;
            let leads_back = || grid.steps(other, rules).contains(direction.opposite());
            let to = match sense {
                MoveSense::Ahead => other,
                MoveSense::Back => leads_back().then_some(cell)?,
            };
            // A step costs what the ground that it leads to costs, in both senses.
            let ground = grid.cost_of_body(to, rules.footprint);
            Some((other, rules.metric.step(direction)? * ground))
        });
        let links = links.iter().filter_map(move |link| {
            let other = match sense {
                MoveSense::Ahead => link.to,
                MoveSense::Back => link.from,
            };
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

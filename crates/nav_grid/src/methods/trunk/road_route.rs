//! A* over the crossings of the roads.

use super::trunk_task::{BudgetEnd, ExpansionBudget, TrunkTask};
use crate::{
    cell::Cell,
    index::roads::{RoadPlace, RoadStop},
    methods::stamped_costs::StampedCosts,
    path::Path,
    rules::{COST_MAX, Cost, Estimate},
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// A* over the crossings between two cells of the roads.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoadRoute {
    /// By crossing.
    costs: StampedCosts,
    /// By crossing, where the search has a cost.
    came_from: Vec<CameFrom>,
    /// Total, guess, crossing.
    open: BinaryHeap<Reverse<(Cost, Cost, u32)>>,
    /// The cost of the cheapest route so far, and its last crossing with the stop there. `None` in
    /// place of the crossing for a route along a single segment.
    best: Option<(Cost, Option<(u32, usize)>)>,
}

/// How a crossing was reached.
#[derive(Clone, Copy, Debug)]
enum CameFrom {
    /// From the begin of the route to this stop.
    Begin(usize),
    /// By the way of this number.
    Way(u32),
}

/// Where on the roads a route begins or ends.
struct RoadEnd<'a> {
    /// The number of the segment. `None` for a crossing.
    segment: Option<u32>,
    /// The stops of the segment, and the index of the end among them. No stops for a crossing.
    stops: &'a [RoadStop],
    at: usize,
    /// The crossings at both ends of the segment with their stops, or twice the crossing itself.
    crossings: [(u32, usize); 2],
}

impl<'a> RoadEnd<'a> {
    /// The place of a cell on the roads, if it is wholly in the window.
    fn new(task: &TrunkTask<'a>, cell: Cell) -> Option<Self> {
        let (number, at) = match task.roads.place(cell) {
            RoadPlace::Nowhere | RoadPlace::Unvisited => return None,
            RoadPlace::Crossing(crossing) => {
                let crossings = [(crossing, 0); 2];
                return Some(Self {
                    segment: None,
                    stops: &[],
                    at: 0,
                    crossings,
                });
            }
            RoadPlace::Stop { segment, stop } => (segment, stop as usize),
        };
        let segment = *task.roads.segments.get(number as usize)?;
        let stops = task.roads.stops_of(segment);
        let is_inside = at < stops.len() && task.has_segment(&segment);
        is_inside.then(|| Self {
            segment: Some(number),
            stops,
            at,
            crossings: [(segment.from, 0), (segment.to, stops.len() - 1)],
        })
    }

    /// The cost from one stop to another.
    fn cost(&self, from: usize, to: usize) -> Cost {
        if from == to {
            return 0;
        }
        let (Some(from), Some(to)) = (self.stops.get(from), self.stops.get(to)) else {
            return Cost::MAX;
        };
        let cost = if from.ahead <= to.ahead {
            to.ahead - from.ahead
        } else {
            from.back - to.back
        };
        Cost::try_from(cost).unwrap_or(Cost::MAX)
    }
}

/// Prepends the stops on the way from `from` to `end`, with `from` and without `end`.
fn walk_back(stops: &[RoadStop], end: usize, from: usize, path: &mut Path) {
    if from <= end {
        let stops = stops.get(from..end).unwrap_or_default();
        path.prepend_all(stops.iter().rev().map(|stop| stop.cell));
    } else {
        let stops = stops.get(end + 1..=from).unwrap_or_default();
        path.prepend_all(stops.iter().map(|stop| stop.cell));
    }
}

impl RoadRoute {
    /// Forgets the last search and queues the crossings next to `from`.
    pub(crate) fn begin(
        &mut self,
        task: &TrunkTask<'_>,
        (from, to): (Cell, Cell),
        budget: &mut ExpansionBudget,
    ) {
        let crossings = task.roads.crossings.len();
        self.costs.start(crossings);
        self.came_from.resize(crossings, CameFrom::Begin(0));
        self.open.clear();
        self.best = (from == to).then_some((0, None));
        let (Some(first), Some(last)) = (RoadEnd::new(task, from), RoadEnd::new(task, to)) else {
            return;
        };
        if from == to {
            return;
        }
        for (crossing, stop) in first.crossings {
            let cost = first.cost(first.at, stop);
            self.reach(task, to, crossing, cost, CameFrom::Begin(stop), budget);
        }
        // Only a bound: a route over crossings can be cheaper.
        if first.segment.is_some() && first.segment == last.segment {
            self.best = Some((first.cost(first.at, last.at), None));
        }
    }

    /// Continues the search for a cheapest route to `to`. Returns its cost, or `None` if the roads
    /// do not lead there.
    pub(crate) fn find(
        &mut self,
        task: &TrunkTask<'_>,
        to: Cell,
        budget: &mut ExpansionBudget,
    ) -> Result<Option<Cost>, BudgetEnd> {
        let Some(last) = RoadEnd::new(task, to) else {
            return Ok(self.best.map(|(cost, _)| cost));
        };
        while let Some(Reverse((total, guessed, crossing))) = self.open.pop() {
            budget.counters.popped += 1;
            if total >= self.best_cost() {
                break;
            }
            let cost = total - guessed;
            if self.costs.get(crossing as usize) != Some(cost) {
                continue;
            }
            if let Err(spent) = budget.spend() {
                self.open.push(Reverse((total, guessed, crossing)));
                return Err(spent);
            }
            // Both match for a crossing, and for a segment that leads back to the same crossing.
            for (end, stop) in last.crossings {
                let whole = cost.saturating_add(last.cost(stop, last.at));
                if end == crossing && whole < self.best_cost() {
                    self.best = Some((whole, Some((crossing, stop))));
                }
            }
            for (number, way) in task.roads.ways_from(crossing) {
                if task.has_way(way) {
                    let cost = cost.saturating_add(way.cost);
                    self.reach(task, to, way.to, cost, CameFrom::Way(number), budget);
                }
            }
        }
        Ok(self.best.map(|(cost, _)| cost))
    }

    /// The cost of the cheapest route so far. No route costs as much as without one.
    fn best_cost(&self) -> Cost {
        self.best.map_or(COST_MAX, |(cost, _)| cost)
    }

    fn reach(
        &mut self,
        task: &TrunkTask<'_>,
        to: Cell,
        crossing: u32,
        cost: Cost,
        before: CameFrom,
        budget: &mut ExpansionBudget,
    ) {
        let Some(&cell) = task.roads.crossings.get(crossing as usize) else {
            return;
        };
        let known = self.costs.get(crossing as usize);
        if cost >= COST_MAX || known.is_some_and(|known| known <= cost) {
            return;
        }
        // Shortcuts may be cheaper than any guess from distance.
        let guess = match task.grid.links.shortcuts[..] {
            [] => Estimate::exact(task.query.rules.metric).between(cell, to),
            _ => 0,
        };
        if let Some(came_from) = self.came_from.get_mut(crossing as usize) {
            *came_from = before;
            self.costs.set(crossing as usize, cost);
            budget.counters.touched += u32::from(known.is_none());
            budget.counters.pushed += 1;
            self.open.push(Reverse((cost + guess, guess, crossing)));
        }
    }

    /// Prepends the cells of the route that was found between two cells, from the last but one
    /// back to the first.
    pub(crate) fn trace(&self, task: &TrunkTask<'_>, (from, to): (Cell, Cell), path: &mut Path) {
        let roads = task.roads;
        let (Some(first), Some(last)) = (RoadEnd::new(task, from), RoadEnd::new(task, to)) else {
            return;
        };
        let Some((_, by)) = self.best else { return };
        let Some((mut crossing, stop)) = by else {
            return walk_back(first.stops, last.at, first.at, path);
        };
        walk_back(last.stops, last.at, stop, path);
        while let Some(&came_from) = self.came_from.get(crossing as usize) {
            let number = match came_from {
                CameFrom::Begin(stop) => return walk_back(first.stops, stop, first.at, path),
                CameFrom::Way(number) => number as usize,
            };
            let Some(way) = roads.ways.get(number) else {
                return;
            };
            match way.segment {
                Some((segment, backward)) => {
                    let segment = roads.segments.get(segment as usize);
                    let stops = segment.map_or(&[][..], |&segment| roads.stops_of(segment));
                    let last = stops.len().saturating_sub(1);
                    let (begin, end) = if backward { (last, 0) } else { (0, last) };
                    walk_back(stops, end, begin, path);
                }
                None => {
                    path.prepend_all(roads.crossings.get(way.from as usize).into_iter().copied());
                }
            }
            crossing = way.from;
        }
    }
}

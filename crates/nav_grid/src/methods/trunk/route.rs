//! From crossing to crossing.

use super::{
    segment::{RoadEnd, SegmentPosition},
    task::{BudgetEnd, ExpansionBudget, TrunkTask},
};
use crate::{
    cell::Cell,
    index::{TrunkRoads, roads::RoadPlace},
    path::Path,
    rules::{COST_MAX, Cost, Estimate},
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// A* over the crossings between two cells of the roads.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoadRoute {
    /// By crossing.
    nodes: Vec<CrossingNode>,
    generation: u32,
    /// Total, guess, crossing.
    open: BinaryHeap<Reverse<(Cost, Cost, u32)>>,
    /// The cheapest way so far.
    best: Option<(Cost, RouteEnd)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct CrossingNode {
    generation: u32,
    cost: Cost,
    before: CameFrom,
}

/// How a crossing was reached.
#[derive(Clone, Copy, Debug, Default)]
enum CameFrom {
    /// It is where the route begins.
    #[default]
    Nothing,
    /// Along the segment on which the route begins, to this stop.
    Begin(usize),
    /// From this crossing by the way of this number.
    Way(u32, u32),
}

/// How a route comes to its end.
#[derive(Clone, Copy, Debug)]
enum RouteEnd {
    /// At once.
    Nothing,
    /// Along the segment on which it begins.
    Directly,
    /// At this crossing.
    Crossing(u32),
    /// From this crossing along a segment, from this stop.
    Segment(u32, usize),
}

impl RoadRoute {
    /// Begins to look for a way along the roads between two of their cells.
    pub(crate) fn begin(
        &mut self,
        task: &TrunkTask<'_>,
        (from, to): (Cell, Cell),
        budget: &mut ExpansionBudget,
    ) {
        self.start(task.roads);
        if from == to {
            self.best = Some((0, RouteEnd::Nothing));
            return;
        }
        let (Some(first), Some(last)) = (task.road_end(from), task.road_end(to)) else {
            return;
        };
        let mut reach = |crossing: u32, cost: Cost, before: CameFrom| {
            self.reach(task, to, crossing, cost, before, budget);
        };
        match &first {
            RoadEnd::Crossing(crossing) => reach(*crossing, 0, CameFrom::Nothing),
            RoadEnd::Segment(position) => {
                for (crossing, stop) in position.ends() {
                    reach(
                        crossing,
                        position.cost(position.at, stop),
                        CameFrom::Begin(stop),
                    );
                }
                if let RoadEnd::Segment(other) = &last
                    && position.number == other.number
                {
                    self.best = Some((position.cost(position.at, other.at), RouteEnd::Directly));
                }
            }
        }
    }

    /// Goes on looking for a cheapest way to `to`, and returns its cost, or `None` if the roads lead
    /// nowhere near.
    pub(crate) fn find(
        &mut self,
        task: &TrunkTask<'_>,
        to: Cell,
        budget: &mut ExpansionBudget,
    ) -> Result<Option<Cost>, BudgetEnd> {
        let known = |route: &Self| route.best.map(|(cost, _)| cost);
        let Some(last) = task.road_end(to) else {
            return Ok(known(self));
        };
        while let Some(Reverse((total, guessed, crossing))) = self.open.pop() {
            budget.counters.popped += 1;
            if total >= self.cost() {
                break;
            }
            let cost = total - guessed;
            if self.node(crossing).is_none_or(|node| node.cost != cost) {
                continue;
            }
            if let Err(spent) = budget.spend() {
                if spent == BudgetEnd::Slice {
                    // The next one takes it off the queue again.
                    self.open.push(Reverse((total, guessed, crossing)));
                    budget.counters.popped -= 1;
                }
                return Err(spent);
            }
            let mut offer = |rest: Cost, after: RouteEnd| {
                let whole = cost.saturating_add(rest);
                if whole < self.cost() {
                    self.best = Some((whole, after));
                }
            };
            match &last {
                RoadEnd::Crossing(end) if *end == crossing => {
                    offer(0, RouteEnd::Crossing(crossing));
                }
                RoadEnd::Crossing(_) => {}
                RoadEnd::Segment(position) => {
                    let ends = position.ends().into_iter();
                    for (_, stop) in ends.filter(|&(end, _)| end == crossing) {
                        offer(
                            position.cost(stop, position.at),
                            RouteEnd::Segment(crossing, stop),
                        );
                    }
                }
            }
            for (number, way) in task.roads.ways_from(crossing) {
                if task.has_way(way) {
                    let cost = cost.saturating_add(way.cost);
                    let before = CameFrom::Way(crossing, number);
                    self.reach(task, to, way.to, cost, before, budget);
                }
            }
        }
        Ok(known(self))
    }

    /// The cost of the cheapest way so far; no way costs as much as without one.
    fn cost(&self) -> Cost {
        self.best.map_or(COST_MAX, |(cost, _)| cost)
    }

    fn start(&mut self, roads: &TrunkRoads) {
        if self.generation == u32::MAX {
            self.nodes.clear();
            self.generation = 0;
        }
        self.generation += 1;
        if self.nodes.len() < roads.crossings.len() {
            self.nodes
                .resize(roads.crossings.len(), CrossingNode::default());
        }
        self.open.clear();
        self.best = None;
    }

    fn node(&self, crossing: u32) -> Option<CrossingNode> {
        let node = self.nodes.get(crossing as usize).copied();
        node.filter(|node| node.generation == self.generation)
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
        let guess = if task.grid.shortcuts().is_empty() {
            Estimate::exact(task.query.rules.metric).between(cell, to)
        } else {
            0
        };
        let known = self.node(crossing);
        if cost >= COST_MAX || known.is_some_and(|node| node.cost <= cost) {
            return;
        }
        if let Some(slot) = self.nodes.get_mut(crossing as usize) {
            *slot = CrossingNode {
                generation: self.generation,
                cost,
                before,
            };
            budget.counters.touched += u32::from(known.is_none());
            budget.counters.pushed += 1;
            self.open.push(Reverse((cost + guess, guess, crossing)));
        }
    }

    /// Puts the cells of the way that was found between two cells before the path, from the last
    /// but one back to the first.
    pub(crate) fn trace(&self, task: &TrunkTask<'_>, (from, to): (Cell, Cell), path: &mut Path) {
        let roads = task.roads;
        let (Some(first), Some(last)) = (task.road_end(from), task.road_end(to)) else {
            return;
        };
        let Some((_, after)) = self.best else { return };
        let mut crossing = match (after, &first, &last) {
            (RouteEnd::Directly, RoadEnd::Segment(position), RoadEnd::Segment(other)) => {
                position.walk_back(other.at, position.at, path);
                return;
            }
            (RouteEnd::Segment(crossing, stop), _, RoadEnd::Segment(position)) => {
                position.walk_back(position.at, stop, path);
                crossing
            }
            (RouteEnd::Crossing(crossing), _, _) => crossing,
            _ => return,
        };
        while let Some(node) = self.node(crossing) {
            match (node.before, &first) {
                (CameFrom::Begin(stop), RoadEnd::Segment(position)) => {
                    position.walk_back(stop, position.at, path);
                    return;
                }
                (CameFrom::Way(before, number), _) => {
                    let way = roads.ways.get(number as usize);
                    match way.and_then(|way| way.segment) {
                        Some((segment, backward)) => {
                            if let Some(position) = SegmentPosition::new(roads, segment, 0) {
                                let end = position.stops.len().saturating_sub(1);
                                let (begin, end) = if backward { (end, 0) } else { (0, end) };
                                position.walk_back(end, begin, path);
                            }
                        }
                        None => {
                            if let Some(&cell) = roads.crossings.get(before as usize) {
                                path.prepend(cell);
                            }
                        }
                    }
                    crossing = before;
                }
                _ => return,
            }
        }
    }
}

impl<'a> TrunkTask<'a> {
    /// Where on the roads a route begins or ends, if that is wholly in the window.
    fn road_end(&self, cell: Cell) -> Option<RoadEnd<'a>> {
        match self.roads.place(cell) {
            RoadPlace::Nowhere => None,
            RoadPlace::Crossing(crossing) => Some(RoadEnd::Crossing(crossing)),
            RoadPlace::Stop { segment, stop } => {
                let position = SegmentPosition::new(self.roads, segment, stop as usize)?;
                self.has_segment(&position.segment)
                    .then_some(RoadEnd::Segment(position))
            }
        }
    }
}

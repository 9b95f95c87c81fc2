//! A* from gate to gate.

use super::{
    gate_distances::GateDistances,
    refine::FRONTS_PER_SCAN,
    search::PortalSearch,
    task::{PortalCheckpoint, PortalEnd, PortalNode, PortalTask},
    work_slice::WorkSlice,
};
use crate::{
    cell::Cell,
    index::{
        PortalGraph,
        portals::{APART, DirectSegments, NONE, SIDE, WaveDirection},
    },
    query::{Counters, Fallback},
    rules::{COST_MAX, Cost},
};

/// Guesses count for this part more than they are: it takes a good deal fewer expansions, and
/// portals may be dearer by as much.
const GREED: u32 = 12;

/// In place of the cost of a portal whose successors were looked at: no way to it is cheaper.
const EXPANDED: u32 = 0;

impl PortalSearch {
    /// Looks at the gates around start and goal. Answers if no others are needed.
    pub(crate) fn set_out(
        &mut self,
        task: &PortalTask<'_>,
        run: &mut PortalCheckpoint,
        slice: &mut WorkSlice,
    ) -> Option<PortalEnd> {
        let PortalTask { portals, query, .. } = *task;
        let (start, goal) = (query.start, query.goal);
        slice.scan(u32::from(start.chebyshev(goal)) / Counters::CELLS_PER_SCAN);
        // Nothing can be cheaper than a direct segment but links.
        if start.floor == goal.floor
            && task.open.distance(start, goal) <= task.guess_max
            && DirectSegments::is_clear(&task.open, start, goal)
        {
            return Some(PortalEnd::Goal(NONE));
        }
        let tiling = portals.tiling;
        let (first, last) = (tiling.cluster(start), tiling.cluster(goal));
        let ground = portals.ground(task.grid, last);
        let to_goal = &mut self.to_goal;
        let reach = GateDistances {
            portals,
            ground: &ground,
            cluster: last,
            way: WaveDirection::Backward,
        };
        reach.measure(&mut self.wave, goal, None, to_goal);
        slice.scan(1 + self.wave.take_fronts() / FRONTS_PER_SCAN);
        let direct = (first == last).then_some(goal);
        if self.to_goal.iter().all(|&cost| cost == NONE) && direct.is_none() {
            return Some(PortalEnd::Nowhere(NONE));
        }
        let ground = portals.ground(task.grid, first);
        let reach = GateDistances {
            portals,
            ground: &ground,
            cluster: first,
            way: WaveDirection::Forward,
        };
        let from_start = &mut self.from_start;
        if let Some(cost) = reach.measure(&mut self.wave, start, direct, from_start) {
            run.best = cost;
        }
        slice.scan(1 + self.wave.take_fronts() / FRONTS_PER_SCAN);
        self.renew(portals);
        let shift = task.open.straight.ilog2();
        self.queue.start(shift, task.guess(start), Cost::MAX);
        let from_start = std::mem::take(&mut self.from_start);
        let distances = from_start.iter().copied();
        self.expand(task, run, first, NONE, 0, distances);
        self.from_start = from_start;
        run.nearest = (task.guess(start), NONE);
        None
    }

    /// Finds the passages of a cheapest way; `None` if the slice ends before.
    pub(crate) fn expand_gates(
        &mut self,
        task: &PortalTask<'_>,
        run: &mut PortalCheckpoint,
        slice: &mut WorkSlice,
    ) -> Option<PortalEnd> {
        let PortalTask { portals, query, .. } = *task;
        let tiling = portals.tiling;
        let last = tiling.cluster(query.goal);
        loop {
            if !slice.take() {
                return None;
            }
            let Some((key, passage)) = self.next_gate(run) else {
                break;
            };
            // All that waits costs as much, to a straight step.
            if key >= run.best {
                break;
            }
            if run.counters.expanded == query.limits.expansions {
                return Some(PortalEnd::Budget(run.nearest.1));
            }
            run.counters.expanded += 1;
            let number = (passage / 2) as usize;
            self.costs[number] = EXPANDED;
            let cost = self.nodes[number].cost;
            let entry = portals.exit(passage);
            if query.fallback == Fallback::ClosestReached {
                let cell = tiling.cell(entry.cluster, entry.spot);
                run.nearest = run.nearest.min((task.distance(cell), passage));
            }
            if entry.cluster == last {
                let rest = self.to_goal.get(entry.gate).copied().unwrap_or(NONE);
                let whole = cost.saturating_add(rest);
                if whole < run.best {
                    run.best = whole;
                    run.best_end = passage;
                }
            }
            let row = portals.distances(entry.cluster, entry.gate);
            let row = row.iter().map(|&distance| match distance {
                APART => NONE,
                _ => u32::from(distance),
            });
            self.expand(task, run, entry.cluster, passage, cost, row);
        }
        Some(if run.best == NONE {
            PortalEnd::Nowhere(run.nearest.1)
        } else {
            PortalEnd::Goal(run.best_end)
        })
    }

    /// Takes the best passage that was not expanded yet, with what ranks it.
    #[inline]
    fn next_gate(&mut self, run: &mut PortalCheckpoint) -> Option<(u32, u32)> {
        loop {
            let (key, passage) = self.queue.pop()?;
            run.counters.popped += 1;
            let number = (passage / 2) as usize;
            // It may have been expanded, or come to from the other side.
            let waits = self.costs[number] != EXPANDED && self.nodes[number].passage == passage;
            if waits || key >= run.best {
                return Some((key, passage));
            }
        }
    }

    /// Forgets the last search.
    fn renew(&mut self, portals: &PortalGraph) {
        for number in self.touched.drain(..) {
            self.costs[number as usize] = COST_MAX;
        }
        let count = portals.numbers();
        if self.costs.len() < count {
            self.costs.resize(count, COST_MAX);
            self.nodes.resize(count, PortalNode::default());
        }
    }

    /// Looks at all gates of a cluster from a place in it, `distance` away each.
    #[inline]
    fn expand(
        &mut self,
        task: &PortalTask<'_>,
        run: &mut PortalCheckpoint,
        cluster: u32,
        parent: u32,
        cost: u32,
        distances: impl Iterator<Item = u32>,
    ) {
        let corner = task.portals.tiling.corner(cluster);
        for (gate, distance) in task.portals.gates(cluster).iter().zip(distances) {
            let number = (gate.passage / 2) as usize;
            let here = cost.saturating_add(distance);
            let through = here.saturating_add(task.portals.out(gate));
            let Some(known) = self.costs.get_mut(number).filter(|known| through < **known) else {
                continue;
            };
            if *known == COST_MAX {
                self.touched.push(number as u32);
                run.counters.touched += 1;
            }
            *known = through;
            run.counters.pushed += 1;
            if let Some(node) = self.nodes.get_mut(number) {
                *node = PortalNode {
                    cost: through,
                    passage: gate.passage,
                    parent,
                };
            }
            let cell = Cell {
                x: corner.x + gate.spot() % SIDE,
                y: corner.y + gate.spot() / SIDE,
                ..corner
            };
            let guess = task.guess(cell);
            let key = here.saturating_add(guess + guess / GREED);
            self.queue.push(key, gate.passage);
        }
    }
}

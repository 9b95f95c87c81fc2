//! A* from gate to gate.

use super::{
    gate_distances::GateDistances,
    portal_search::PortalSearch,
    portal_task::{PortalCheckpoint, PortalEnd, PortalNode, PortalTask, WorkSlice},
};
use crate::{
    cell::Cell,
    index::{
        PortalGraph,
        portals::{DirectSegments, DistanceTable, NONE, SIDE, WaveDirection, widened},
    },
    query::{Counters, Fallback, Stopped},
    rules::{COST_MAX, Cost},
};

/// The part of itself by which the heuristic is raised: it saves many expansions, and passing
/// portals at their middle cells costs about as much more. The value is a guess.
const GREED: u32 = 12;

/// In place of the gate of an entrance, for the start itself.
const START: (u32, usize) = (NONE, 0);

/// In place of the cost of a portal that was expanded. No way to it is cheaper.
const EXPANDED: u32 = 0;

impl PortalSearch {
    /// Measures the gates around start and goal. Returns the end if no others are needed.
    pub(crate) fn set_out(
        &mut self,
        task: &PortalTask<'_>,
        run: &mut PortalCheckpoint,
        slice: &mut WorkSlice,
    ) -> Option<PortalEnd> {
        let PortalTask { portals, query, .. } = *task;
        let (start, goal) = (query.start, query.goal);
        slice.scan(u32::from(start.chebyshev(goal)) / Counters::CELLS_PER_SCAN);
        // Only links can be cheaper than a direct segment. It needs no portals at all.
        if start.floor == goal.floor
            && task.open.distance(start, goal) <= task.guess_max
            && DirectSegments::is_clear(&task.open, start, goal)
        {
            return Some((None, NONE));
        }
        let tiling = portals.tiling;
        let (first, last) = (tiling.cluster(start), tiling.cluster(goal));
        let reach = GateDistances::new(task, last, WaveDirection::Backward);
        reach.measure(&mut self.wave, goal, None, &mut self.to_goal);
        slice.scan(1);
        slice.scan_wave(&mut self.wave);
        let direct = (first == last).then_some(goal);
        if self.to_goal.iter().all(|&cost| cost == NONE) && direct.is_none() {
            return Some((Some(Stopped::Unreachable), NONE));
        }
        let reach = GateDistances::new(task, first, WaveDirection::Forward);
        let between = reach.measure(&mut self.wave, start, direct, &mut self.from_start);
        run.best = between.unwrap_or(run.best);
        slice.scan(1);
        slice.scan_wave(&mut self.wave);
        self.renew(portals);
        let shift = task.open.straight().ilog2();
        self.queue.start(shift, task.guess(start), Cost::MAX);
        let from_start = std::mem::take(&mut self.from_start);
        self.expand(task, run, first, NONE, 0, from_start.iter().copied());
        self.from_start = from_start;
        run.nearest = (task.distance(start), START, NONE);
        None
    }

    /// Expands portals up to the goal. Returns `None` if the slice ends first.
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
            // All that is queued costs as much, up to a straight step.
            if key >= run.best {
                break;
            }
            if run.counters.expanded == query.limits.expansions {
                return Some((Some(Stopped::BudgetSpent), run.nearest.2));
            }
            run.counters.expanded += 1;
            let number = (passage / 2) as usize;
            self.costs[number] = EXPANDED;
            let cost = self.nodes[number].cost;
            let entry = portals.exit(passage);
            if query.fallback == Fallback::ClosestReached {
                let cell = tiling.cell(entry.cluster, entry.spot);
                // Numbers of passages depend on past edits.
                let place = (entry.cluster, entry.gate);
                run.nearest = run.nearest.min((task.distance(cell), place, passage));
            }
            // A path to the goal. Others still queued can be cheaper.
            if entry.cluster == last {
                let rest = self.to_goal.get(entry.gate).copied().unwrap_or(NONE);
                let whole = cost.saturating_add(rest);
                if whole < run.best {
                    run.best = whole;
                    run.best_end = passage;
                }
            }
            let count = portals.gates(entry.cluster).len();
            let row = entry.gate * count..(entry.gate + 1) * count;
            match portals.table(entry.cluster) {
                DistanceTable::Short(table) => {
                    let row = table[row].iter().map(|&distance| widened(distance));
                    self.expand(task, run, entry.cluster, passage, cost, row);
                }
                DistanceTable::Long(table) => {
                    let row = table[row].iter().copied();
                    self.expand(task, run, entry.cluster, passage, cost, row);
                }
            }
        }
        Some(match run.best {
            NONE => (Some(Stopped::Unreachable), run.nearest.2),
            _ => (None, run.best_end),
        })
    }

    /// Removes the best passage from the queue that was not expanded yet. Returns its key, too.
    #[inline]
    fn next_gate(&mut self, run: &mut PortalCheckpoint) -> Option<(u32, u32)> {
        loop {
            let (key, passage) = self.queue.pop()?;
            run.counters.popped += 1;
            let number = (passage / 2) as usize;
            // The portal may have been expanded, or reached from the other side.
            let waits = self.costs[number] != EXPANDED && self.nodes[number].passage == passage;
            if waits || key >= run.best {
                return Some((key, passage));
            }
        }
    }

    /// Forgets the last search and makes room for the portals.
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

    /// Queues the gates of a cluster from a place in it, given the distances to them.
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
            let known = self.costs.get_mut(number);
            let Some(known) = known.filter(|known| through < **known) else {
                continue;
            };
            if task.is_barred(gate.passage) {
                continue;
            }
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

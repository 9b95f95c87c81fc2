//! Refinement: turns the portals of an answer into the cells of a path.

use super::{
    portal_search::PortalSearch,
    portal_task::{PortalTask, RefineStage, Refinement, WorkSlice},
    pull::SegmentPath,
};
use crate::{
    cell::Cell,
    index::portals::{
        ClusterRows, DirectSegments, NONE, Spot, Tiling, WaveDirection, hasty, is_in,
    },
    query::Counters,
    rules::COST_MAX,
};

impl PortalSearch {
    /// Prepares to lay the path through `last` and the passages before it.
    pub(crate) fn start_to_refine(&mut self, task: &PortalTask<'_>, last: u32) {
        self.passages.clear();
        let mut passage = last;
        while passage != NONE {
            self.passages.push(passage);
            passage = self.nodes[(passage / 2) as usize].parent;
        }
        self.route.clear();
        self.stops.clear();
        self.stops.push(task.query.start);
        self.refinement = Refinement::default();
    }

    /// Lays the path through the passages, and on to `goal`, into `route`, section by section from
    /// link to link. Returns its cost in the metric of the query, or `None` if the slice ends
    /// first.
    pub(crate) fn refine(
        &mut self,
        task: &PortalTask<'_>,
        goal: Option<Cell>,
        slice: &mut WorkSlice,
    ) -> Option<u64> {
        let open = &task.open;
        loop {
            match self.refinement.stage {
                RefineStage::Section => {
                    self.gather(task, goal);
                    let first = self.stops.first().copied();
                    self.segment_path.start(first.unwrap_or(task.query.start));
                    self.refinement.stage = RefineStage::Segments;
                }
                RefineStage::Segments => {
                    while self.refinement.at + 1 < self.stops.len() {
                        if !slice.take_scan() {
                            return None;
                        }
                        self.lay_leg(task, slice);
                    }
                    self.refinement.stage = RefineStage::Done;
                    // A single step cannot be shortened.
                    if self.segment_path.cells.len() > 2 {
                        self.pull.start(open, &mut self.segment_path);
                        self.refinement.stage = RefineStage::Bends;
                    }
                }
                RefineStage::Bends => {
                    self.pull.cut_bends(open, &mut self.segment_path, slice)?;
                    self.pull.start(open, &mut self.segment_path);
                    self.refinement.stage = RefineStage::Skips;
                }
                RefineStage::Skips => {
                    self.pull.skip_ahead(open, &mut self.segment_path, slice)?;
                    self.refinement.stage = RefineStage::Done;
                }
                RefineStage::Done => {
                    if let Some(cost) = self.end_section(task, slice) {
                        return Some(cost);
                    }
                }
            }
        }
    }

    /// Appends a section to the route, and begins the next one behind its link. Returns the cost of
    /// the route if that was the last one.
    fn end_section(&mut self, task: &PortalTask<'_>, slice: &mut WorkSlice) -> Option<u64> {
        let (grid, rules) = (task.grid, task.query.rules);
        let cells = &self.segment_path.cells[1..];
        self.route.extend_from_slice(cells);
        slice.scan(cells.len() as u32 / Counters::CELLS_PER_SCAN);
        let own = self.segment_path.whole_cost(grid, rules, &task.open);
        let cost = self.refinement.cost + own;
        let Some((from, to)) = self.refinement.link else {
            return Some(cost);
        };
        let link = grid.move_cost(from, to, rules).unwrap_or(COST_MAX);
        self.route.push(to);
        self.stops.clear();
        self.stops.push(to);
        self.refinement = Refinement {
            cost: cost + u64::from(link),
            ..Refinement::default()
        };
        None
    }

    /// Collects the stops up to the next link, or to the end.
    fn gather(&mut self, task: &PortalTask<'_>, goal: Option<Cell>) {
        let portals = task.portals;
        while let Some(passage) = self.passages.pop() {
            let (entrance, exit) = (portals.entrance(passage), portals.exit(passage));
            let from = portals.tiling.cell(entrance.cluster, entrance.spot);
            let to = portals.tiling.cell(exit.cluster, exit.spot);
            self.stops.push(from);
            if portals.is_link(passage) {
                self.refinement.link = Some((from, to));
                return;
            }
            self.stops.push(to);
        }
        self.stops.extend(goal);
    }

    /// Lays the path from a stop to a later one. Consecutive stops are in one cluster, or a step
    /// apart.
    fn lay_leg(&mut self, task: &PortalTask<'_>, slice: &mut WorkSlice) {
        let open = &task.open;
        let at = self.refinement.at;
        let (Some(&from), Some(&next)) = (self.stops.get(at), self.stops.get(at + 1)) else {
            return;
        };
        // As many stops ahead as possible, doubling the number each time.
        let (mut reached, mut ahead) = (at, 1);
        while let Some(&to) = self.stops.get(at + ahead) {
            slice.scan(u32::from(from.chebyshev(to)) / Counters::CELLS_PER_SCAN);
            if !DirectSegments::is_clear(open, from, to) {
                break;
            }
            reached = at + ahead;
            ahead *= 2;
        }
        if let Some(&to) = self.stops.get(reached).filter(|_| reached > at) {
            self.direct
                .lay(open, from, to, &mut self.segment_path.cells);
            self.segment_path.turn();
            self.refinement.at = reached;
            return;
        }
        self.refinement.at = at + 1;
        let cluster = task.portals.tiling.cluster(from);
        if cluster != task.portals.tiling.cluster(next) {
            // A step across a border where exits or step costs rule out direct segments.
            self.segment_path.cells.push(next);
            self.segment_path.turn();
        } else if from != next {
            self.lay_inside(task, cluster, Tiling::spot(from), Tiling::spot(next));
            slice.scan_wave(&mut self.wave);
        }
    }

    /// Lays a path between two spots of a cluster.
    fn lay_inside(&mut self, task: &PortalTask<'_>, cluster: u32, from: Spot, to: Spot) {
        let portals = task.portals;
        let ground = portals.ground(task.grid, cluster);
        let mut reached = None;
        let seeds = [(0, from)];
        // Coarse costs make fewer fronts, and pulling the path tight makes up for them.
        let step_costs = hasty(portals.step_costs, &ground);
        let visit = |cost, front: &ClusterRows, _| {
            reached = is_in(front, to).then_some(cost);
            reached.is_none()
        };
        self.wave
            .run(&ground, step_costs, WaveDirection::Forward, seeds, visit);
        let Some(cost) = reached else { return };
        let SegmentPath { cells, turns, .. } = &mut self.segment_path;
        let first = cells.len();
        self.wave.trace(&ground, step_costs, to, cost, |spot| {
            cells.push(portals.tiling.cell(cluster, spot));
        });
        cells[first..].reverse();
        let step = |from: Cell, to: Cell| (to.x.wrapping_sub(from.x), to.y.wrapping_sub(from.y));
        let threes = (first..).zip(cells[first - 1..].windows(3));
        let bends = threes.filter(|(_, cells)| {
            step(cells[0], cells[1]) != step(cells[1], cells[2])
                || cells[1..].iter().any(|&cell| task.open.cost(cell) > 1)
        });
        turns.extend(bends.map(|(at, _)| at));
        turns.push(cells.len() - 1);
    }
}

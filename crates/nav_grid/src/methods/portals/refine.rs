//! Refinement: turns the portals of an answer into the cells of a path.

use super::{
    pull::SegmentPath,
    refinement::{RefineStage, Refinement},
    search::PortalSearch,
    task::PortalTask,
    work_slice::WorkSlice,
};
use crate::{
    cell::Cell,
    index::portals::{
        ClusterRows, DirectSegments, NONE, SIDE, Spot, Tiling, WaveDirection, hasty, is_in,
    },
    query::Counters,
    rules::COST_MAX,
};

/// Fronts of a wave in a cluster that count as a scan.
pub(super) const FRONTS_PER_SCAN: u32 = 4;

impl PortalTask<'_> {
    /// What the direct segments of a path on one floor cost in the query's metric.
    fn cost(&self, segment_path: &SegmentPath) -> u64 {
        let metric = self.query.rules.metric;
        let mut cost = 0;
        for turns in segment_path.turns.windows(2) {
            let (from, to) = (segment_path.cells[turns[0]], segment_path.cells[turns[1]]);
            let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
            cost += u64::from(metric.open_ground(dx, dy));
        }
        cost
    }
}

impl PortalSearch {
    /// Makes ready to lay the path through `last` and the passages before it.
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

    /// Lays the path through the passages, and on to the goal if that is where it leads, into
    /// `route`, a section from link to link after the other. Returns its cost in the query's
    /// metric, or `None` if the slice ends before.
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
                    if self.refinement.segments > 1 && self.segment_path.cells.len() > 2 {
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
                    let cells = &self.segment_path.cells[1..];
                    self.route.extend_from_slice(cells);
                    slice.scan(cells.len() as u32 / Counters::CELLS_PER_SCAN);
                    let mut cost = self.refinement.cost + task.cost(&self.segment_path);
                    let Some((from, to)) = self.refinement.link else {
                        return Some(cost);
                    };
                    let link = task.grid.move_cost(from, to, task.query.rules);
                    cost += u64::from(link.unwrap_or(COST_MAX));
                    self.route.push(to);
                    self.stops.clear();
                    self.stops.push(to);
                    self.refinement = Refinement {
                        cost,
                        ..Refinement::default()
                    };
                }
            }
        }
    }

    /// Finds the stops up to the next link, or to the end.
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

    /// Lays the path from a stop to a later one. Stops that follow one another are in one
    /// cluster, or a step apart.
    fn lay_leg(&mut self, task: &PortalTask<'_>, slice: &mut WorkSlice) {
        let open = &task.open;
        let at = self.refinement.at;
        let (Some(&from), Some(&next)) = (self.stops.get(at), self.stops.get(at + 1)) else {
            return;
        };
        // As many stops ahead as may be, twice as many each time.
        let (mut reached, mut ahead) = (at, 1);
        while let Some(&to) = self.stops.get(at + ahead) {
            slice.scan(u32::from(from.chebyshev(to)) / Counters::CELLS_PER_SCAN);
            if !DirectSegments::is_clear(open, from, to) {
                break;
            }
            reached = at + ahead;
            ahead *= 2;
        }
        self.refinement.segments += 1;
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
            // The step across a border that exits keep direct segments from.
            self.segment_path.cells.push(next);
            self.segment_path.turn();
        } else if from != next {
            self.lay_inside(task, cluster, Tiling::spot(from), Tiling::spot(next));
            slice.scan(self.wave.take_fronts() / FRONTS_PER_SCAN);
        }
    }

    /// Lays a path between two spots of a cluster.
    fn lay_inside(&mut self, task: &PortalTask<'_>, cluster: u32, from: Spot, to: Spot) {
        let portals = task.portals;
        let ground = portals.ground(task.grid, cluster);
        let mut reached = None;
        let seeds = [(0, from)];
        // Pulling it tight makes up for the coarse costs.
        let step_costs = hasty(portals.step_costs);
        let visit = |cost, front: &ClusterRows, _| {
            reached = is_in(front, to).then_some(cost);
            reached.is_none()
        };
        self.wave
            .run(&ground, step_costs, WaveDirection::Forward, seeds, visit);
        let Some(cost) = reached else { return };
        let SegmentPath { cells, turns, .. } = &mut self.segment_path;
        let first = cells.len();
        let corner = portals.tiling.corner(cluster);
        self.wave.trace(&ground, step_costs, to, cost, |spot| {
            cells.push(Cell {
                x: corner.x + spot % SIDE,
                y: corner.y + spot / SIDE,
                ..corner
            });
        });
        cells[first..].reverse();
        let step = |from: Cell, to: Cell| (to.x.wrapping_sub(from.x), to.y.wrapping_sub(from.y));
        let bends = cells[first - 1..].windows(3);
        let bends = (first..)
            .zip(bends)
            .filter(|(_, cells)| step(cells[0], cells[1]) != step(cells[1], cells[2]));
        turns.extend(bends.map(|(at, _)| at));
        turns.push(cells.len() - 1);
    }
}

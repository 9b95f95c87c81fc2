//! The costs between a cell and the gates of its cluster.

use super::portal_task::PortalTask;
use crate::{
    cell::Cell,
    index::{
        PortalGraph,
        portals::{
            ClusterGround, ClusterRows, ClusterWave, DirectSegments, DistanceTable, Gate, NONE,
            SegmentGround, SpotSet, Tiling, WaveDirection, is_in, quick, widened,
        },
    },
};

/// Measures the costs between cells of a cluster and its gates.
pub(crate) struct GateDistances<'a> {
    portals: &'a PortalGraph,
    open: SegmentGround<'a>,
    ground: ClusterGround,
    cluster: u32,
    way: WaveDirection,
}

/// A cost that is known to within this part of itself is not measured: the path is pulled tight
/// later.
const CLOSE: u32 = 8;

impl<'a> GateDistances<'a> {
    pub(crate) fn new(task: &PortalTask<'a>, cluster: u32, way: WaveDirection) -> Self {
        let portals = task.portals;
        let ground = portals.ground(task.grid, cluster);
        Self {
            portals,
            open: task.open,
            ground,
            cluster,
            way,
        }
    }

    fn is_of_use(&self, gate: &Gate) -> bool {
        NONE != match self.way {
            WaveDirection::Forward => self.portals.out(gate),
            WaveDirection::Backward => self.portals.into(gate),
        }
    }

    /// Measures the costs between a cell and all gates, [`NONE`] where there is no way. Returns
    /// the cost to another cell of the cluster.
    pub(crate) fn measure(
        &self,
        wave: &mut ClusterWave,
        cell: Cell,
        other: Option<Cell>,
        costs: &mut Vec<u32>,
    ) -> Option<u32> {
        let portals = self.portals;
        let gates = portals.gates(self.cluster);
        let open = &self.open;
        let symmetric = !self.ground.is_mixed();
        costs.clear();
        costs.extend(gates.iter().map(|gate| {
            let to = portals.tiling.cell(self.cluster, gate.spot());
            if self.is_of_use(gate) && DirectSegments::is_clear(open, cell, to) {
                open.distance(cell, to)
            } else {
                NONE
            }
        }));
        let direct = other.filter(|&other| DirectSegments::is_clear(open, cell, other));
        let mut between = direct.map(|other| open.distance(cell, other));
        let wanted = other.filter(|_| between.is_none()).map(Tiling::spot);
        let mut waiting = if symmetric {
            self.infer(cell, costs)
        } else {
            let unknown = gates.iter().zip(&*costs).filter(|(_, cost)| **cost == NONE);
            unknown.filter(|(gate, _)| self.is_of_use(gate)).count()
        };
        if waiting == 0 && wanted.is_none() {
            return between;
        }
        waiting += usize::from(wanted.is_some());
        let seed = (0, Tiling::spot(cell));
        let spots = gates.iter().map(Gate::spot).chain(wanted);
        let targets = SpotSet::new(spots);
        // Rounded step costs make fewer fronts.
        let (step_costs, fifths) = quick(portals.step_costs, &self.ground);
        let visit = |cost, front: &ClusterRows, rows| {
            if !targets.are_in(front, rows) {
                return true;
            }
            let cost = cost * fifths / 5;
            let mut news = false;
            for (known, gate) in costs.iter_mut().zip(gates) {
                if *known == NONE && is_in(front, gate.spot()) && self.is_of_use(gate) {
                    *known = cost;
                    waiting -= 1;
                    news = true;
                }
            }
            if let Some(wanted) = wanted
                && is_in(front, wanted)
            {
                between = Some(cost);
                waiting -= 1;
            }
            if news && symmetric {
                waiting =
                    self.infer(cell, costs) + usize::from(wanted.is_some() && between.is_none());
            }
            waiting > 0
        };
        wave.run(&self.ground, step_costs, self.way, [seed], visit);
        between
    }

    /// Fills in costs that follow from known costs and the distances between gates. Returns the
    /// number of unknown costs left. Ways back must cost the same.
    fn infer(&self, cell: Cell, costs: &mut [u32]) -> usize {
        let portals = self.portals;
        let DistanceTable::Short(table) = portals.table(self.cluster) else {
            return 0;
        };
        let count = costs.len();
        let mut waiting = 0;
        for (index, gate) in portals.gates(self.cluster).iter().enumerate() {
            if costs[index] != NONE || !self.is_of_use(gate) {
                continue;
            }
            let to = portals.tiling.cell(self.cluster, gate.spot());
            // Lower and upper bounds of the cost.
            let (mut least, mut most) = (self.open.distance(cell, to), NONE);
            let between = &table[index * count..(index + 1) * count];
            let mut apart = false;
            for (&known, &rest) in costs.iter().zip(between) {
                if known == NONE {
                    continue;
                }
                let rest = widened(rest);
                if rest == NONE {
                    apart = true;
                    break;
                }
                least = least.max(known.abs_diff(rest));
                most = most.min(known + rest);
            }
            if apart {
                continue;
            }
            if most != NONE && most <= least + least / CLOSE {
                costs[index] = most;
            } else {
                waiting += 1;
            }
        }
        waiting
    }
}

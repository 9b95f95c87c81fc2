//! What it costs to get to the gates of a cluster from a place in it.

use crate::{
    cell::Cell,
    index::{
        PortalGraph,
        portals::{
            APART, ClusterGround, ClusterRows, ClusterWave, DirectSegments, Gate, NONE, SIDE,
            SpotSet, Tiling, WaveDirection, is_in, quick,
        },
    },
};

/// A look at the gates of a cluster from a cell in it.
pub(crate) struct GateDistances<'a> {
    pub(crate) portals: &'a PortalGraph,
    pub(crate) ground: &'a ClusterGround,
    pub(crate) cluster: u32,
    pub(crate) way: WaveDirection,
}

/// A cost is known well enough to within this part of it: the path is pulled tight anyway.
const CLOSE: u32 = 8;

impl GateDistances<'_> {
    fn is_of_use(&self, gate: &Gate) -> bool {
        NONE != match self.way {
            WaveDirection::Forward => self.portals.out(gate),
            WaveDirection::Backward => self.portals.into(gate),
        }
    }

    /// Finds the costs between a cell and all gates, [`NONE`] where there is no way. Returns
    /// the cost to one more cell of the cluster.
    pub(crate) fn measure(
        &self,
        wave: &mut ClusterWave,
        cell: Cell,
        other: Option<Cell>,
        costs: &mut Vec<u32>,
    ) -> Option<u32> {
        let portals = self.portals;
        let gates = portals.gates(self.cluster);
        let open = portals.open(None);
        let symmetric = self.ground.exits.is_none();
        costs.clear();
        let mut waiting = 0;
        for gate in gates {
            let to = portals.tiling.cell(self.cluster, gate.spot());
            let clear =
                symmetric && self.is_of_use(gate) && DirectSegments::is_clear(&open, cell, to);
            waiting += usize::from(self.is_of_use(gate) && !clear);
            costs.push(if clear { open.distance(cell, to) } else { NONE });
        }
        let mut between = None;
        if let Some(other) = other
            && symmetric
            && DirectSegments::is_clear(&open, cell, other)
        {
            between = Some(open.distance(cell, other));
        }
        let wanted = other.filter(|_| between.is_none()).map(Tiling::spot);
        if symmetric {
            waiting = self.infer(cell, costs);
        }
        if waiting == 0 && wanted.is_none() {
            return between;
        }
        waiting += usize::from(wanted.is_some());
        let seed = (0, Tiling::spot(cell));
        let spots = gates.iter().map(Gate::spot).chain(wanted);
        let targets = SpotSet::new(spots);
        let (step_costs, fifths) = quick(portals.step_costs);
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
        wave.run(self.ground, step_costs, self.way, [seed], visit);
        between
    }

    /// Fills in costs that follow from known ones and the distances between gates, and returns
    /// how many are still to be found. Ways back must cost the same.
    fn infer(&self, cell: Cell, costs: &mut [u32]) -> usize {
        let portals = self.portals;
        let open = portals.open(None);
        let corner = portals.tiling.corner(self.cluster);
        let mut waiting = 0;
        for (index, gate) in portals.gates(self.cluster).iter().enumerate() {
            if costs[index] != NONE || !self.is_of_use(gate) {
                continue;
            }
            let to = Cell {
                x: corner.x + gate.spot() % SIDE,
                y: corner.y + gate.spot() / SIDE,
                ..corner
            };
            // No way is shorter than one, nor longer than the other.
            let (mut least, mut most) = (open.distance(cell, to), NONE);
            let between = portals.distances(self.cluster, index);
            let mut apart = false;
            for (&known, &rest) in costs.iter().zip(between) {
                if known == NONE {
                    continue;
                }
                if rest == APART {
                    apart = true;
                    break;
                }
                least = least.max(known.abs_diff(rest.into()));
                most = most.min(known + u32::from(rest));
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

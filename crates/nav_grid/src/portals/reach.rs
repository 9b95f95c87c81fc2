//! What it costs to get to the gates of a cluster from a place in it.

use super::{
    cluster::{Ground, Rows, Targets, Tiling, is_in},
    graph::{Gate, NONE, Portals, quick},
    leg::Legs,
    wave::{Wave, Way},
};
use crate::Cell;

/// A look at the gates of a cluster from a cell in it.
pub(super) struct Reach<'a> {
    pub(super) portals: &'a Portals,
    pub(super) ground: &'a Ground,
    pub(super) cluster: u32,
    pub(super) way: Way,
}

impl Reach<'_> {
    /// Finds the costs between a cell and all gates, [`NONE`] where there is no way. Returns
    /// the cost to one more cell of the cluster.
    pub(super) fn measure(
        &self,
        wave: &mut Wave,
        cell: Cell,
        other: Option<Cell>,
        costs: &mut Vec<u32>,
    ) -> Option<u32> {
        let portals = self.portals;
        let gates = portals.gates(self.cluster);
        let open = portals.open(None);
        let symmetric = self.ground.exits.is_none();
        let is_of_use = |gate: &Gate| match self.way {
            Way::Forward => portals.out(gate) != NONE,
            Way::Backward => portals.into(gate) != NONE,
        };
        costs.clear();
        let mut waiting = 0;
        for gate in gates {
            let to = portals.tiling.cell(self.cluster, gate.spot);
            let clear = symmetric && is_of_use(gate) && Legs::is_clear(&open, cell, to);
            waiting += usize::from(is_of_use(gate) && !clear);
            costs.push(if clear { open.distance(cell, to) } else { NONE });
        }
        let mut between = None;
        if let Some(other) = other
            && symmetric
            && Legs::is_clear(&open, cell, other)
        {
            between = Some(open.distance(cell, other));
        }
        let wanted = other.filter(|_| between.is_none()).map(Tiling::spot);
        if waiting == 0 && wanted.is_none() {
            return between;
        }
        waiting += usize::from(wanted.is_some());
        let seed = (0, Tiling::spot(cell));
        let spots = gates.iter().map(|gate| gate.spot).chain(wanted);
        let targets = Targets::new(spots);
        let (pace, fifths) = quick(portals.pace);
        let visit = |cost, front: &Rows, rows| {
            if !targets.are_in(front, rows) {
                return true;
            }
            let cost = cost * fifths / 5;
            for (known, gate) in costs.iter_mut().zip(gates) {
                if *known == NONE && is_in(front, gate.spot) && is_of_use(gate) {
                    *known = cost;
                    waiting -= 1;
                }
            }
            if let Some(wanted) = wanted
                && is_in(front, wanted)
            {
                between = Some(cost);
                waiting -= 1;
            }
            waiting > 0
        };
        wave.run(self.ground, pace, self.way, [seed], visit);
        between
    }
}

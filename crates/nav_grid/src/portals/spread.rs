//! The distances of a field, from gate to gate.

use super::{
    cluster::{Rows, Tiling, is_in},
    field::PortalField,
    graph::{APART, Gate, NONE, Portals},
    wave::Way,
};
use crate::{Cell, Grid};

impl PortalField {
    /// Finds the distance from every gate to the target.
    pub(super) fn spread(&mut self, grid: &Grid, portals: &Portals, target: Cell) {
        self.page_of.clear();
        self.page_of.resize(portals.clusters(), NONE);
        self.used = 0;
        self.first.clear();
        let mut count = 0;
        for cluster in 0..portals.clusters() as u32 {
            self.first.push(count);
            count += portals.gates(cluster).len() as u32;
        }
        self.costs.clear();
        self.costs.resize(count as usize, NONE);
        // Portals lie further apart than that: hardly ever is a gate looked at again because a
        // better way to it was in the same bucket.
        self.queue.reset(portals.pace.straight.ilog2() + 2, 0);

        let cluster = portals.tiling.cluster(target);
        let ground = portals.ground(grid, cluster);
        let mut wave = std::mem::take(&mut self.wave);
        let seed = (0, Tiling::spot(target));
        let visit = |cost, front: &Rows, _| {
            for (index, gate) in portals.gates(cluster).iter().enumerate() {
                if is_in(front, gate.spot) {
                    self.relax(portals, cluster, index, gate, cost);
                }
            }
            true
        };
        wave.run(&ground, portals.pace, Way::Backward, [seed], visit);
        self.wave = wave;

        while let Some((key, (cluster, gate))) = self.queue.pop() {
            // There may have been a better way, by the border or inside the cluster.
            if self.at(cluster, gate.into()).map(|cost| *cost) != Some(key) {
                continue;
            }
            let gate = usize::from(gate);
            if portals.is_symmetric() {
                let row = portals.distances(cluster, gate).iter();
                self.enter(portals, cluster, key, row);
            } else {
                let table = portals.table(cluster).iter();
                let column = table.skip(gate).step_by(portals.gates(cluster).len());
                self.enter(portals, cluster, key, column);
            }
        }
    }

    /// Looks at all gates of a cluster from a place in it that is `cost` away from the target.
    #[inline]
    fn enter<'a>(
        &mut self,
        portals: &Portals,
        cluster: u32,
        cost: u32,
        distances: impl Iterator<Item = &'a u16>,
    ) {
        let Some(&first) = self.first.get(cluster as usize) else {
            return;
        };
        let costs = self.costs.get_mut(first as usize..).unwrap_or_default();
        self.nearer.clear();
        for (index, (known, &distance)) in (0..).zip(costs.iter_mut().zip(distances)) {
            let cost = cost.saturating_add(distance.into());
            if cost < *known && distance != APART {
                *known = cost;
                self.nearer.push((index, cost));
            }
        }
        let gates = portals.gates(cluster);
        for next in 0..self.nearer.len() {
            let (index, cost) = self.nearer[next];
            if let Some(gate) = gates.get(index) {
                self.cross(portals, gate, cost);
            }
        }
    }

    /// Notes that a gate is `cost` away from the target inside its cluster, and what follows for
    /// its other end.
    #[inline]
    fn relax(&mut self, portals: &Portals, cluster: u32, index: usize, gate: &Gate, cost: u32) {
        match self.at(cluster, index) {
            Some(known) if cost < *known => *known = cost,
            _ => return,
        }
        self.cross(portals, gate, cost);
    }

    /// Notes what follows for the other end of a gate that is `cost` away from the target.
    #[inline]
    fn cross(&mut self, portals: &Portals, gate: &Gate, cost: u32) {
        let cost = cost.saturating_add(portals.into(gate));
        if let Some(known) = self.at(gate.other, gate.twin.into())
            && cost < *known
        {
            *known = cost;
            self.queue.push(cost, (gate.other, gate.twin));
        }
    }

    /// What is known of a gate.
    #[inline]
    pub(super) fn at(&mut self, cluster: u32, gate: usize) -> Option<&mut u32> {
        let &first = self.first.get(cluster as usize)?;
        self.costs.get_mut(first as usize + gate)
    }

    /// What it costs to leave through a gate and get to the target.
    #[inline]
    pub(super) fn leads_on(&self, portals: &Portals, gate: &Gate) -> Option<u32> {
        let &first = self.first.get(gate.other as usize)?;
        let &rest = self.costs.get(first as usize + usize::from(gate.twin))?;
        let cost = rest.saturating_add(portals.out(gate));
        (cost != NONE).then_some(cost)
    }
}

//! Dijkstra's search of a portal field: from gate to gate, cluster by cluster.

use super::PortalField;
use crate::{
    cell::Cell,
    index::{
        PortalGraph,
        portals::{ClusterRows, DistanceTable, Gate, NONE, Tiling, WaveDirection, is_in, widened},
    },
    map::Grid,
    query::Counters,
    rules::Cost,
};

/// The logarithm of a queue bucket's width in straight steps: 8 steps. A guess: wider buckets let
/// more ways into a cluster arrive before it is passed, but pass clusters in a worse order.
const WIDTH: u32 = 3;

impl PortalField {
    /// Begins to compute the distance from every gate to the target.
    pub(super) fn begin_spread(&mut self, grid: &Grid, portals: &PortalGraph, target: Cell) {
        self.page_of.clear();
        self.page_of.resize(portals.clusters(), NONE);
        self.used = 0;
        self.counters = Counters::NONE;
        self.first.clear();
        let mut count = 0;
        for cluster in 0..portals.clusters() as u32 {
            self.first.push(count);
            count += portals.gates(cluster).len() as u32;
        }
        self.costs.clear();
        self.costs.resize(count as usize, NONE);
        self.entered.clear();
        self.entered.resize(count as usize, false);
        self.queued.clear();
        self.queued.resize(portals.clusters(), NONE);
        // A cluster is passed once most of its best entrances are known, so that few clusters are
        // passed twice.
        let shift = portals.step_costs.straight.ilog2() + WIDTH;
        self.queue.start(shift, 0, Cost::MAX);

        let cluster = portals.tiling.cluster(target);
        let ground = portals.ground(grid, cluster);
        let mut wave = std::mem::take(&mut self.wave);
        let seed = (0, Tiling::spot(target));
        let visit = |cost, front: &ClusterRows, _| {
            for (index, gate) in portals.gates(cluster).iter().enumerate() {
                let known = self.index(cluster, index);
                if is_in(front, gate.spot()) && cost < self.costs[known] {
                    self.costs[known] = cost;
                    self.cross(portals, gate, cost);
                }
            }
            true
        };
        wave.run(
            &ground,
            portals.step_costs,
            WaveDirection::Backward,
            [seed],
            visit,
        );
        self.wave = wave;
    }

    /// Spreads on until `work` portals are expanded, or a few more. Returns whether all distances are known.
    pub(super) fn spread_on(&mut self, portals: &PortalGraph, work: u32) -> bool {
        let end = self.counters.expanded.saturating_add(work);
        while self.counters.expanded < end {
            let Some((key, cluster)) = self.queue.pop() else {
                return true;
            };
            // Outdated if the cluster was passed by a better key already.
            if self.queued[cluster as usize] == key {
                self.queued[cluster as usize] = NONE;
                self.pass(portals, cluster);
            }
        }
        false
    }

    /// Follows the ways that newly enter a cluster to all its gates, and out of them.
    fn pass(&mut self, portals: &PortalGraph, cluster: u32) {
        let gates = portals.gates(cluster);
        let first = self.index(cluster, 0);
        let costs = &mut self.costs[first..][..gates.len()];
        self.before.clear();
        self.before.extend_from_slice(costs);
        for (gate, entered) in self.entered[first..][..gates.len()].iter_mut().enumerate() {
            let cost = costs[gate];
            // A better way inside the cluster already leads everywhere that this one would.
            if !std::mem::take(entered) || cost < self.before[gate] {
                continue;
            }
            self.counters.expanded += 1;
            let count = gates.len();
            match portals.table(cluster) {
                DistanceTable::Short(table) if portals.is_symmetric(cluster) => {
                    let row = &table[gate * count..(gate + 1) * count];
                    lower(costs, cost, row.iter().map(|&distance| widened(distance)));
                }
                DistanceTable::Short(table) => {
                    let column = table.iter().skip(gate).step_by(count);
                    lower(costs, cost, column.map(|&distance| widened(distance)));
                }
                DistanceTable::Long(table) => {
                    lower(costs, cost, table.iter().skip(gate).step_by(count).copied());
                }
            }
        }
        for (index, gate) in gates.iter().enumerate() {
            let cost = self.costs[first + index];
            if cost < self.before[index] {
                self.cross(portals, gate, cost);
            }
        }
    }

    /// Lowers the cost of the other end of a gate that is `cost` away from the target.
    #[inline]
    fn cross(&mut self, portals: &PortalGraph, gate: &Gate, cost: u32) {
        let cost = cost.saturating_add(portals.into(gate));
        let (other, index) = (
            gate.other as usize,
            self.index(gate.other, gate.twin.into()),
        );
        if cost < self.costs[index] {
            self.costs[index] = cost;
            self.entered[index] = true;
            if cost < self.queued[other] {
                self.queued[other] = cost;
                self.queue.push(cost, gate.other);
            }
        }
    }

    /// The index of a gate in `costs` and `entered`.
    #[inline]
    pub(super) fn index(&self, cluster: u32, gate: usize) -> usize {
        self.first[cluster as usize] as usize + gate
    }

    /// The cost of leaving through a gate and going on to the target.
    #[inline]
    pub(super) fn leads_on(&self, portals: &PortalGraph, gate: &Gate) -> Option<u32> {
        // Another map of the same size, which is a mistake of the caller, may have more gates.
        let rest = self.costs.get(self.index(gate.other, gate.twin.into()))?;
        let cost = rest.saturating_add(portals.out(gate));
        (cost != NONE).then_some(cost)
    }
}

/// Lowers the costs of gates to those of a way of `cost` and the distances from its end.
#[inline]
fn lower(costs: &mut [u32], cost: u32, distances: impl Iterator<Item = u32>) {
    for (known, distance) in costs.iter_mut().zip(distances) {
        *known = cost.saturating_add(distance).min(*known);
    }
}

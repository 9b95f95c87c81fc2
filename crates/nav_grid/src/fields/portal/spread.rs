//! The distances of a field, from gate to gate.

use super::field::PortalField;
use crate::{
    cell::Cell,
    index::{
        PortalGraph,
        portals::{APART, ClusterRows, Gate, NONE, Tiling, WaveDirection, is_in},
    },
    map::Grid,
    query::Counters,
    rules::Cost,
};

/// Buckets of the queue are two to the power of this straight steps wide.
const WIDTH: u32 = 3;

impl PortalField {
    /// Finds the distance from every gate to the target.
    pub(crate) fn spread(&mut self, grid: &Grid, portals: &PortalGraph, target: Cell) {
        self.page_of.clear();
        self.page_of.resize(portals.clusters(), NONE);
        self.used = 0;
        self.counters = Counters::default();
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
        // A cluster waits until most of the ways by which it is best entered are known, so that few
        // clusters are looked at again and again.
        let shift = portals.step_costs.straight.ilog2() + WIDTH;
        self.queue.start(shift, 0, Cost::MAX);

        let cluster = portals.tiling.cluster(target);
        let ground = portals.ground(grid, cluster);
        let mut wave = std::mem::take(&mut self.wave);
        let seed = (0, Tiling::spot(target));
        let visit = |cost, front: &ClusterRows, _| {
            for (index, gate) in portals.gates(cluster).iter().enumerate() {
                if is_in(front, gate.spot()) {
                    self.relax(portals, cluster, index, gate, cost);
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

        while let Some((key, cluster)) = self.queue.pop() {
            // It may have been looked at for the sake of a better way.
            if let Some(queued) = self.queued.get_mut(cluster as usize)
                && *queued == key
            {
                *queued = NONE;
                self.pass(portals, cluster);
            }
        }
    }

    /// Follows the ways that newly enter a cluster to all its gates, and out of them.
    fn pass(&mut self, portals: &PortalGraph, cluster: u32) {
        let gates = portals.gates(cluster);
        let first = self
            .first
            .get(cluster as usize)
            .map_or(0, |&first| first as usize);
        let all = first..first + gates.len();
        let (Some(costs), Some(entered)) =
            (self.costs.get_mut(all.clone()), self.entered.get_mut(all))
        else {
            return;
        };
        let before = &mut self.before;
        before.clear();
        before.extend_from_slice(costs);
        for (gate, entered) in entered.iter_mut().enumerate() {
            let cost = costs[gate];
            // A better way inside the cluster leads everywhere that this one does.
            if !std::mem::take(entered) || cost < before[gate] {
                continue;
            }
            self.counters.expanded += 1;
            // So that no sum is too large.
            let cost = cost.min(NONE - u32::from(APART));
            if portals.is_symmetric() {
                lower(costs, cost, portals.distances(cluster, gate).iter());
            } else {
                let column = portals.table(cluster).iter().skip(gate);
                lower(costs, cost, column.step_by(gates.len()));
            }
        }
        for (index, gate) in gates.iter().enumerate() {
            let Some(&cost) = self.costs.get(first + index) else {
                return;
            };
            if self.before.get(index).is_some_and(|&before| cost < before) {
                self.cross(portals, gate, cost);
            }
        }
    }

    /// Notes that a gate is `cost` away from the target inside its cluster, and what follows for
    /// its other end.
    #[inline]
    fn relax(&mut self, portals: &PortalGraph, cluster: u32, index: usize, gate: &Gate, cost: u32) {
        match self.at(cluster, index) {
            Some(known) if cost < *known => *known = cost,
            _ => return,
        }
        self.cross(portals, gate, cost);
    }

    /// Notes what follows for the other end of a gate that is `cost` away from the target.
    #[inline]
    fn cross(&mut self, portals: &PortalGraph, gate: &Gate, cost: u32) {
        let cost = cost.saturating_add(portals.into(gate));
        let other = gate.other as usize;
        let Some(&first) = self.first.get(other) else {
            return;
        };
        let index = first as usize + usize::from(gate.twin);
        let known = (self.costs.get_mut(index), self.entered.get_mut(index));
        if let (Some(known), Some(entered)) = known
            && cost < *known
        {
            *known = cost;
            *entered = true;
            if let Some(queued) = self.queued.get_mut(other)
                && cost < *queued
            {
                *queued = cost;
                self.queue.push(cost, gate.other);
            }
        }
    }

    /// What is known of a gate.
    #[inline]
    pub(crate) fn at(&mut self, cluster: u32, gate: usize) -> Option<&mut u32> {
        let &first = self.first.get(cluster as usize)?;
        self.costs.get_mut(first as usize + gate)
    }

    /// What it costs to leave through a gate and get to the target.
    #[inline]
    pub(crate) fn leads_on(&self, portals: &PortalGraph, gate: &Gate) -> Option<u32> {
        let &first = self.first.get(gate.other as usize)?;
        let &rest = self.costs.get(first as usize + usize::from(gate.twin))?;
        let cost = rest.saturating_add(portals.out(gate));
        (cost != NONE).then_some(cost)
    }
}

/// Lowers what is known of gates to what it costs by a way of so much and distances from there.
#[inline]
fn lower<'a>(costs: &mut [u32], cost: u32, distances: impl Iterator<Item = &'a u16>) {
    for (known, &distance) in costs.iter_mut().zip(distances) {
        let cost = if distance == APART {
            NONE
        } else {
            cost + u32::from(distance)
        };
        *known = cost.min(*known);
    }
}

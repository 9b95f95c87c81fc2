//! Dijkstra's search of a portal field: from gate to gate, cluster by cluster, as far as walkers
//! ask.

use super::portal_field::{ClusterVisit, FieldTarget, NO_OWNER, PortalField};
use crate::{
    index::{
        PortalGraph,
        portals::{
            ClusterRows, DistanceTable, Gate, NONE, Spot, Tiling, WaveDirection, is_in, widened,
        },
    },
    map::Grid,
    query::Counters,
    rules::Cost,
};

/// The logarithm of a queue bucket's width in straight steps: 8 steps. A guess: wider buckets let
/// more ways into a cluster arrive before it is passed, but pass clusters in a worse order.
const WIDTH: u32 = 3;

impl PortalField {
    /// Begins to compute the distances from gates to the nearest target.
    pub(super) fn begin_spread(&mut self, grid: &Grid, portals: &PortalGraph) {
        self.numbers.start(portals.clusters());
        self.visits.clear();
        self.costs.clear();
        self.owners.clear();
        self.entered.clear();
        (self.used, self.horizon, self.counters) = (0, 0, Counters::NONE);
        // A cluster is passed once most of its best entrances are known, so that few clusters are
        // passed twice.
        let shift = portals.step_costs.straight.ilog2() + WIDTH;
        self.queue.start(shift, 0, Cost::MAX);
        for number in 0..self.targets.len() {
            self.spread_from(grid, portals, self.targets[number]);
        }
    }

    /// Lowers the costs of the gates of a target's cluster to those of the ways to it.
    fn spread_from(&mut self, grid: &Grid, portals: &PortalGraph, target: FieldTarget) {
        let cluster = portals.tiling.cluster(target.cell);
        let number = self.enter(portals, cluster);
        let first = self.visits[number].first as usize;
        let ground = portals.ground(grid, cluster);
        let mut wave = std::mem::take(&mut self.wave);
        let seed = (target.handicap, Tiling::spot(target.cell));
        let visit = |cost, front: &ClusterRows, _| {
            for (index, gate) in portals.gates(cluster).iter().enumerate() {
                let known = first + index;
                if is_in(front, gate.spot()) && cost < self.costs[known] {
                    self.costs[known] = cost;
                    self.own(known, target.number);
                    self.cross(portals, gate, (cost, target.number));
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

    /// Spreads on until the distances of a cluster are known, and that of a spot in it, if one is
    /// named. Returns whether they are, or ends once the field has expanded `end` portals since its
    /// aim.
    pub(super) fn settle(
        &mut self,
        grid: &Grid,
        portals: &PortalGraph,
        (cluster, spot): (u32, Option<Spot>),
        end: u32,
    ) -> bool {
        loop {
            if self.is_settled(cluster, spot) {
                return true;
            }
            if self.counters.expanded >= end {
                return false;
            }
            if self.page(cluster).is_none() && self.is_fillable(portals, cluster, spot.is_some()) {
                self.fill(grid, portals, cluster);
            } else {
                self.spread_on(portals);
            }
        }
    }

    /// Whether no way that is still to be followed changes the distances of a cluster, and one
    /// leads from a spot in it if any ever does. Further ways may reach other spots.
    pub(super) fn is_settled(&self, cluster: u32, spot: Option<Spot>) -> bool {
        self.page(cluster).is_some_and(|(furthest, page)| {
            let is_reached = spot.is_none_or(|spot| page[usize::from(spot)] != NONE);
            self.horizon == NONE || furthest <= self.horizon && is_reached
        })
    }

    /// Whether the costs of a cluster's gates are final, as far as they are known. Before any way
    /// enters a cluster, nothing about a spot in it is.
    fn is_fillable(&self, portals: &PortalGraph, cluster: u32, has_spot: bool) -> bool {
        let Some(visit) = self.visit(cluster) else {
            return !has_spot || self.horizon == NONE;
        };
        let gates = portals.gates(cluster).len();
        let costs = &self.costs[visit.first as usize..][..gates];
        let known = costs.iter().filter(|&&cost| cost != NONE);
        known.max().is_none_or(|&cost| cost <= self.horizon)
    }

    /// Follows the cheapest of the ways that enter clusters.
    fn spread_on(&mut self, portals: &PortalGraph) {
        let Some((key, cluster)) = self.queue.pop() else {
            self.horizon = NONE;
            return;
        };
        self.horizon = self.queue.floor();
        let number = self.enter(portals, cluster);
        // Outdated if the cluster was passed by a better key already.
        let queued = &mut self.visits[number].queued;
        if *queued == key {
            *queued = NONE;
            self.pass(portals, cluster, number);
        }
    }

    /// Follows the ways that newly enter a cluster to all its gates, and out of them.
    fn pass(&mut self, portals: &PortalGraph, cluster: u32, number: usize) {
        let gates = portals.gates(cluster);
        let first = self.visits[number].first as usize;
        let costs = &mut self.costs[first..][..gates.len()];
        let owners = self.owners.get_mut(first..).unwrap_or_default();
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
            let way = (cost, owners.get(gate).copied().unwrap_or(NO_OWNER));
            match portals.table(cluster) {
                DistanceTable::Short(table) if portals.is_symmetric(cluster) => {
                    let row = &table[gate * count..(gate + 1) * count];
                    lower(
                        (costs, owners),
                        way,
                        row.iter().map(|&distance| widened(distance)),
                    );
                }
                DistanceTable::Short(table) => {
                    let column = table.iter().skip(gate).step_by(count);
                    lower(
                        (costs, owners),
                        way,
                        column.map(|&distance| widened(distance)),
                    );
                }
                DistanceTable::Long(table) => {
                    let column = table.iter().skip(gate).step_by(count);
                    lower((costs, owners), way, column.copied());
                }
            }
        }
        for (index, gate) in gates.iter().enumerate() {
            let cost = self.costs[first + index];
            if cost < self.before[index] {
                self.visits[number].furthest = None;
                let owner = self.owners.get(first + index).copied();
                self.cross(portals, gate, (cost, owner.unwrap_or(NO_OWNER)));
            }
        }
    }

    /// Notes the target to which a gate leads, if there are several.
    #[inline]
    fn own(&mut self, gate: usize, owner: u16) {
        if let Some(known) = self.owners.get_mut(gate) {
            *known = owner;
        }
    }

    /// Lowers the cost of the other end of a gate that is `cost` away from its target.
    #[inline]
    fn cross(&mut self, portals: &PortalGraph, gate: &Gate, (cost, owner): (u32, u16)) {
        // The passage of those who come in.
        if self.is_barred(portals, gate.passage ^ 1) {
            return;
        }
        let cost = cost.saturating_add(portals.into(gate));
        let number = self.enter(portals, gate.other);
        let visit = &mut self.visits[number];
        let index = visit.first as usize + usize::from(gate.twin);
        if cost < self.costs[index] {
            self.costs[index] = cost;
            self.entered[index] = true;
            visit.furthest = None;
            if cost < visit.queued {
                visit.queued = cost;
                self.queue.push(cost, gate.other);
            }
            self.own(index, owner);
        }
    }

    /// The number of the visit of a cluster.
    #[inline]
    pub(super) fn enter(&mut self, portals: &PortalGraph, cluster: u32) -> usize {
        let number = self.numbers.entry(cluster);
        if *number == NONE {
            *number = self.visits.len() as u32;
            self.visits.push(ClusterVisit {
                first: self.costs.len() as u32,
                queued: NONE,
                page: NONE,
                furthest: None,
            });
            let end = self.costs.len() + portals.gates(cluster).len();
            self.costs.resize(end, NONE);
            self.entered.resize(end, false);
            if self.targets.len() > 1 {
                self.owners.resize(end, NO_OWNER);
            }
        }
        *number as usize
    }

    /// The cost of leaving through a gate and going on to the target.
    #[inline]
    pub(super) fn leads_on(&self, portals: &PortalGraph, gate: &Gate) -> Option<u32> {
        if self.is_barred(portals, gate.passage) {
            return None;
        }
        let first = self.visit(gate.other)?.first as usize;
        let rest = self.costs[first + usize::from(gate.twin)];
        let cost = rest.saturating_add(portals.out(gate));
        (cost != NONE).then_some(cost)
    }
}

/// Lowers the costs of gates to those of a way of some cost, which leads to a target, and the
/// distances from its end. Without owners there is one target.
#[inline]
fn lower(
    (costs, owners): (&mut [u32], &mut [u16]),
    (cost, owner): (u32, u16),
    distances: impl Iterator<Item = u32>,
) {
    if owners.is_empty() {
        for (known, distance) in costs.iter_mut().zip(distances) {
            *known = cost.saturating_add(distance).min(*known);
        }
        return;
    }
    for ((known, own), distance) in costs.iter_mut().zip(owners).zip(distances) {
        let way = cost.saturating_add(distance);
        if way < *known {
            (*known, *own) = (way, owner);
        }
    }
}

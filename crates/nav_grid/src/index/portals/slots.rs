//! Portals as the graph keeps them, and the gates of its clusters.

use super::{
    crossing::{ClusterCrossing, CrossingFinder},
    gate::{Gate, NONE},
    graph::PortalGraph,
    portal::{NO_PORTAL, Portal},
    scratch::BuildScratch,
};
use crate::map::{Grid, Link};

impl PortalGraph {
    pub(crate) fn finder<'a>(&'a self, grid: &'a Grid) -> CrossingFinder<'a> {
        CrossingFinder {
            tiling: self.tiling,
            grid,
            board: &self.board,
            rules: self.rules,
            step_costs: self.step_costs,
        }
    }

    /// Finds all portals and gives them numbers.
    pub(crate) fn lay_out(&mut self, grid: &Grid) {
        let mut all: Vec<ClusterCrossing> = Vec::new();
        let mut found = Vec::new();
        let mut counts = Vec::with_capacity(self.clusters.len());
        for cluster in 0..self.clusters.len() as u32 {
            self.finder(grid).find(cluster, &mut found);
            counts.push(found.len());
            all.extend(&found);
        }
        // A quarter more than needed now: edits that add portals should seldom find no room.
        let most = counts.iter().copied().max().unwrap_or(0).max(4);
        let room = most + most / 4;
        self.room = room as u32;
        self.slots = vec![NO_PORTAL; self.clusters.len() * room];
        self.numbering = self.slots.len() as u64;
        let mut rest = &all[..];
        let mut unused = Vec::new();
        for (cluster, count) in (0..).zip(counts) {
            let (own, others) = rest.split_at(count);
            if let Some(cluster) = self.clusters.get_mut(cluster as usize) {
                cluster.owned = 0;
            }
            self.own(cluster, own, &mut unused);
            unused.clear();
            rest = others;
        }
    }

    /// Replaces the portals of a cluster and notes the clusters on either side of those that
    /// changed.
    pub(crate) fn own(
        &mut self,
        owner: u32,
        crossings: &[ClusterCrossing],
        disturbed: &mut Vec<u32>,
    ) {
        let first = owner as usize * self.room as usize;
        let cluster = &mut self.clusters[owner as usize];
        let before = usize::from(cluster.owned);
        cluster.owned = crossings.len() as u16;
        let slots = &mut self.slots[first..][..self.room as usize];
        for (index, slot) in slots.iter_mut().enumerate() {
            let crossing = crossings.get(index);
            if crossing.is_none() && index >= before {
                break;
            }
            let portal = crossing.map_or(NO_PORTAL, |crossing| Portal {
                here: crossing.here,
                there: crossing.there,
                here_gate: slot.here_gate,
                there_gate: slot.there_gate,
                other: crossing.other,
                cost: crossing.cost,
                ways: crossing.ways,
            });
            if portal != *slot {
                disturbed.push(owner);
                let number = first + index;
                self.numbering = self.numbering.wrapping_sub(slot.print(number));
                self.numbering = self.numbering.wrapping_add(portal.print(number));
                let others = [slot.other, portal.other];
                disturbed.extend(others.into_iter().filter(|&other| other != NONE));
                *slot = portal;
            }
        }
    }

    /// Copies the links of the map.
    pub(crate) fn relink(&mut self, grid: &Grid) {
        self.links.clear();
        self.links.extend_from_slice(grid.links());
        self.arriving.clear();
        let tiling = self.tiling;
        let ends = |link: &Link| (tiling.cluster(link.to), tiling.cluster(link.from));
        self.arriving.extend(self.links.iter().map(ends));
        self.arriving.sort_unstable();
        self.arriving.dedup();
    }

    /// Finds the gates of a cluster. Returns whether they are at other spots than before.
    pub(crate) fn connect(&mut self, cluster: u32, scratch: &mut BuildScratch) -> bool {
        let straight = self.step_costs.straight as u32;
        let gates = &mut scratch.gates;
        gates.clear();
        for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0)] {
            let Some(owner) = self.tiling.beside(cluster, dx, dy) else {
                continue;
            };
            for (passage, portal) in self.owned(owner) {
                if owner == cluster {
                    gates.push(portal.gate(passage, straight));
                } else if portal.other == cluster && !portal.ways.link {
                    gates.push(portal.far_gate(passage, owner, straight));
                }
            }
        }
        let first = self.arriving.partition_point(|&(to, _)| to < cluster);
        let arriving = self.arriving[first..].iter();
        for &(_, owner) in arriving.take_while(|&&(to, _)| to == cluster) {
            let portals = self.owned(owner);
            let links = portals.filter(|(_, portal)| portal.other == cluster && portal.ways.link);
            gates.extend(links.map(|(passage, portal)| portal.far_gate(passage, owner, straight)));
        }
        gates.sort_unstable_by_key(|gate| gate.passage);
        for (index, gate) in (0..).zip(&*gates) {
            let portal = &mut self.slots[(gate.passage / 2) as usize];
            if gate.passage & 1 == 1 {
                portal.here_gate = index;
            } else {
                portal.there_gate = index;
            }
        }
        for gate in &mut *gates {
            let portal = &self.slots[(gate.passage / 2) as usize];
            gate.twin = if gate.passage & 1 == 1 {
                portal.there_gate
            } else {
                portal.here_gate
            };
        }
        let before = &mut self.clusters[cluster as usize].gates;
        scratch.before.clear();
        scratch.before.extend(before.iter().map(Gate::spot));
        let moved = before.len() != gates.len()
            || before
                .iter()
                .zip(&*gates)
                .any(|(a, b)| a.spot() != b.spot());
        if **before != **gates {
            *before = gates.as_slice().into();
        }
        for (index, gate) in (0..).zip(&*gates) {
            // Clusters that are not up to date yet put this right themselves.
            let others = self.clusters.get_mut(gate.other as usize);
            let twin = others.and_then(|other| other.gates.get_mut(usize::from(gate.twin)));
            if let Some(twin) = twin.filter(|twin| twin.passage == gate.passage ^ 1) {
                twin.twin = index;
            }
        }
        moved
    }

    /// The portals that a cluster owns, by number times two.
    pub(crate) fn owned(&self, owner: u32) -> impl Iterator<Item = (u32, &Portal)> {
        let first = owner * self.room;
        let count = usize::from(self.clusters[owner as usize].owned);
        let portals = self.slots[first as usize..].iter().take(count);
        (first..)
            .zip(portals)
            .map(|(number, portal)| (number * 2, portal))
    }
}

//! The numbers of portals, and the gates of clusters.

use super::{
    crossing::{ClusterCrossing, CrossingFinder, LINK},
    distances::BuildScratch,
    graph::{Cluster, PortalGraph},
    portal::{Gate, NO_PORTAL, NONE, Portal},
};
use crate::map::Grid;

impl PortalGraph {
    pub(super) fn finder<'a>(&'a self, grid: &'a Grid) -> CrossingFinder<'a> {
        CrossingFinder {
            tiling: self.tiling,
            grid,
            boards: &self.boards,
            rules: self.rules,
            step_costs: self.step_costs,
        }
    }

    /// Replaces the portals of a cluster. The clusters on either side of changed portals become
    /// due.
    pub(super) fn own(&mut self, owner: u32, crossings: &[ClusterCrossing]) {
        let cluster = &self.clusters[owner as usize];
        if crossings.len() > usize::from(cluster.room) {
            // The first range has no room to spare, since most clusters are never edited. Later
            // ones get a quarter, so that unused ones are few: more takes more memory.
            let spare = match cluster.room {
                0 => 0,
                _ => crossings.len() / 4 + 1,
            };
            self.move_to_room(owner, crossings.len() + spare);
        }
        let cluster = &mut self.clusters[owner as usize];
        let first = cluster.first as usize;
        let used = usize::from(cluster.owned).max(crossings.len());
        cluster.owned = crossings.len() as u16;
        for (index, number) in (first..first + used).enumerate() {
            let slot = self.slots[number];
            let portal = crossings.get(index).map_or(NO_PORTAL, |&crossing| Portal {
                crossing,
                owner,
                ..slot
            });
            if portal != slot {
                self.put(number, portal);
                self.due_clusters.insert(owner);
                for other in [slot.crossing.other, portal.crossing.other] {
                    if other != NONE {
                        self.due_clusters.insert(other);
                    }
                }
            }
        }
    }

    /// Gives the portals of a cluster another range of numbers. The old one stays unused.
    ///
    /// No cluster becomes due by that: when a range is full depends on earlier edits, and the work
    /// that is due must not.
    fn move_to_room(&mut self, owner: u32, room: usize) {
        let cluster = &mut self.clusters[owner as usize];
        let (from, to) = (cluster.first as usize, self.slots.len());
        (cluster.first, cluster.room) = (to as u32, room as u16);
        self.slots.resize(to + room, NO_PORTAL);
        for index in 0..usize::from(self.clusters[owner as usize].owned) {
            let portal = self.slots[from + index];
            self.put(from + index, NO_PORTAL);
            self.put(to + index, portal);
            self.renumbered.extend([owner, portal.crossing.other]);
        }
    }

    /// Replaces a portal.
    fn put(&mut self, number: usize, portal: Portal) {
        let before = std::mem::replace(&mut self.slots[number], portal);
        // A sum, so that a changed portal updates it without a pass over all others.
        self.numbering = self.numbering.wrapping_sub(before.hash(number));
        self.numbering = self.numbering.wrapping_add(portal.hash(number));
    }

    /// Copies the links of the map.
    pub(super) fn relink(&mut self, grid: &Grid) {
        self.links = grid.links().to_vec();
        let tiling = self.tiling;
        let ends = self.links.iter();
        self.arriving = ends
            .map(|link| (tiling.cluster(link.to), tiling.cluster(link.from)))
            .collect();
        self.arriving.sort_unstable();
        self.arriving.dedup();
    }

    /// Finds the gates of a cluster. Returns whether their spots changed.
    pub(super) fn connect(&mut self, cluster: u32, scratch: &mut BuildScratch) -> bool {
        let step_costs = self.step_costs;
        let gates = &mut scratch.gates;
        gates.clear();
        // The clusters whose own portals may lead here: see `CrossingFinder`.
        for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0)] {
            let Some(owner) = self.tiling.beside(cluster, dx, dy) else {
                continue;
            };
            for (passage, portal) in self.owned(owner) {
                let crossing = &portal.crossing;
                if owner == cluster {
                    gates.push(portal.gate(passage | 1, step_costs));
                } else if crossing.other == cluster && crossing.ways & LINK == 0 {
                    gates.push(portal.gate(passage, step_costs));
                }
            }
        }
        // Links come from anywhere, and from this cluster itself.
        let first = self.arriving.partition_point(|&(to, _)| to < cluster);
        let arriving = self.arriving[first..].iter();
        for &(_, owner) in arriving.take_while(|&&(to, _)| to == cluster) {
            for (passage, portal) in self.owned(owner) {
                if portal.crossing.other == cluster && portal.crossing.ways & LINK != 0 {
                    gates.push(portal.gate(passage, step_costs));
                }
            }
        }
        gates.sort_unstable_by_key(|gate| {
            let is_own = gate.passage & 1 == 1;
            (if is_own { cluster } else { gate.other }, gate.passage)
        });
        for (index, gate) in (0..).zip(&*gates) {
            let portal = &mut self.slots[(gate.passage / 2) as usize];
            if gate.passage & 1 == 1 {
                portal.here_gate = index;
            } else {
                portal.there_gate = index;
            }
        }
        for gate in &mut *gates {
            gate.twin = self.exit(gate.passage).gate as u16;
        }
        let before = &mut self.clusters[cluster as usize].gates;
        scratch.before.clear();
        scratch.before.extend(before.iter().map(Gate::spot));
        let spots = gates.iter().map(Gate::spot);
        let moved = !spots.eq(scratch.before.iter().copied());
        if **before != **gates {
            *before = gates.as_slice().into();
        }
        for (index, gate) in (0..).zip(&*gates) {
            // A cluster that is not connected yet corrects this itself.
            let others = self.clusters.get_mut(gate.other as usize);
            let twin = others.and_then(|other| other.gates.get_mut(usize::from(gate.twin)));
            if let Some(twin) = twin.filter(|twin| twin.passage == gate.passage ^ 1) {
                twin.twin = index;
            }
        }
        moved
    }

    /// The portals that a cluster owns, by number times two.
    pub(super) fn owned(&self, owner: u32) -> impl Iterator<Item = (u32, &Portal)> {
        let &Cluster { first, owned, .. } = &self.clusters[owner as usize];
        let portals = self.slots[first as usize..].iter().take(owned.into());
        (first..)
            .zip(portals)
            .map(|(number, portal)| (number * 2, portal))
    }
}

//! Building the graph of portals: the numbers of portals, and the gates of clusters.

use super::{
    cluster::Tiling,
    crossing::{ClusterCrossing, CrossingFinder, LINK},
    distances::{BuildScratch, ClusterEdit},
    graph::{Cluster, PortalGraph, step_costs_of},
    portal::{Gate, NO_PORTAL, NONE, Portal},
};
use crate::{
    map::{Bitboard, Grid, Link},
    rules::{Footprint, Rules},
};

impl PortalGraph {
    /// The portals of a map as it is now, for walkers of one footprint, corner rule and metric.
    /// The policy toward bodies does not matter.
    ///
    /// # Complexity
    ///
    /// O(cells × portals of a cluster), in machine words: some 20 µs a cluster.
    pub(crate) fn new(grid: &Grid, rules: Rules) -> Self {
        let tiling = Tiling::new(grid.size());
        let mut portals = Self {
            rules,
            step_costs: step_costs_of(rules.metric),
            tiling,
            version: grid.version(),
            board: board_of(grid, rules.footprint),
            clusters: vec![Cluster::default(); tiling.clusters()],
            slots: Vec::new(),
            room: 1,
            numbering: 0,
            links: Vec::new(),
            arriving: Vec::new(),
            fenced: grid.has_exits(),
        };
        portals.relink(grid);
        portals.lay_out(grid);
        let mut scratch = BuildScratch::default();
        // All gates first: each names its twin in the other cluster.
        for cluster in 0..portals.clusters.len() as u32 {
            portals.connect(cluster, &mut scratch);
        }
        for cluster in 0..portals.clusters.len() as u32 {
            portals.measure(grid, cluster, ClusterEdit::Many, &mut scratch);
        }
        portals
    }

    pub(super) fn finder<'a>(&'a self, grid: &'a Grid) -> CrossingFinder<'a> {
        CrossingFinder {
            tiling: self.tiling,
            grid,
            board: &self.board,
            rules: self.rules,
            step_costs: self.step_costs,
        }
    }

    /// Finds all portals and numbers them.
    pub(super) fn lay_out(&mut self, grid: &Grid) {
        let mut found = Vec::new();
        let all: Vec<Vec<ClusterCrossing>> = (0..self.clusters.len() as u32)
            .map(|cluster| {
                self.finder(grid).find(cluster, &mut found);
                found.clone()
            })
            .collect();
        // At least 4, and a quarter more than needed now, so that edits that add portals seldom
        // run out of room. Guesses: more room takes more memory.
        let most = all.iter().map(Vec::len).max().unwrap_or(0).max(4);
        let room = most + most / 4;
        self.room = room as u32;
        self.slots = vec![NO_PORTAL; self.clusters.len() * room];
        self.numbering = self.slots.len() as u64;
        for (cluster, crossings) in all.iter().enumerate() {
            self.clusters[cluster].owned = 0;
            self.own(cluster as u32, crossings, &mut Vec::new());
        }
    }

    /// Replaces the portals of a cluster and adds the clusters on either side of changed portals to
    /// `disturbed`.
    pub(super) fn own(
        &mut self,
        owner: u32,
        crossings: &[ClusterCrossing],
        disturbed: &mut Vec<u32>,
    ) {
        let first = owner as usize * self.room as usize;
        let cluster = &mut self.clusters[owner as usize];
        let used = usize::from(cluster.owned).max(crossings.len());
        cluster.owned = crossings.len() as u16;
        for (index, slot) in self.slots[first..][..used].iter_mut().enumerate() {
            let crossing = crossings.get(index);
            let portal = crossing.map_or(NO_PORTAL, |&crossing| Portal { crossing, ..*slot });
            if portal != *slot {
                disturbed.push(owner);
                // A sum, so that a changed portal updates it without a pass over all others.
                let number = first + index;
                self.numbering = self.numbering.wrapping_sub(slot.hash(number));
                self.numbering = self.numbering.wrapping_add(portal.hash(number));
                let others = [slot.crossing.other, portal.crossing.other];
                disturbed.extend(others.into_iter().filter(|&other| other != NONE));
                *slot = portal;
            }
        }
    }

    /// Copies the links of the map.
    pub(super) fn relink(&mut self, grid: &Grid) {
        self.links = grid.links().to_vec();
        let ends = |link: &Link| (self.tiling.cluster(link.to), self.tiling.cluster(link.from));
        self.arriving = self.links.iter().map(ends).collect();
        self.arriving.sort_unstable();
        self.arriving.dedup();
    }

    /// Finds the gates of a cluster. Returns whether their spots changed.
    pub(super) fn connect(&mut self, cluster: u32, scratch: &mut BuildScratch) -> bool {
        let straight = self.step_costs.straight as u32;
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
                    gates.push(portal.gate(passage | 1, owner, straight));
                } else if crossing.other == cluster && crossing.ways & LINK == 0 {
                    gates.push(portal.gate(passage, owner, straight));
                }
            }
        }
        // Links come from anywhere, and from this cluster itself.
        let first = self.arriving.partition_point(|&(to, _)| to < cluster);
        let arriving = self.arriving[first..].iter();
        for &(_, owner) in arriving.take_while(|&&(to, _)| to == cluster) {
            for (passage, portal) in self.owned(owner) {
                if portal.crossing.other == cluster && portal.crossing.ways & LINK != 0 {
                    gates.push(portal.gate(passage, owner, straight));
                }
            }
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
        let first = owner * self.room;
        let count = usize::from(self.clusters[owner as usize].owned);
        let portals = self.slots[first as usize..].iter().take(count);
        (first..)
            .zip(portals)
            .map(|(number, portal)| (number * 2, portal))
    }
}

/// The places where a body fits.
fn board_of(grid: &Grid, footprint: Footprint) -> Bitboard {
    if let Some(board) = grid.board(footprint) {
        return board.clone();
    }
    let mut board = Bitboard::new(grid.size());
    for whole in grid.size().floor_areas() {
        board.erode(&grid.walkable, footprint.side(), whole);
    }
    board
}

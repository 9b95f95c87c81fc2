//! The distances between the gates of a cluster.

use super::{
    cluster::{ClusterGround, ClusterRows, SIDE, Spot, SpotSet, is_in},
    crossing::ClusterCrossing,
    graph::{Cluster, PortalGraph},
    portal::{APART, Gate, NONE},
    segments::{DirectSegments, SegmentGround},
    wave::{ClusterWave, WaveDirection},
};
use crate::map::Grid;

/// The effect of edits on the cells of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClusterEdit {
    Same,
    /// They changed this spot.
    One(Spot),
    /// They changed several spots, exits or step costs.
    Many,
}

impl ClusterEdit {
    /// The effect of both.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Same, edit) | (edit, Self::Same) => edit,
            (Self::One(one), Self::One(two)) if one == two => self,
            _ => Self::Many,
        }
    }
}

/// The costs from gate to gate inside a cluster, a row for each start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DistanceTable {
    /// [`APART`] where there is no way. All that clusters without step costs need.
    Short(Box<[u16]>),
    /// [`NONE`] where there is no way: for a cluster with a distance that 16 bits do not hold.
    Long(Box<[u32]>),
}

impl Default for DistanceTable {
    fn default() -> Self {
        Self::Short(Box::default())
    }
}

/// A distance of a short table, or [`NONE`].
#[inline]
pub(crate) const fn widened(distance: u16) -> u32 {
    match distance {
        APART => NONE,
        _ => distance as u32,
    }
}

/// Memory for building and repairing the graph of portals.
#[derive(Clone, Debug, Default)]
pub(super) struct BuildScratch {
    pub(super) crossings: Vec<ClusterCrossing>,
    pub(super) gates: Vec<Gate>,
    /// The spots of the gates of the old table.
    pub(super) before: Vec<Spot>,
    wave: ClusterWave,
    /// The counters of [`PortalGraph::repair_within`]: tests of direct segments, and fronts.
    pub(super) segments: u64,
    pub(super) fronts: u64,
    table: Vec<u16>,
    /// The pairs of gates whose distance is in the table.
    known: Vec<bool>,
    /// By gate: the number of unknown pairs.
    waiting: Vec<u32>,
    /// By gate: the cost of a wave.
    costs: Vec<u32>,
    /// As `table`, for the distances of mixed ground.
    long: Vec<u32>,
}

impl PortalGraph {
    /// Updates a cluster whose portals or cells may have changed.
    pub(super) fn reconnect(&mut self, grid: &Grid, cluster: u32, scratch: &mut BuildScratch) {
        let moved = self.connect(cluster, scratch);
        let entry = &mut self.clusters[cluster as usize];
        let edit = std::mem::replace(&mut entry.edit, ClusterEdit::Same);
        if moved || edit != ClusterEdit::Same {
            self.measure(grid, cluster, edit, scratch);
        }
    }

    /// Finds the distances between the gates of a cluster.
    fn measure(
        &mut self,
        grid: &Grid,
        cluster: u32,
        walls: ClusterEdit,
        scratch: &mut BuildScratch,
    ) {
        let count = self.gates(cluster).len();
        let ground = self.ground(grid, cluster);
        let open = self.open(grid);
        let symmetric = !ground.is_mixed();
        let table = if symmetric {
            // Every way has the same way back: half of the pairs are enough.
            scratch.table.clear();
            scratch.table.resize(count * count, APART);
            scratch.known.clear();
            scratch.known.resize(count * count, false);
            self.keep(&ground, cluster, walls, scratch);
            self.complete(&ground, &open, cluster, scratch);
            DistanceTable::Short(scratch.table.as_slice().into())
        } else {
            self.measure_mixed(&ground, &open, cluster, scratch)
        };
        let cluster = &mut self.clusters[cluster as usize];
        (cluster.table, cluster.symmetric) = (table, symmetric);
    }

    /// Runs a wave from a spot and writes its cost at each gate whose entry is [`NONE`]. Gates out
    /// of reach keep the entry.
    fn spread_to_gates(
        &self,
        wave: &mut ClusterWave,
        ground: &ClusterGround,
        from: Spot,
        gates: &[Gate],
        costs: &mut [u32],
    ) {
        let wanted = gates.iter().zip(&*costs).filter(|&(_, &cost)| cost == NONE);
        let mut missing = wanted.clone().count();
        let targets = SpotSet::new(wanted.map(|(gate, _)| gate.spot()));
        let visit = |cost, front: &ClusterRows, rows| {
            // Few fronts hold a gate, so one test of all comes first.
            if targets.are_in(front, rows) {
                for (found, gate) in costs.iter_mut().zip(gates) {
                    if *found == NONE && is_in(front, gate.spot()) {
                        *found = cost;
                        missing -= 1;
                    }
                }
            }
            missing > 0
        };
        let way = WaveDirection::Forward;
        wave.run(ground, self.step_costs, way, [(0, from)], visit);
    }

    /// Finds all distances where exits and step costs count, with a wave from each gate: a way back
    /// may differ.
    fn measure_mixed(
        &self,
        ground: &ClusterGround,
        open: &SegmentGround<'_>,
        cluster: u32,
        scratch: &mut BuildScratch,
    ) -> DistanceTable {
        let gates = self.gates(cluster);
        let BuildScratch { wave, long, .. } = scratch;
        long.clear();
        for gate in gates {
            let first = long.len();
            // No way is cheaper than a direct segment, and testing one takes less than a wave.
            long.extend(gates.iter().map(|to| {
                let [from, to] = [gate, to].map(|gate| self.tiling.cell(cluster, gate.spot()));
                if from == to {
                    0
                } else if DirectSegments::is_clear(open, from, to) {
                    open.distance(from, to)
                } else {
                    NONE
                }
            }));
            if long[first..].contains(&NONE) {
                self.spread_to_gates(wave, ground, gate.spot(), gates, &mut long[first..]);
                scratch.fronts += u64::from(wave.take_fronts());
            }
        }
        scratch.segments += long.len() as u64;
        if long.iter().all(|&cost| cost == NONE || cost < APART.into()) {
            let short = long
                .iter()
                .map(|&cost| u16::try_from(cost).unwrap_or(APART));
            DistanceTable::Short(short.collect())
        } else {
            DistanceTable::Long(long.as_slice().into())
        }
    }

    /// Copies the distances between gates that an edit cannot have changed into the new table, and
    /// marks them as known.
    ///
    /// A way that an edit opens or closes leads through the changed cell, or by a diagonal step
    /// past its corner. So it costs no less than the ways from both gates to that cell, except that
    /// it may have a diagonal step in place of two straight steps.
    fn keep(
        &self,
        ground: &ClusterGround,
        cluster: u32,
        walls: ClusterEdit,
        scratch: &mut BuildScratch,
    ) {
        let Cluster { gates, table, .. } = &self.clusters[cluster as usize];
        let (count, old) = (gates.len(), scratch.before.len());
        let DistanceTable::Short(table) = table else {
            return;
        };
        if walls == ClusterEdit::Many || table.len() != old * old {
            return;
        }
        let through = &mut scratch.costs;
        through.clear();
        through.resize(count, NONE);
        let (mut slack, mut opened) = (0, false);
        if let ClusterEdit::One(spot) = walls {
            opened = is_in(&ground.free, spot);
            // The wave starts at the changed cell even if that is a wall now.
            let mut open = ground.clone();
            open.free[usize::from(spot / SIDE) + 1] |= 1 << (spot % SIDE);
            self.spread_to_gates(&mut scratch.wave, &open, spot, gates, through);
            scratch.fronts += u64::from(scratch.wave.take_fronts());
            if ground.strict && self.step_costs.diagonal > 0 {
                slack = (2 * self.step_costs.straight - self.step_costs.diagonal) as u32;
            }
        }
        let before = &scratch.before;
        let numbers = gates
            .iter()
            .map(|gate| before.iter().position(|&spot| spot == gate.spot()))
            .enumerate();
        let kept: Vec<_> = numbers.filter_map(|(new, old)| Some((new, old?))).collect();
        for &(from, from_before) in &kept {
            for &(to, to_before) in &kept {
                let distance = table[from_before * old + to_before];
                let cost = if distance == APART {
                    NONE
                } else {
                    distance.into()
                };
                let least = match through[from].saturating_add(through[to]) {
                    NONE => NONE,
                    least => least.saturating_sub(slack),
                };
                let same = if opened {
                    least >= cost
                } else {
                    // A new wall joins nothing that was apart.
                    least > cost || cost == NONE
                };
                if same {
                    scratch.table[from * count + to] = distance;
                    scratch.known[from * count + to] = true;
                }
            }
        }
    }

    /// Finds the unknown distances where every way is as long as the way back. Starts waves at the
    /// gates with the most unknown distances first, so that few waves are needed.
    fn complete(
        &self,
        ground: &ClusterGround,
        open: &SegmentGround<'_>,
        cluster: u32,
        scratch: &mut BuildScratch,
    ) {
        let gates = self.gates(cluster);
        let count = gates.len();
        let BuildScratch {
            wave,
            table,
            known,
            waiting,
            costs,
            segments,
            fronts,
            ..
        } = scratch;
        waiting.clear();
        waiting.resize(count, 0_u32);
        for from in 0..count {
            table[from * count + from] = 0;
            known[from * count + from] = true;
            for to in from + 1..count {
                if known[from * count + to] {
                    continue;
                }
                let [start, end] =
                    [from, to].map(|gate| self.tiling.cell(cluster, gates[gate].spot()));
                // No way is shorter than a direct segment, and testing one is cheaper than a wave.
                *segments += 1;
                if DirectSegments::is_clear(open, start, end) {
                    let cost = open.distance(start, end) as u16;
                    for pair in [from * count + to, to * count + from] {
                        table[pair] = cost;
                        known[pair] = true;
                    }
                } else {
                    waiting[from] += 1;
                    waiting[to] += 1;
                }
            }
        }
        // The first of the gates with the most unknown distances.
        while let Some(from) = (0..count).rev().max_by_key(|&gate| waiting[gate])
            && waiting[from] > 0
        {
            let row = from * count..(from + 1) * count;
            costs.clear();
            costs.extend(known[row].iter().map(|&known| if known { 0 } else { NONE }));
            self.spread_to_gates(wave, ground, gates[from].spot(), gates, costs);
            *fronts += u64::from(wave.take_fronts());
            for to in 0..count {
                if !known[from * count + to] && costs[to] != NONE {
                    for pair in [from * count + to, to * count + from] {
                        table[pair] = costs[to] as u16;
                        known[pair] = true;
                    }
                    waiting[from] -= 1;
                    waiting[to] -= 1;
                }
            }
            if waiting[from] == 0 {
                continue;
            }
            // The other gates cannot be reached from here, nor from any gate that can.
            for near in 0..count {
                for far in 0..count {
                    let apart =
                        table[from * count + near] != APART && table[from * count + far] == APART;
                    if apart && !known[near * count + far] {
                        known[near * count + far] = true;
                        known[far * count + near] = true;
                        waiting[near] -= 1;
                        waiting[far] -= 1;
                    }
                }
            }
        }
    }
}

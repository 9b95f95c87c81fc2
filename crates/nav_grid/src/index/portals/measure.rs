//! The distances between the gates of a cluster.

use super::{
    cluster::{ClusterGround, ClusterRows, SIDE, Spot, SpotSet, is_in},
    gate::{APART, Gate, NONE},
    graph::{Cluster, PortalGraph},
    scratch::BuildScratch,
    segments::DirectSegments,
    wave::WaveDirection,
};
use crate::map::Grid;

/// A gate of which it is not known yet with which others it hangs together.
const NO_PART: u16 = u16::MAX;

/// What an edit did to the cells of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClusterEdit {
    Same,
    /// It changed this spot.
    One(Spot),
    /// It changed several, or exits.
    Many,
}

/// What an edit did to a cluster, from a list in order.
pub(crate) fn walls(changed: &[(u32, ClusterEdit)], cluster: u32) -> ClusterEdit {
    let at = changed.binary_search_by_key(&cluster, |&(cluster, _)| cluster);
    at.map_or(ClusterEdit::Same, |at| changed[at].1)
}

impl PortalGraph {
    /// Brings a cluster whose portals or walls changed up to date.
    pub(crate) fn reconnect(
        &mut self,
        grid: &Grid,
        cluster: u32,
        walls: ClusterEdit,
        scratch: &mut BuildScratch,
    ) {
        if self.connect(cluster, scratch) || walls != ClusterEdit::Same {
            self.measure(grid, cluster, walls, scratch);
        }
    }

    /// Puts those distances between the gates of a cluster that an edit cannot have changed into
    /// the table, and notes for which pairs they are known.
    ///
    /// A way that comes to be or breaks off leads through the cell that changed, or by a
    /// diagonal step past its corner. So it costs no less than the ways from both gates to that
    /// cell, but for two straight steps in place of the diagonal one.
    fn keep(
        &self,
        ground: &ClusterGround,
        cluster: u32,
        walls: ClusterEdit,
        scratch: &mut BuildScratch,
    ) {
        let Cluster { gates, table, .. } = &self.clusters[cluster as usize];
        let count = gates.len();
        let BuildScratch {
            wave,
            table: kept,
            known,
            before,
            through,
            ..
        } = scratch;
        let old = before.len();
        if walls == ClusterEdit::Many || ground.exits.is_some() || table.len() != old * old {
            return;
        }
        through.clear();
        through.resize(count, NONE);
        let mut slack = 0;
        let mut opened = false;
        if let ClusterEdit::One(spot) = walls {
            opened = is_in(&ground.free, spot);
            let mut open = ground.clone();
            open.free[usize::from(spot / SIDE) + 1] |= 1 << (spot % SIDE);
            let targets = SpotSet::new(gates.iter().map(Gate::spot));
            let mut waiting = count;
            let visit = |cost, front: &ClusterRows, rows| {
                if targets.are_in(front, rows) {
                    for (through, gate) in through.iter_mut().zip(gates) {
                        if is_in(front, gate.spot()) {
                            *through = cost;
                            waiting -= 1;
                        }
                    }
                }
                waiting > 0
            };
            wave.run(
                &open,
                self.step_costs,
                WaveDirection::Forward,
                [(0, spot)],
                visit,
            );
            if ground.strict && self.step_costs.diagonal > 0 {
                slack = (2 * self.step_costs.straight - self.step_costs.diagonal) as u32;
            }
        }
        for from in 0..count {
            let Some(from_before) = before.iter().position(|&spot| spot == gates[from].spot())
            else {
                continue;
            };
            for to in 0..count {
                let Some(to_before) = before.iter().position(|&spot| spot == gates[to].spot())
                else {
                    continue;
                };
                let cost = table[from_before * old + to_before];
                let least = through[from].saturating_add(through[to]);
                let least = if least == NONE {
                    NONE
                } else {
                    least - slack.min(least)
                };
                let same = if cost == APART {
                    // Walls that go up keep apart what was apart.
                    !opened || least == NONE
                } else if opened {
                    least >= u32::from(cost)
                } else {
                    least > u32::from(cost)
                };
                if same {
                    kept[from * count + to] = cost;
                    known[from * count + to] = true;
                }
            }
        }
    }

    /// Finds the distances between the gates of a cluster.
    pub(crate) fn measure(
        &mut self,
        grid: &Grid,
        cluster: u32,
        walls: ClusterEdit,
        scratch: &mut BuildScratch,
    ) {
        let gates = &self.clusters[cluster as usize].gates;
        let count = gates.len();
        scratch.table.clear();
        scratch.table.resize(count * count, APART);
        scratch.known.clear();
        scratch.known.resize(count * count, false);
        scratch.parts.clear();
        scratch.parts.resize(count, NO_PART);
        let ground = self.ground(grid, cluster);
        self.keep(&ground, cluster, walls, scratch);
        if ground.exits.is_none() && scratch.known.contains(&true) {
            self.complete(&ground, cluster, scratch);
            self.clusters[cluster as usize].table = scratch.table.as_slice().into();
            return;
        }
        let BuildScratch {
            wave, table, parts, ..
        } = scratch;
        // A cluster without exits needs no look at them, and every way has its way back.
        let symmetric = ground.exits.is_none();
        let open = self.open(None);
        let cell = |spot| self.tiling.cell(cluster, spot);
        for from in 0..count {
            table[from * count + from] = 0;
            let first = if symmetric { from + 1 } else { 0 };
            // Gates of the part that this one is known to be in, or of no part yet: all others
            // are cut off from it.
            let part = parts[from];
            let mut waiting = 0;
            for to in first..count {
                let settled = table[from * count + to] != APART;
                if settled || symmetric && parts[to] != part {
                    continue;
                }
                let (start, end) = (gates[from].spot(), gates[to].spot());
                let cost = if start == end {
                    Some(0)
                } else {
                    let (start, end) = (cell(start), cell(end));
                    let clear = symmetric && DirectSegments::is_clear(&open, start, end);
                    clear.then(|| open.distance(start, end) as u16)
                };
                let Some(cost) = cost else {
                    waiting += 1;
                    continue;
                };
                table[from * count + to] = cost;
                if symmetric {
                    table[to * count + from] = cost;
                }
            }
            if waiting > 0 {
                let seed = (0, gates[from].spot());
                let targets = SpotSet::new(gates[first..].iter().map(Gate::spot));
                let visit = |cost, front: &ClusterRows, rows| {
                    if !targets.are_in(front, rows) {
                        return true;
                    }
                    for to in first..count {
                        if table[from * count + to] == APART && is_in(front, gates[to].spot()) {
                            table[from * count + to] = cost as u16;
                            if symmetric {
                                table[to * count + from] = cost as u16;
                            }
                            waiting -= 1;
                        }
                    }
                    waiting > 0
                };
                wave.run(
                    &ground,
                    self.step_costs,
                    WaveDirection::Forward,
                    [seed],
                    visit,
                );
            }
            if symmetric && part == NO_PART {
                for to in from..count {
                    if table[from * count + to] != APART {
                        parts[to] = from as u16;
                    }
                }
            }
        }
        self.clusters[cluster as usize].table = table.as_slice().into();
    }

    /// Finds the distances that are not known yet, where every way has its way back: from the
    /// gates first that lack most of them, so that few are looked from.
    fn complete(&self, ground: &ClusterGround, cluster: u32, scratch: &mut BuildScratch) {
        let gates = &self.clusters[cluster as usize].gates;
        let count = gates.len();
        let BuildScratch {
            wave,
            table,
            known,
            waiting,
            ..
        } = scratch;
        let open = self.open(None);
        let cell = |spot| self.tiling.cell(cluster, spot);
        waiting.clear();
        waiting.resize(count, 0_u32);
        for from in 0..count {
            table[from * count + from] = 0;
            known[from * count + from] = true;
            for to in from + 1..count {
                if known[from * count + to] {
                    continue;
                }
                let (start, end) = (cell(gates[from].spot()), cell(gates[to].spot()));
                if DirectSegments::is_clear(&open, start, end) {
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
        loop {
            let mut from = 0;
            for (gate, &pairs) in waiting.iter().enumerate() {
                if pairs > waiting[from] {
                    from = gate;
                }
            }
            if waiting.get(from).is_none_or(|&pairs| pairs == 0) {
                return;
            }
            let row = from * count..(from + 1) * count;
            let wanted = gates.iter().zip(&known[row.clone()]);
            let wanted = wanted.filter(|&(_, &known)| !known);
            let targets = SpotSet::new(wanted.map(|(gate, _)| gate.spot()));
            let visit = |cost, front: &ClusterRows, rows| {
                if !targets.are_in(front, rows) {
                    return true;
                }
                for to in 0..count {
                    if !known[from * count + to] && is_in(front, gates[to].spot()) {
                        for pair in [from * count + to, to * count + from] {
                            table[pair] = cost as u16;
                            known[pair] = true;
                        }
                        waiting[from] -= 1;
                        waiting[to] -= 1;
                    }
                }
                waiting[from] > 0
            };
            let seed = (0, gates[from].spot());
            wave.run(
                ground,
                self.step_costs,
                WaveDirection::Forward,
                [seed],
                visit,
            );
            if waiting[from] == 0 {
                continue;
            }
            // No way leads to the rest, from here or from whatever a way leads to from here.
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

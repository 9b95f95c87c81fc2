//! The distances between the gates of a cluster.

use super::{
    cluster::{Ground, Rows, SIDE, Spot, Targets, is_in},
    crossing::Crossing,
    graph::{APART, Cluster, Gate, NONE, Portals},
    leg::Legs,
    wave::{Wave, Way},
};
use crate::Grid;

/// A gate of which it is not known yet with which others it hangs together.
const NO_PART: u16 = u16::MAX;

/// Memory for building and repairing.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) wave: Wave,
    pub(super) crossings: Vec<Crossing>,
    pub(super) gates: Vec<Gate>,
    pub(super) table: Vec<u16>,
    pub(super) parts: Vec<u16>,
    /// The pairs of gates whose distance is in the table.
    pub(super) known: Vec<bool>,
    /// The spots of the gates that the old table is about.
    pub(super) before: Vec<Spot>,
    /// The distances of the gates from the cell that changed.
    pub(super) through: Vec<u32>,
}

/// What an edit did to the cells of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walls {
    Same,
    /// It changed this spot.
    One(Spot),
    /// It changed several, or exits.
    Many,
}

/// What an edit did to a cluster, from a list in order.
pub(super) fn walls(changed: &[(u32, Walls)], cluster: u32) -> Walls {
    let at = changed.binary_search_by_key(&cluster, |&(cluster, _)| cluster);
    at.map_or(Walls::Same, |at| changed[at].1)
}

impl Portals {
    /// Brings a cluster whose portals or walls changed up to date.
    pub(super) fn reconnect(
        &mut self,
        grid: &Grid,
        cluster: u32,
        walls: Walls,
        scratch: &mut Scratch,
    ) {
        if self.connect(cluster, scratch) || walls != Walls::Same {
            self.measure(grid, cluster, walls, scratch);
        }
    }

    /// Puts those distances between the gates of a cluster that an edit cannot have changed into
    /// the table, and notes for which pairs they are known.
    ///
    /// A way that comes to be or breaks off leads through the cell that changed, or by a
    /// diagonal step past its corner. So it costs no less than the ways from both gates to that
    /// cell, but for two straight steps in place of the diagonal one.
    fn keep(&self, ground: &Ground, cluster: u32, walls: Walls, scratch: &mut Scratch) {
        let Cluster { gates, table, .. } = &self.clusters[cluster as usize];
        let count = gates.len();
        let Scratch {
            wave,
            table: kept,
            known,
            before,
            through,
            ..
        } = scratch;
        let old = before.len();
        if walls == Walls::Many || ground.exits.is_some() || table.len() != old * old {
            return;
        }
        through.clear();
        through.resize(count, NONE);
        let mut slack = 0;
        let mut opened = false;
        if let Walls::One(spot) = walls {
            opened = is_in(&ground.free, spot);
            let mut open = ground.clone();
            open.free[usize::from(spot / SIDE) + 1] |= 1 << (spot % SIDE);
            let visit = |cost, front: &Rows, _| {
                for (through, gate) in through.iter_mut().zip(gates) {
                    if is_in(front, gate.spot) {
                        *through = cost;
                    }
                }
                true
            };
            wave.run(&open, self.pace, Way::Forward, [(0, spot)], visit);
            if ground.strict && self.pace.diagonal > 0 {
                slack = (2 * self.pace.straight - self.pace.diagonal) as u32;
            }
        }
        for from in 0..count {
            let Some(from_before) = before.iter().position(|&spot| spot == gates[from].spot) else {
                continue;
            };
            for to in 0..count {
                let Some(to_before) = before.iter().position(|&spot| spot == gates[to].spot) else {
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
    pub(super) fn measure(
        &mut self,
        grid: &Grid,
        cluster: u32,
        walls: Walls,
        scratch: &mut Scratch,
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
        let Scratch {
            wave,
            table,
            parts,
            known,
            ..
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
                let settled = known[from * count + to] || table[from * count + to] != APART;
                if settled || symmetric && parts[to] != part {
                    continue;
                }
                let (start, end) = (gates[from].spot, gates[to].spot);
                let cost = if start == end {
                    Some(0)
                } else {
                    let (start, end) = (cell(start), cell(end));
                    let clear = symmetric && Legs::is_clear(&open, start, end);
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
                let seed = (0, gates[from].spot);
                let targets = Targets::new(gates[first..].iter().map(|gate| gate.spot));
                let visit = |cost, front: &Rows, rows| {
                    if !targets.are_in(front, rows) {
                        return true;
                    }
                    for to in first..count {
                        if table[from * count + to] == APART && is_in(front, gates[to].spot) {
                            table[from * count + to] = cost as u16;
                            if symmetric {
                                table[to * count + from] = cost as u16;
                            }
                            waiting -= 1;
                        }
                    }
                    waiting > 0
                };
                wave.run(&ground, self.pace, Way::Forward, [seed], visit);
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
}

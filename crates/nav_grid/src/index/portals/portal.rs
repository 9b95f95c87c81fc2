//! A portal as the graph keeps it.

use super::{
    cluster::Spot,
    crossing::CrossingWays,
    gate::{Gate, NONE},
};

/// A portal, from the cluster that owns it to another one, which may be the same for a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Portal {
    pub(crate) here: Spot,
    pub(crate) there: Spot,
    /// Its places among the gates of both clusters.
    pub(crate) here_gate: u16,
    pub(crate) there_gate: u16,
    pub(crate) other: u32,
    pub(crate) cost: u32,
    pub(crate) ways: CrossingWays,
}

pub(crate) const NO_PORTAL: Portal = Portal {
    here: 0,
    there: 0,
    here_gate: 0,
    there_gate: 0,
    other: NONE,
    cost: 0,
    ways: CrossingWays {
        out: false,
        into: false,
        link: false,
    },
};

impl Portal {
    /// A number that hardly any other portal has, nor the same one under another number.
    pub(super) fn print(&self, number: usize) -> u64 {
        let CrossingWays { out, into, link } = self.ways;
        let ways = u64::from(out) | u64::from(into) << 1 | u64::from(link) << 2;
        let ends = u64::from(self.here) | u64::from(self.there) << 16;
        let words = [
            ends | u64::from(self.other) << 32,
            ways | u64::from(self.cost) << 32,
        ];
        words.into_iter().fold(number as u64, |print, word| {
            let mixed = (print ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 32
        })
    }

    /// The end in the cluster that owns it.
    pub(crate) fn gate(&self, passage: u32, straight: u32) -> Gate {
        Gate {
            passage: passage | 1,
            other: self.other,
            twin: self.there_gate,
            place: Gate::place(self.here, self.is_plain(straight)),
        }
    }

    /// The end in the other cluster.
    pub(crate) fn far_gate(&self, passage: u32, owner: u32, straight: u32) -> Gate {
        Gate {
            passage,
            other: owner,
            twin: self.here_gate,
            place: Gate::place(self.there, self.is_plain(straight)),
        }
    }

    pub(crate) fn is_plain(&self, straight: u32) -> bool {
        self.ways.out && self.ways.into && self.cost == straight
    }

    /// What it costs to go through, out of the owner or into it.
    pub(crate) fn cost(&self, out: bool) -> u32 {
        let open = if out { self.ways.out } else { self.ways.into };
        if open { self.cost } else { NONE }
    }
}

//! Portals, and their ends as the clusters on either side see them.

use super::{cluster::Spot, crossing::ClusterCrossing};
use crate::rules::IntegerCosts;

/// No way, and no portal.
pub(crate) const NONE: u32 = u32::MAX;

/// No way inside a cluster.
pub(crate) const APART: u16 = u16::MAX;

/// A portal, from the cluster that owns it to another one, which may be the same for a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Portal {
    pub(super) crossing: ClusterCrossing,
    pub(super) owner: u32,
    /// Its numbers among the gates of both clusters.
    pub(super) here_gate: u16,
    pub(super) there_gate: u16,
}

pub(super) const NO_PORTAL: Portal = Portal {
    crossing: ClusterCrossing {
        here: 0,
        there: 0,
        other: NONE,
        weights: [1; 2],
        ways: 0,
    },
    owner: NONE,
    here_gate: 0,
    there_gate: 0,
};

impl Portal {
    /// A hash of the portal and its number.
    pub(super) fn hash(&self, number: usize) -> u64 {
        let ClusterCrossing { other, weights, .. } = self.crossing;
        let ends = u64::from(self.crossing.here) | u64::from(self.crossing.there) << 16;
        let weights = u64::from(u16::from_le_bytes(weights));
        let words = [
            ends | u64::from(other) << 32,
            u64::from(self.crossing.ways) | weights << 32,
        ];
        words.into_iter().fold(number as u64, |hash, word| {
            // The multiplier of Fibonacci hashing: 2^64 divided by the golden ratio.
            let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 32
        })
    }

    /// The end that a passage leaves.
    pub(super) fn gate(&self, passage: u32, step_costs: IntegerCosts) -> Gate {
        let crossing = &self.crossing;
        let (spot, other, twin) = if passage & 1 == 1 {
            (crossing.here, crossing.other, self.there_gate)
        } else {
            (crossing.there, self.owner, self.here_gate)
        };
        let straight = step_costs.straight as u32;
        let plain = [true, false].map(|out| crossing.cost(out, step_costs)) == [straight; 2];
        Gate {
            passage,
            other,
            twin,
            place: if plain { spot | Gate::PLAIN } else { spot },
        }
    }
}

/// One end of a portal, from the cluster on that side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gate {
    /// Number of the portal times two, plus 1 for the end in the cluster that owns it: the passage
    /// of a walker that leaves here.
    pub(crate) passage: u32,
    /// The cluster on the other side, and the number of this portal's gate there.
    pub(crate) other: u32,
    pub(crate) twin: u16,
    /// The spot, and in the highest bit whether it is passed at the cost of a straight step in both
    /// directions, as nearly all are.
    pub(super) place: u16,
}

impl Gate {
    const PLAIN: u16 = 1 << 15;

    #[inline]
    pub(crate) const fn spot(&self) -> Spot {
        self.place & !Self::PLAIN
    }

    #[inline]
    pub(super) const fn is_plain(&self) -> bool {
        self.place & Self::PLAIN != 0
    }
}

/// The end of a passage through a portal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassageEnd {
    pub(crate) cluster: u32,
    pub(crate) gate: usize,
    pub(crate) spot: Spot,
}

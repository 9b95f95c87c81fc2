//! The ends of portals as the clusters on either side see them.

use super::cluster::Spot;

/// No way, and no portal.
pub(crate) const NONE: u32 = u32::MAX;

/// No way inside a cluster.
pub(crate) const APART: u16 = u16::MAX;

/// One end of a portal, from the cluster on that side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gate {
    /// Number of the portal times two, plus 1 for the end in the cluster that owns it: which way
    /// a walker passes that leaves here.
    pub(crate) passage: u32,
    /// The cluster on the other side, and the number of the gate that this one is there.
    pub(crate) other: u32,
    pub(crate) twin: u16,
    /// The cell, and in the highest bit whether it is passed by a straight step, both ways, as all
    /// but few are.
    pub(crate) place: u16,
}

impl Gate {
    const PLAIN: u16 = 1 << 15;

    pub(crate) const fn place(spot: Spot, plain: bool) -> u16 {
        if plain { spot | Self::PLAIN } else { spot }
    }

    #[inline]
    pub(crate) const fn spot(&self) -> Spot {
        self.place & !Self::PLAIN
    }

    #[inline]
    pub(crate) const fn is_plain(&self) -> bool {
        self.place & Self::PLAIN != 0
    }
}

/// What one side of a portal leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassageEnd {
    pub(crate) cluster: u32,
    pub(crate) gate: usize,
    pub(crate) spot: Spot,
}

//! One query over portals, and how far its search has come.

use crate::{
    cell::Cell,
    index::{
        PortalGraph,
        portals::{NONE, SegmentGround},
    },
    map::Grid,
    query::{Counters, PathQuery, Status},
};

/// One query, with what follows from it at once.
pub(crate) struct PortalTask<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) portals: &'a PortalGraph,
    pub(crate) open: SegmentGround<'a>,
    pub(crate) query: &'a PathQuery,
    pub(crate) guess_max: u32,
}

impl PortalTask<'_> {
    /// No way to the goal is cheaper.
    #[inline]
    pub(crate) fn guess(&self, cell: Cell) -> u32 {
        self.distance(cell).min(self.guess_max)
    }

    /// The distance to the goal on open ground, links aside.
    pub(crate) fn distance(&self, cell: Cell) -> u32 {
        self.open.distance(cell, self.query.goal)
    }
}

/// How a portal is come to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PortalNode {
    pub(crate) cost: u32,
    /// The passage that leads there.
    pub(crate) passage: u32,
    /// The passage before it, or [`NONE`].
    pub(crate) parent: u32,
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortalCheckpoint {
    pub(super) stage: PortalStage,
    /// Of the portals that it goes by.
    numbering: u64,
    pub(crate) counters: Counters,
    /// The cheapest known way to the goal, and its last passage.
    pub(crate) best: u32,
    pub(crate) best_end: u32,
    /// The least guess at an expanded passage, and the passage.
    pub(crate) nearest: (u32, u32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum PortalStage {
    SetOut,
    Gates,
    /// The path is complete.
    Lay(Status),
    /// The path to the goal is complete, at this cost, and a cheaper one is looked for.
    Near(u64),
}

impl PortalCheckpoint {
    pub(crate) fn new(portals: &PortalGraph) -> Self {
        Self {
            numbering: portals.numbering,
            stage: PortalStage::SetOut,
            counters: Counters::default(),
            best: NONE,
            best_end: NONE,
            nearest: (NONE, NONE),
        }
    }

    /// Whether it can go on by these portals. They may have been made anew meanwhile, or be those
    /// of another map with as many edits and cells.
    pub(crate) fn goes_by(&self, portals: &PortalGraph) -> bool {
        self.numbering == portals.numbering
    }
}

/// How a search over portals ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PortalEnd {
    /// Through this passage, or [`NONE`] for none at all.
    Goal(u32),
    /// At the passage nearest to the goal, or [`NONE`] if that is the start.
    Nowhere(u32),
    Budget(u32),
}

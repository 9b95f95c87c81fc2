//! Lists that zones send each other about their borders.

use super::watch::Block;
use crate::ZoneId;
use nav::{AgentId, Body};
use nav_grid::{Area, Cell, Footprint};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Latest list of each other zone.
pub(super) type LatestLists = BTreeMap<ZoneId, DatedList>;

/// List received from another zone.
pub(super) struct DatedList {
    /// Tick in which it was sent.
    pub(super) tick: u64,
    pub(super) list: BorderList,
}

/// Border state of a zone, as sent to another zone before a tick. It replaces the list before.
#[derive(Serialize, Deserialize)]
pub(super) struct BorderList {
    /// Targets around which the sender wants to see bodies beyond those near it.
    pub(super) watched: Vec<Block>,
    /// Bodies that live in the sender near the receiver, ordered by id.
    pub(super) bodies: Vec<SeenBody>,
    /// Bodies that the sender handed over and that the zone they went to did not list yet.
    pub(super) left: Vec<Left>,
    /// Steps that the sender lends to agents of the receiver, ordered by id.
    pub(super) loans: Vec<(AgentId, WishedStep)>,
}

/// Body that lives in the zone that lists it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct SeenBody {
    pub(super) agent: AgentId,
    pub(super) stand: SeenStand,
    pub(super) wish: Option<WishedStep>,
}

/// Place and shape of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct SeenStand {
    /// Index of its map in the list of all maps.
    pub(super) map: u16,
    /// Upper left cell of its footprint.
    pub(super) cell: Cell,
    pub(super) body: Body,
}

/// Step that a body waits for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(super) struct WishedStep {
    /// Tick since which the step has been requested without a break, counted in the body's zone.
    ///
    /// A request that ended and returns gets another tick, and so needs another loan.
    pub(super) since: u64,
    /// Upper left cell of the footprint after the step.
    pub(super) to: Cell,
}

/// Body that was handed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Left {
    pub(super) agent: AgentId,
    /// Zone where it lives.
    pub(super) to: ZoneId,
    /// Where it stood at the hand-over.
    pub(super) stand: SeenStand,
}

impl SeenStand {
    /// Returns the cells that the body covers.
    pub(super) fn area(self) -> Area {
        self.body.footprint.area(self.cell)
    }
}

/// Returns the cells that a body covers after a step and did not cover before.
pub(super) fn newly_covered(
    footprint: Footprint,
    from: Cell,
    to: Cell,
) -> impl Iterator<Item = Cell> {
    let before = footprint.area(from);
    let after = footprint.area(to).cells();
    after.filter(move |&cell| !before.contains(cell))
}

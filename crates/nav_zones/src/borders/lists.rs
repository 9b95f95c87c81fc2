//! What zones send each other about their borders.

use super::watch::Block;
use crate::ZoneId;
use nav::{AgentId, Body};
use nav_grid::{Area, Cell, Footprint};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The latest list of each other zone.
pub(super) type LatestLists = BTreeMap<ZoneId, DatedList>;

/// A list that came from another zone.
pub(super) struct DatedList {
    /// The tick in which it was sent.
    pub(super) tick: u64,
    pub(super) list: BorderList,
}

/// What a zone sends another one before a tick; it replaces what it sent before.
#[derive(Serialize, Deserialize)]
pub(super) struct BorderList {
    /// Around which targets it sees bodies beyond those near it.
    pub(super) watched: Vec<Block>,
    /// Those who live in it near the other one, in the order of their numbers.
    pub(super) bodies: Vec<SeenBody>,
    /// Those whom it handed over and whom the zone where they live did not list yet.
    pub(super) left: Vec<Left>,
    /// The steps that it lends to those who live in the other one, in the order of their numbers.
    pub(super) loans: Vec<(AgentId, WishedStep)>,
}

/// A body that lives in the zone that sends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct SeenBody {
    pub(super) agent: AgentId,
    pub(super) stand: SeenStand,
    pub(super) wish: Option<WishedStep>,
}

/// Where a body stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct SeenStand {
    /// The place of its map among all.
    pub(super) map: u16,
    /// The upper left cell of its footprint.
    pub(super) cell: Cell,
    pub(super) body: Body,
}

/// A step that a body waits for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(super) struct WishedStep {
    /// The tick since which it has been wished without a break, in the zone of the body. A wish that ended and comes again
    /// is another one, and needs another loan.
    pub(super) since: u64,
    /// The upper left cell of its footprint after the step.
    pub(super) to: Cell,
}

/// A body that was handed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Left {
    pub(super) agent: AgentId,
    /// Where it lives.
    pub(super) to: ZoneId,
    /// Where it stood then.
    pub(super) stand: SeenStand,
}

impl SeenStand {
    /// The cells that it covers.
    pub(super) fn area(self) -> Area {
        self.body.footprint.area(self.cell)
    }
}

/// The cells that a body covers after a step and did not before.
pub(super) fn newly_covered(
    footprint: Footprint,
    from: Cell,
    to: Cell,
) -> impl Iterator<Item = Cell> {
    let before = footprint.area(from);
    let after = footprint.area(to).cells();
    after.filter(move |&cell| !before.contains(cell))
}

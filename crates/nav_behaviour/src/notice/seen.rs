//! Those who can be noticed.

use super::crowd::Placed;
use bevy_ecs::prelude::*;
use nav::AgentId;
use nav_grid::Cell;

/// Somebody who can be noticed.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub(super) agent: Entity,
    pub(super) id: AgentId,
    pub(super) map: Entity,
    pub(super) cell: Cell,
    pub(super) factions: u32,
}

impl Placed for Seen {
    fn map(&self) -> Entity {
        self.map
    }

    fn cell(&self) -> Cell {
        self.cell
    }
}

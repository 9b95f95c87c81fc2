//! Who lives in a zone, as whoever looks on is sent it.

use crate::{
    ZonesError,
    control::{ControlLine, WATCHER},
};
use bevy_app::App;
use bevy_ecs::prelude::*;
use chase::sim::Shown;
use nav::{AgentId, Body, CellPosition, Chaser, PathCursor, shared::Mirror};
use nav_grid::Cell;
use nav_zones::{Zone, ZoneId};
use serde::{Deserialize, Serialize};

/// Who lives in a zone.
#[derive(Serialize, Deserialize)]
pub(crate) struct ShownZone {
    /// All zones, as this one knows them.
    pub(crate) zones: Vec<ZoneId>,
    pub(crate) agents: Vec<(AgentId, Cell, Shown)>,
}

/// Every so many ticks a zone is shown that is watched.
const EVERY: u64 = 4;

/// For so many ticks it is shown after it was asked.
const LASTS: u64 = 60;

/// Up to which tick a zone is shown.
#[derive(Default)]
pub(crate) struct Showing(u64);

impl Showing {
    /// Shows the zone of an app from now on.
    pub(crate) fn begin(&mut self, app: &App) {
        self.0 = app.world().resource::<Zone>().tick() + LASTS;
    }

    /// Shows it, if it is time to.
    pub(crate) fn step(&self, app: &mut App, line: &mut ControlLine) -> Result<(), ZonesError> {
        let tick = app.world().resource::<Zone>().tick();
        if tick > self.0 || !tick.is_multiple_of(EVERY) {
            return Ok(());
        }
        line.send(WATCHER, &shown(app.world_mut()))
    }
}

fn shown(world: &mut World) -> ShownZone {
    type Agent<'a> = (
        &'a AgentId,
        &'a CellPosition,
        Option<&'a Body>,
        Option<(&'a Chaser, &'a PathCursor)>,
    );
    let mut agents = world.query_filtered::<Agent, Without<Mirror>>();
    let agents = agents
        .iter(world)
        .map(|(&id, place, body, chase)| (id, place.cell, Shown::of(chase, body)));
    ShownZone {
        agents: agents.collect(),
        zones: world.resource::<Zone>().layout().zones().collect(),
    }
}

//! The agents of a zone, as sent for watching.

use crate::{
    ZonesError,
    control::{ControlLine, WATCHER},
};
use bevy_app::App;
use bevy_ecs::prelude::*;
use nav::{AgentId, Body, CellPosition, Chaser, PathCursor, extend::Mirror};
use nav_grid::Cell;
use nav_sim::sim::Shown;
use nav_zones::{Format, Versioned, Zone, ZoneId};
use serde::{Deserialize, Serialize};

/// The agents of a zone.
#[derive(Serialize, Deserialize)]
pub(crate) struct ShownZone {
    /// All zones known to this one.
    pub(crate) zones: Vec<ZoneId>,
    pub(crate) agents: Vec<(AgentId, Cell, Shown)>,
}

impl Versioned for ShownZone {
    const FORMAT: Format = Format::MESSAGES;
}

/// Ticks between two sendings of a watched zone: a fifth of a second at 20 Hz. A guess.
const EVERY: u64 = 4;

/// Ticks for which a zone sends after a request: three seconds at 20 Hz, three requests long. A
/// guess.
const LASTS: u64 = 60;

/// The tick up to which a zone sends.
#[derive(Default)]
pub(crate) struct Showing(u64);

impl Showing {
    /// Starts or prolongs sending.
    pub(crate) fn begin(&mut self, app: &App) {
        self.0 = app.world().resource::<Zone>().tick() + LASTS;
    }

    /// Sends the agents, if it is due.
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
    let mut living = world.query_filtered::<Agent, Without<Mirror>>();
    let mut agents = Vec::new();
    for (&id, place, body, chase) in living.iter(world) {
        agents.push((id, place.cell, Shown::of(chase, body)));
    }
    ShownZone {
        agents,
        zones: world.resource::<Zone>().layout().zones().collect(),
    }
}

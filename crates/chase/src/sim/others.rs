//! Simulations that show agents of other processes.

use super::{
    Simulation, app::clockwork_with, error::SimError, figures::Role, laps, prepare::prepare,
};
use crate::Scenario;
use bevy_app::App;
use bevy_ecs::{message::MessageCursor, prelude::*};
use nav::{Body, Chaser, PathCursor};
use nav_formats::MapFile;
use serde::{Deserialize, Serialize};

/// How an agent stands that another process runs.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// Columns and rows that it covers.
    pub side: u8,
    /// How it stands.
    pub role: Role,
}

impl Shown {
    /// Of an agent that may chase and may have a body.
    pub fn of(chase: Option<(&Chaser, &PathCursor)>, body: Option<&Body>) -> Self {
        let (side, role) = match (chase, body) {
            (Some((chaser, cursor)), _) => {
                (chaser.rules.footprint.side(), Role::of(cursor.state()))
            }
            (None, Some(body)) => (body.footprint.side(), Role::Idle),
            (None, None) => (1, Role::Target),
        };
        Self { side, role }
    }
}

impl Simulation {
    /// The map of a scenario without its agents. Systems that `add` adds spawn and move those, each with [`Shown`],
    /// as another process reports them.
    ///
    /// # Errors
    ///
    /// As [`run`](super::run).
    pub fn of_others(
        scenario: &Scenario,
        map: MapFile,
        add: impl FnOnce(&mut App),
    ) -> Result<Self, SimError> {
        let mut app = clockwork_with(scenario.hz, 1, |app| {
            laps::add(app);
            add(app);
        });
        let map = prepare(map, scenario)?;
        let map = app.world_mut().spawn(map).id();
        Ok(Self {
            app,
            map,
            found: MessageCursor::default(),
            failed: MessageCursor::default(),
            rss_before: None,
        })
    }
}

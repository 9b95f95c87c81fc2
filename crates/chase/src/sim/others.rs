//! Simulations that show agents of other processes.

use super::{Simulation, app::clockwork_with, error::SimError, laps, prepare::prepare};
use crate::Scenario;
use bevy_app::App;
use bevy_ecs::message::MessageCursor;
use nav_formats::MapFile;

impl Simulation {
    /// Creates the map of a scenario without its agents. Systems that `add` adds spawn and move
    /// them, each with [`Shown`](super::Shown), as another process reports them.
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

//! Simulations that show what other processes run.

use super::{Simulation, app::clockwork_with, error::SimError, laps, prepare::prepare};
use crate::Scenario;
use bevy_app::App;
use bevy_ecs::{message::MessageCursor, prelude::*};
use nav_formats::MapFile;

/// Whether somebody looks on.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct IsWatched(pub(crate) bool);

/// The map of a simulation that shows what other processes run.
#[derive(Resource, Clone, Copy, Debug)]
pub(crate) struct ShownMap(pub(crate) Entity);

impl Simulation {
    /// A simulation of a scenario without its agents, whom systems of one's own bring and move.
    ///
    /// # Errors
    ///
    /// As [`run`](super::run).
    pub(crate) fn without_agents(
        scenario: &Scenario,
        map: MapFile,
        add: impl FnOnce(&mut App),
    ) -> Result<Self, SimError> {
        let mut app = clockwork_with(scenario.hz, 1, |app| {
            laps::add(app);
            app.init_resource::<IsWatched>();
            add(app);
        });
        let map = prepare(map, scenario)?;
        let map = app.world_mut().spawn(map).id();
        app.insert_resource(ShownMap(map));
        Ok(Self {
            app,
            map,
            found: MessageCursor::default(),
            failed: MessageCursor::default(),
            rss_before: None,
        })
    }
}

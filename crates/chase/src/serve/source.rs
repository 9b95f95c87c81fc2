//! What is served: a simulation of this process, or agents that other processes run.

use crate::{
    Scenario,
    sim::{SimError, Simulation},
};
use bevy_app::App;
use nav_formats::MapFile;

/// What is served.
pub struct Source {
    scenario: Scenario,
    map: MapFile,
    agents: Agents,
}

/// Where the agents come from.
enum Agents {
    /// The scenario has them.
    Scenario,
    /// Systems bring and move them.
    Elsewhere(AddSystems),
}

type AddSystems = Box<dyn FnOnce(&mut App) + Send>;

impl Source {
    /// Runs a scenario on its map.
    pub fn run(scenario: Scenario, map: MapFile) -> Self {
        Self {
            scenario,
            map,
            agents: Agents::Scenario,
        }
    }

    /// Shows agents that others run, on the map of their scenario: see [`Simulation::of_others`]. `add` adds the
    /// systems that bring and move them; [`IsWatched`](super::IsWatched) tells these whether anybody looks on.
    pub fn show(
        scenario: Scenario,
        map: MapFile,
        add: impl FnOnce(&mut App) + Send + 'static,
    ) -> Self {
        Self {
            scenario,
            map,
            agents: Agents::Elsewhere(Box::new(add)),
        }
    }

    /// The map.
    pub(super) const fn map(&self) -> &MapFile {
        &self.map
    }

    /// The scenario, and its simulation before the first tick, with the systems that `add` adds.
    pub(super) fn simulation(
        self,
        add: impl FnOnce(&mut App),
    ) -> Result<(Scenario, Simulation), SimError> {
        let Self {
            scenario,
            map,
            agents,
        } = self;
        let simulation = match agents {
            Agents::Scenario => Simulation::with(&scenario, map, add)?,
            Agents::Elsewhere(bring) => Simulation::of_others(&scenario, map, |app| {
                bring(app);
                add(app);
            })?,
        };
        Ok((scenario, simulation))
    }
}

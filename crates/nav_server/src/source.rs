//! The source of a served world: a simulation of this process, or agents of other processes.

use bevy_app::App;
use nav_formats::MapFile;
use nav_sim::{
    Scenario,
    sim::{SimError, Simulation},
};

/// The simulation that is served.
pub struct Source {
    scenario: Scenario,
    map: MapFile,
    agents: Agents,
}

/// The origin of the agents.
enum Agents {
    /// The scenario.
    Scenario,
    /// Systems that spawn and move them.
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

    /// Shows agents of other processes on the map of their scenario: see [`Simulation::of_others`].
    ///
    /// `add` adds the systems that spawn and move them. [`IsWatched`](super::IsWatched) tells these
    /// whether any client watches.
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

    /// Returns whether it runs a scenario of its own.
    pub(crate) const fn is_run(&self) -> bool {
        matches!(self.agents, Agents::Scenario)
    }

    /// Returns the map.
    pub(crate) const fn map(&self) -> &MapFile {
        &self.map
    }

    /// Returns the scenario, and its simulation before the first tick, with the systems that `add`
    /// adds.
    pub(crate) fn simulation(
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

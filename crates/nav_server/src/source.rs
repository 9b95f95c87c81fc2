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
    /// Adds systems that spawn and move the agents of other processes; `None` for those of the
    /// scenario.
    add_agents: Option<AddSystems>,
}

type AddSystems = Box<dyn FnOnce(&mut App) + Send>;

impl Source {
    /// Runs a scenario on its map.
    pub fn run(scenario: Scenario, map: MapFile) -> Self {
        Self {
            scenario,
            map,
            add_agents: None,
        }
    }

    /// Shows agents of other processes on the map of their scenario: see [`Simulation::of_others`].
    ///
    /// `add` adds the systems that spawn and move them. [`IsWatched`](crate::IsWatched) tells these
    /// whether any client watches.
    pub fn show(
        scenario: Scenario,
        map: MapFile,
        add: impl FnOnce(&mut App) + Send + 'static,
    ) -> Self {
        Self {
            scenario,
            map,
            add_agents: Some(Box::new(add)),
        }
    }

    /// Returns whether it runs a scenario of its own.
    pub(crate) const fn is_run(&self) -> bool {
        self.add_agents.is_none()
    }

    /// Returns the ticks per second.
    pub(crate) const fn hz(&self) -> u32 {
        self.scenario.hz
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
        let simulation = match self.add_agents {
            None => Simulation::with(&self.scenario, self.map, add)?,
            Some(add_agents) => Simulation::of_others(&self.scenario, self.map, |app| {
                add_agents(app);
                add(app);
            })?,
        };
        Ok((self.scenario, simulation))
    }
}

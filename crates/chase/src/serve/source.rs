//! What is served: a simulation of one's own, or a world that other processes run.

#[cfg(feature = "zones")]
use crate::zones::Watching;
use crate::{
    Scenario,
    sim::{SimError, Simulation},
};
use bevy_app::App;
use nav_formats::MapFile;

/// What is served.
pub enum Source {
    /// A scenario, which is run on its map.
    Scenario(Box<Scenario>, Box<MapFile>),
    /// A world in zones, which is shown.
    #[cfg(feature = "zones")]
    World(Box<Watching>),
}

impl Source {
    /// The map.
    pub(super) fn map(&self) -> &MapFile {
        match self {
            Self::Scenario(_, map) => map,
            #[cfg(feature = "zones")]
            Self::World(watching) => &watching.map,
        }
    }

    /// The scenario, and its simulation before the first tick, with systems of one's own.
    pub(super) fn simulation(
        self,
        add: impl FnOnce(&mut App),
    ) -> Result<(Scenario, Simulation), SimError> {
        match self {
            Self::Scenario(scenario, map) => {
                let simulation = Simulation::with(&scenario, *map, add)?;
                Ok((*scenario, simulation))
            }
            #[cfg(feature = "zones")]
            Self::World(watching) => {
                let (scenario, map) = (watching.scenario.clone(), watching.map.clone());
                let simulation = Simulation::without_agents(&scenario, map, |app| {
                    watching.add_to(app);
                    add(app);
                })?;
                Ok((scenario, simulation))
            }
        }
    }
}

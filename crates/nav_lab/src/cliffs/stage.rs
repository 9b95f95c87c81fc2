//! A run between two ticks, and what disturbances do to it.

use bevy_ecs::{prelude::*, query::QueryFilter};
use nav::{AgentId, Chaser, NavMap};
use nav_grid::{Cell, Grid};
use nav_sim::{
    Scenario,
    sim::{Simulation, Wanderer},
};
use rand::{RngExt, rngs::Xoshiro256PlusPlus};

/// The random numbers of disturbances, the same on every machine.
pub(super) type Random = Xoshiro256PlusPlus;

/// A run between two ticks.
pub(super) struct Stage {
    /// The run.
    pub(super) simulation: Simulation,
    /// Random numbers of the disturbance.
    pub(super) random: Random,
    /// Cells that the disturbance remembers for later ticks.
    pub(super) cells: Vec<Cell>,
    /// Number of the next tick, from 1.
    pub(super) tick: u64,
    ticks: u64,
    hz: u64,
}

impl Stage {
    /// Creates it for a run before the first tick.
    pub(super) fn new(simulation: Simulation, random: Random, scenario: &Scenario) -> Self {
        Self {
            simulation,
            random,
            cells: Vec::new(),
            tick: 1,
            ticks: scenario.ticks(),
            hz: scenario.hz.into(),
        }
    }

    /// Returns whether there is no next tick.
    pub(super) const fn is_over(&self) -> bool {
        self.tick > self.ticks
    }

    /// Returns whether no tick was run yet.
    pub(super) const fn is_start(&self) -> bool {
        self.tick == 1
    }

    /// Returns whether the next tick ends a second, so that a run of one second has such a tick.
    pub(super) const fn is_second(&self) -> bool {
        self.tick.is_multiple_of(self.hz)
    }

    /// Returns whether a part of the run has just ended: half of it for 2, a quarter for 4.
    pub(super) const fn is_after(&self, part: u64) -> bool {
        self.tick == self.ticks / part + 1
    }
}

/// Returns the grid of the map.
pub(super) fn grid(simulation: &Simulation) -> &Grid {
    let map = simulation.world().get::<NavMap>(simulation.map());
    map.expect("the map lives as long as the simulation").grid()
}

/// Edits the map.
pub(super) fn edit(simulation: &mut Simulation, edit: impl FnOnce(&mut NavMap)) {
    let entity = simulation.map();
    let mut map = (simulation.world_mut().get_mut::<NavMap>(entity))
        .expect("the map lives as long as the simulation");
    edit(&mut map);
}

/// Returns the chasers.
pub(super) fn chasers(simulation: &mut Simulation) -> Vec<Entity> {
    agents::<With<Chaser>>(simulation)
}

/// Returns the targets of the scenario.
pub(super) fn targets(simulation: &mut Simulation) -> Vec<Entity> {
    agents::<With<Wanderer>>(simulation)
}

/// Returns agents in the order in which they were spawned, whatever the order of tables.
fn agents<F: QueryFilter>(simulation: &mut Simulation) -> Vec<Entity> {
    let mut agents = simulation
        .world_mut()
        .query_filtered::<(&AgentId, Entity), F>();
    let mut agents: Vec<_> = agents.iter(simulation.world()).collect();
    agents.sort_unstable();
    agents.into_iter().map(|(_, agent)| agent).collect()
}

/// Draws a walkable cell. There are always some: agents start on them.
pub(super) fn draw(grid: &Grid, random: &mut Random) -> Cell {
    loop {
        let cell = Cell::new(
            random.random_range(0..grid.width()),
            random.random_range(0..grid.height()),
        );
        if grid.is_walkable(cell) {
            return cell;
        }
    }
}

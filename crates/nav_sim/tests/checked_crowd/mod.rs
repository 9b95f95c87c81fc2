//! A crowd whose invariants are checked after every tick.

use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, NavBudget, NavDiagnostics, NavMap};
use nav_grid::Cell;
use nav_sim::{Scenario, maps, sim::Simulation};
use std::{collections::BTreeMap, path::Path};

/// A crowd scenario on its own map, and the cells of its bodies after the tick before.
pub struct CheckedCrowd {
    pub simulation: Simulation,
    pub places: BTreeMap<Entity, Cell>,
    budget: Option<u32>,
    /// The tick of each body's last step; steps are at least five ticks apart.
    pub stepped: BTreeMap<Entity, u64>,
    tick: u64,
}

impl CheckedCrowd {
    pub fn new(name: &str, chasers: u32, budget: Option<u32>) -> Self {
        let base = Scenario::named(Path::new(name)).expect("a scenario of the program");
        let targets = (chasers / 100).max(1);
        let scenario = Scenario {
            chasers,
            targets,
            ..base
        };
        let map = maps::load(scenario.map.as_ref()).expect("a map that can be made");
        let mut simulation = Simulation::new(&scenario, map).expect("room for all");
        let expansions = budget;
        simulation
            .world_mut()
            .insert_resource(NavBudget::from(expansions));
        Self {
            simulation,
            places: BTreeMap::new(),
            budget,
            stepped: BTreeMap::new(),
            tick: 0,
        }
    }

    pub fn tick(&mut self) {
        self.simulation.tick();
        self.tick += 1;
        self.check();
    }

    /// Checks the budget, that no two bodies share a cell or swap cells, and that steps are legal.
    fn check(&mut self) {
        let map = self.simulation.map();
        let world = self.simulation.world_mut();
        if let Some(budget) = self.budget {
            let expanded = world.resource::<NavDiagnostics>().last_tick.expanded;
            assert!(
                expanded <= budget.into(),
                "{expanded} of {budget} expansions"
            );
        }
        let mut solids = world.query_filtered::<(Entity, &CellPosition), With<Body>>();
        let places: BTreeMap<Entity, Cell> = solids
            .iter(world)
            .map(|(agent, place)| (agent, place.cell))
            .collect();
        let grid = world.get::<NavMap>(map).expect("the map").grid();
        let mut holders: BTreeMap<(u16, u16), Entity> = BTreeMap::new();
        for (&agent, &cell) in &places {
            let other = holders.insert((cell.x, cell.y), agent);
            assert_eq!(other, None, "{agent} shares {cell}");
        }
        for (&agent, &to) in &places {
            let Some(&from) = self.places.get(&agent).filter(|&&from| from != to) else {
                continue;
            };
            assert!(grid.is_walkable(to), "{agent} went into the wall at {to}");
            assert_eq!(from.chebyshev(to), 1, "{agent} went from {from} to {to}");
            let other = holders.get(&(from.x, from.y));
            let swapped = other.is_some_and(|other| self.places.get(other) == Some(&to));
            assert!(
                !swapped,
                "{agent} and another went through each other at {to}"
            );
            let before = self.stepped.insert(agent, self.tick);
            let soon = before.filter(|before| self.tick - before < 5);
            assert_eq!(soon, None, "{agent} stepped twice in a move tick");
        }
        self.places = places;
    }
}

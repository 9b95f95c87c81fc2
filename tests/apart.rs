//! A crowd of bodies whose cells are checked in every tick.

use crate::scenes;
use bevy_ecs::prelude::*;
use nav::{Body, ChaseState, Chaser};
use nav_grid::{Cell, Footprint, Grid};
use nav_testing::{Cells, Scene};
use rand::{RngExt, rngs::Xoshiro256PlusPlus};
use std::collections::{BTreeMap, BTreeSet};

/// Floor, row, column.
pub type Place = (u8, u16, u16);

/// A world which checks in every tick that no two bodies overlap.
pub struct Bodies {
    /// The world they are in.
    pub world: Scene,
    /// The bodies that are checked.
    pub agents: Vec<Entity>,
}

impl Bodies {
    /// Makes an empty world on a map drawn with `.` and `#`.
    ///
    /// # Panics
    ///
    /// When the drawing is not a map.
    pub fn new(rows: &[&str]) -> Self {
        Self::on(Scene::new(rows))
    }

    /// Wraps a world that has no bodies yet.
    pub fn on(world: Scene) -> Self {
        let agents = Vec::new();
        Self { world, agents }
    }

    /// Spawns a chaser with a body.
    pub fn spawn(&mut self, chaser: Chaser, body: Body, at: impl Cells, target: Entity) -> Entity {
        let agent = self.world.chaser_with(chaser, at, target);
        self.world.world().entity_mut(agent).insert(body);
        self.agents.push(agent);
        agent
    }

    /// Spawns a chaser with a solid body of one cell.
    pub fn solid(&mut self, at: impl Cells, target: Entity) -> Entity {
        self.spawn(Chaser::default(), Body::default(), at, target)
    }

    /// Returns the cells of all bodies.
    ///
    /// # Panics
    ///
    /// When two stand on one.
    pub fn cells(&self) -> BTreeMap<Place, Entity> {
        let mut cells = BTreeMap::new();
        for &agent in &self.agents {
            let body = self.world.get::<Body>(agent).footprint;
            for cell in body.area(self.world.cell(agent)).cells() {
                let other = cells.insert((cell.floor, cell.y, cell.x), agent);
                assert!(other.is_none(), "{agent} stands on {other:?} at {cell}");
            }
        }
        cells
    }

    /// Runs ticks and checks the bodies after each.
    ///
    /// # Panics
    ///
    /// When two bodies come to stand on one cell or go through each other.
    pub fn tick(&mut self, ticks: u64) {
        for _ in 0..ticks {
            let before = self.cells();
            self.world.tick(1);
            let after = self.cells();
            for (cell, agent) in &before {
                let Some(other) = after.get(cell).filter(|other| *other != agent) else {
                    continue;
                };
                let swapped = before
                    .iter()
                    .any(|(from, who)| who == other && after.get(from) == Some(agent));
                assert!(!swapped, "{agent} and {other} went through each other");
            }
        }
    }

    /// Returns whether all bodies are within reach of their targets.
    pub fn all_reached(&self) -> bool {
        let reached = |&agent: &Entity| self.world.cursor(agent).state() == ChaseState::Reached;
        self.agents.iter().all(reached)
    }

    /// Runs ticks while `holds` returns true, `ticks_max` at most. Returns how many it ran.
    pub fn tick_while(&mut self, ticks_max: u64, holds: impl Fn(&Self) -> bool) -> u64 {
        for tick in 0..ticks_max {
            if !holds(self) {
                return tick;
            }
            self.tick(1);
        }
        ticks_max
    }

    /// Runs ticks until all bodies are within reach of their targets. Returns how many it ran.
    ///
    /// # Panics
    ///
    /// When that takes `ticks_max` ticks or more.
    pub fn tick_until_all_reached(&mut self, ticks_max: u64) -> u64 {
        let ticks = self.tick_while(ticks_max, |bodies| !bodies.all_reached());
        if ticks < ticks_max {
            return ticks;
        }
        let far: Vec<Cell> = self
            .agents
            .iter()
            .filter(|&&agent| self.world.cursor(agent).state() != ChaseState::Reached)
            .map(|&agent| self.world.cell(agent))
            .collect();
        panic!(
            "after {ticks_max} ticks {} are on their way: {far:?}",
            far.len()
        );
    }

    /// Spawns six targets, `apart` walkable cells from one to the next in reading order, and 250
    /// bodies at random cells, with sizes from `sides` in turn. Returns the targets too.
    ///
    /// # Panics
    ///
    /// When a size is not 1 to 8.
    pub fn scattered(
        grid: &Grid,
        apart: usize,
        sides: &[u8],
        random: &mut Xoshiro256PlusPlus,
    ) -> (Self, Vec<Entity>) {
        let ground: Vec<Cell> = grid.walkable_cells().collect();
        let mut bodies = Self::on(Scene::on(grid.clone()));
        let targets: Vec<Entity> = (0..6)
            .map(|n| bodies.world.target(ground[n * apart % ground.len()]))
            .collect();
        let mut taken = BTreeSet::new();
        while bodies.agents.len() < 250 {
            let at = ground[random.random_range(0..ground.len() as u32) as usize];
            let footprint =
                Footprint::new(sides[bodies.agents.len() % sides.len()]).expect("1 to 8");
            let cells = || footprint.area(at).cells();
            let fits = |cell: Cell| grid.is_walkable(cell) && !taken.contains(&(cell.x, cell.y));
            if cells().all(fits) {
                taken.extend(cells().map(|cell| (cell.x, cell.y)));
                let mut chaser = Chaser::default();
                chaser.rules.footprint = footprint;
                let target = targets[bodies.agents.len() % targets.len()];
                bodies.spawn(chaser, Body::solid(footprint), at, target);
            }
        }
        (bodies, targets)
    }

    /// Runs ticks; in each, one target takes a step, in turns.
    pub fn wander(&mut self, targets: &[Entity], random: &mut Xoshiro256PlusPlus, ticks: usize) {
        for tick in 0..ticks {
            let target = targets[tick % targets.len()];
            scenes::step(&mut self.world, target, |count| {
                random.random_range(0..count as u32) as usize
            });
            self.tick(1);
        }
    }
}

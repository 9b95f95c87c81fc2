//! The final cells of the chasers of a scene, and whether they could be nearer.

use super::{
    agents::{Npc, is_solid},
    stage::Stage,
    world::Scene,
};
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition};
use nav_grid::{Area, Cell, Grid, Rules, rules::BodyPolicy};
use nav_testing::oracle::{self, Goal};
use std::collections::BTreeMap;

/// The result for a chaser.
pub enum End {
    /// It is in reach of its target.
    Arrived,
    /// It waits: no place is free, or no way leads to one.
    Waits,
    /// A place is free, but its own limits end before it.
    Excused,
    /// It could be on this place.
    LeftOut(Cell),
}

/// Returns all bodies of a scene and their cells.
pub fn bodies(stage: &Stage) -> impl Iterator<Item = (Entity, Body, Cell)> + '_ {
    let world = stage.world.app.world();
    let all = stage.targets.iter().chain(&stage.npcs).chain(&stage.idle);
    all.filter_map(|&entity| {
        let body = world.get::<Body>(entity)?;
        let place = world.get::<CellPosition>(entity)?;
        Some((entity, *body, place.cell))
    })
}

/// Returns the result of each chaser; they stand at `places`.
pub fn ends(scene: &Scene, stage: &Stage, places: &[Cell]) -> Vec<End> {
    let mut holders: BTreeMap<Cell, Vec<Entity>> = BTreeMap::new();
    for (entity, body, at) in bodies(stage) {
        for cell in body.footprint.area(at).cells() {
            holders.entry(cell).or_default().push(entity);
        }
    }
    let chasers = scene.npcs.iter().zip(&stage.npcs).zip(places);
    let ends = chasers.map(|((npc, &own), &at)| {
        let chaser = Chaser {
            npc,
            own,
            at,
            target: stage.targets[npc.target],
            goal: stage.goal(npc.target),
            slack: stage.slack(own, npc),
            grid: &scene.grid,
            holders: &holders,
        };
        chaser.end()
    });
    ends.collect()
}

/// A chaser among the others.
struct Chaser<'a> {
    npc: &'a Npc,
    own: Entity,
    at: Cell,
    target: Entity,
    goal: Goal,
    /// How many steps further away its target may be, if it was within reach before.
    slack: u16,
    grid: &'a Grid,
    /// The bodies that cover each cell.
    holders: &'a BTreeMap<Cell, Vec<Entity>>,
}

impl Chaser<'_> {
    fn end(&self) -> End {
        let is_off_target = self.goal.is_entered || !self.area(self.at).meets(self.goal.area());
        if is_off_target && self.is_within(self.at, self.slack) {
            return End::Arrived;
        }
        // Most chasers that wait do so since every place is taken.
        if !self
            .places()
            .any(|at| self.is_free(at) && self.is_in_reach(at))
        {
            return End::Waits;
        }
        let radius = self.npc.chaser.limits.radius;
        let sees = self.at.chebyshev(self.goal.cell) <= radius;
        let walled = self.avoids().then(|| self.walled());
        let ground = walled.as_ref().unwrap_or(self.grid);
        if sees
            && let Some(place) = self.nearest_place(ground, |at| {
                self.is_free(at) && at.chebyshev(self.at) <= radius
            })
        {
            return End::LeftOut(place);
        }
        match self.nearest_place(ground, |at| self.is_free(at)) {
            // The way, or the target, lies beyond its window.
            Some(_) => End::Excused,
            None => End::Waits,
        }
    }

    fn rules(&self) -> Rules {
        self.npc.chaser.rules
    }

    fn area(&self, at: Cell) -> Area {
        self.rules().footprint.area(at)
    }

    fn is_in_reach(&self, at: Cell) -> bool {
        self.is_within(at, 0)
    }

    /// Returns whether its target is within reach from a place, with a stop distance of `slack`
    /// steps more.
    fn is_within(&self, at: Cell, slack: u16) -> bool {
        let mut tuning = self.npc.chaser;
        tuning.stop_distance += slack;
        oracle::is_within_reach(self.grid, &tuning, at, self.goal)
    }

    /// Returns whether its searches take bodies for walls.
    fn avoids(&self) -> bool {
        self.rules().bodies != BodyPolicy::Ignore
    }

    /// Returns whether it may stand at a place, while the others stay.
    fn is_free(&self, at: Cell) -> bool {
        let area = self.area(at);
        let keeps_off = self.npc.body.is_some_and(is_solid) || self.avoids();
        let is_blocked = keeps_off && area.cells().any(|cell| self.is_taken(cell));
        !is_blocked && (self.goal.is_entered || !area.meets(self.goal.area()))
    }

    /// Returns whether another body covers a cell.
    fn is_taken(&self, cell: Cell) -> bool {
        let holders = self.holders.get(&cell);
        holders.is_some_and(|holders| holders.iter().any(|&holder| holder != self.own))
    }

    /// Returns the places around the target from which it could be in reach.
    fn places(&self) -> impl Iterator<Item = Cell> + '_ {
        let Goal { cell, body, .. } = self.goal;
        let sides = u16::from(self.rules().footprint.side() + body.side());
        let reach = self.npc.chaser.stop_distance + sides;
        let near = Area::from(cell).grown(reach, reach);
        let links = if self.npc.chaser.reach_through_links {
            self.grid.links()
        } else {
            &[]
        };
        let places = near.clipped(self.grid.size()).cells();
        places
            .chain(links.iter().map(|link| link.from))
            .filter(|&at| self.grid.fits(at, self.rules().footprint))
    }

    /// Returns the ground as its searches see it: with bodies for walls, so that no step leads past
    /// their corners. A body on its own cells is none: it would leave a wall by any step.
    fn walled(&self) -> Grid {
        let mut walled = self.grid.clone();
        let own = self.area(self.at);
        for (&cell, holders) in self.holders {
            let mut holders = holders.iter();
            if !own.contains(cell)
                && holders.any(|&holder| holder != self.own && holder != self.target)
            {
                walled.set_walkable(cell, false).expect("a cell of the map");
            }
        }
        walled
    }

    fn nearest_place(&self, ground: &Grid, free: impl Fn(Cell) -> bool) -> Option<Cell> {
        oracle::nearest_place(ground, self.rules(), self.at, free, |at| {
            self.is_in_reach(at)
        })
    }
}

//! Worlds of chasers, and queries about their paths like those of a game's system.

use bevy_ecs::{prelude::*, system::SystemState};
use mapgen::Kind;
use nav::{PathPoint, UpcomingPath};
use nav_grid::{Cell, Footprint, Rules};
use nav_tests::TestWorld;

/// Queries like a system of a game.
pub fn ask<T>(world: &mut TestWorld, ask: impl FnOnce(&UpcomingPath) -> T) -> T {
    let mut state = SystemState::<UpcomingPath>::new(world.world());
    let upcoming = state.get(world.app.world()).expect("the plugin is there");
    ask(&upcoming)
}

pub fn ahead(world: &mut TestWorld, chaser: Entity, distance: u16) -> Vec<PathPoint> {
    ask(world, |points| points.cells(chaser, distance).collect())
}

pub fn cells(points: &[PathPoint]) -> Vec<Cell> {
    points.iter().map(|point| point.cell).collect()
}

/// Returns cells to walk on, some of them anywhere.
pub fn places(world: &TestWorld, count: usize, footprint: Footprint) -> Vec<Cell> {
    nav_tests::scenes::places(world.grid(), count, footprint)
}

pub const KINDS: [Kind; 4] = [Kind::Rooms, Kind::Caves, Kind::Maze, Kind::Mixed];

/// Makes a world on a map that is drawn from a seed.
pub fn drawn(kind: Kind, seed: u64) -> TestWorld {
    let mut world =
        TestWorld::on(mapgen::generate(kind, 48, 40, seed).expect("a map of this size"));
    // A chaser beside its target may change its guidance.
    world.nav_map().prepare(Rules::default());
    world
}

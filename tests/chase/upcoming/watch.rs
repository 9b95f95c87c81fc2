//! A check that chasers go where their upcoming path says.

use super::scene::{ahead, cells};
use bevy_ecs::prelude::*;
use nav::Guidance;
use nav_grid::Cell;
use nav_tests::TestWorld;

/// The cells that a chaser visited, and its upcoming path at each tick.
pub struct Watched {
    pub chaser: Entity,
    pub visited: Vec<Cell>,
    /// The number of cells visited, and the upcoming cells at that time.
    pub said: Vec<(usize, Vec<Cell>)>,
    /// The guidance in force when upcoming cells were stated.
    pub by: Vec<Option<Guidance>>,
}

/// Runs some seconds with standing targets, and checks at every tick that chasers go exactly where
/// their upcoming path says.
pub fn watch(world: &mut TestWorld, chasers: &[Entity], seconds: u64) -> Vec<Watched> {
    let mut watched: Vec<Watched> = chasers
        .iter()
        .map(|&chaser| Watched {
            chaser,
            visited: vec![world.cell(chaser)],
            said: Vec::new(),
            by: Vec::new(),
        })
        .collect();
    for tick in 0..seconds * nav_tests::TICK_RATE {
        world.tick(1);
        // The whole path now and then, and the next cells always.
        let distance = if tick % 20 == 0 { 1000 } else { 24 };
        for of in &mut watched {
            let cell = world.cell(of.chaser);
            if of.visited.last() != Some(&cell) {
                of.visited.push(cell);
            }
            let points = ahead(world, of.chaser, distance);
            let guidance = world.cursor(of.chaser).guidance();
            if !points.is_empty() && !of.by.contains(&guidance) {
                of.by.push(guidance);
            }
            of.said.push((of.visited.len(), cells(&points)));
        }
    }
    for of in &watched {
        let is_there = of.said.last().is_none_or(|(_, said)| said.is_empty());
        for (before, said) in &of.said {
            let (chaser, from) = (of.chaser, of.visited[before - 1]);
            let went = &of.visited[*before..];
            // A chaser that is still under way has some cells left.
            let is_right = went.starts_with(said) || !is_there && said.starts_with(went);
            assert!(
                is_right,
                "{chaser} from {from}\nwent {went:?}\nsaid {said:?}"
            );
        }
    }
    watched
}

/// Returns whether an upcoming path was stated under some guidance.
pub fn was_said(watched: &[Watched], guidance: Guidance) -> bool {
    watched.iter().any(|of| of.by.contains(&Some(guidance)))
}

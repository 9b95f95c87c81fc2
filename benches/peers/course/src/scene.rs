//! The scenes, and the course that is made of one.

use crate::{
    Failure,
    grid::{Cell, Map},
    random::Random,
    walks::wander,
};
use std::time::Duration;

/// The time of a tick: 20 Hz, as the other figures of this repository.
pub const TICK: Duration = Duration::from_millis(50);

/// Ticks of a run: a minute. The last chaser arrives after half of it.
pub const TICKS: usize = 1200;

/// Ticks between two steps of a chaser: 200 ms, or 5 cells a second.
pub const MOVE_TICKS: u32 = 4;

/// Columns and rows of the map, as many as the default chase of this repository has.
const SIDE: u16 = 512;

/// Percent of blocked cells: every peer finds its way, and hardly any straight line is free.
const CLUTTER: u32 = 20;

/// Seeds of the map and of everybody on it. The first ones.
const MAP_SEED: u64 = 1;
const AGENT_SEED: u64 = 2;

/// How far from its target a chaser starts, in columns or rows. A guess: far enough that a window
/// around a chaser does not see the target, and near enough that all arrive within half of the run.
const NEAREST: u16 = 20;
const FARTHEST: u16 = 100;

/// How many chase how many.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// The name on the command line.
    pub name: &'static str,
    /// All chasers, divided evenly over the targets.
    pub chasers: u32,
    /// The targets.
    pub targets: u32,
}

impl Scene {
    /// All scenes. The first is the default.
    pub const ALL: [Self; 3] = [
        Self::of("common", 1_000, 16),
        Self::of("large", 10_000, 64),
        // For peers that cannot do the common one.
        Self::of("small", 100, 16),
    ];

    const fn of(name: &'static str, chasers: u32, targets: u32) -> Self {
        Self {
            name,
            chasers,
            targets,
        }
    }

    /// Returns the scene of a name.
    pub fn named(name: &str) -> Result<Self, Failure> {
        let found = Self::ALL.into_iter().find(|scene| scene.name == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(|scene| scene.name).join(", ");
            format!("There is no scene {name:?}. There are: {names}.").into()
        })
    }
}

/// A chaser at its start.
#[derive(Clone, Copy, Debug)]
pub struct Chaser {
    /// Where it starts.
    pub start: Cell,
    /// The number of its target.
    pub target: usize,
}

/// The map and everybody on it.
pub struct Course {
    /// The scene that it was made of.
    pub scene: Scene,
    /// The map.
    pub map: Map,
    /// The cells of all targets, for each tick.
    pub targets: Vec<Vec<Cell>>,
    /// The chasers. Those of one target follow each other.
    pub chasers: Vec<Chaser>,
}

impl Course {
    /// Makes the course of a scene.
    pub fn new(scene: Scene) -> Self {
        let map = Map::cluttered(SIDE, CLUTTER, MAP_SEED);
        let free: Vec<Cell> = map.free_cells().collect();
        let mut random = Random::new(AGENT_SEED);
        let anywhere = |random: &mut Random| free[random.below(free.len() as u32) as usize];
        let walks: Vec<Vec<Cell>> = (0..scene.targets)
            .map(|_| {
                let start = anywhere(&mut random);
                wander(&map, start, TICKS, &mut random)
            })
            .collect();
        let mut chasers: Vec<Chaser> = (0..scene.chasers)
            .map(|chaser| {
                let target = (chaser % scene.targets) as usize;
                let around = NEAREST..=FARTHEST;
                let start = loop {
                    let cell = anywhere(&mut random);
                    if around.contains(&cell.chebyshev(walks[target][0])) {
                        break cell;
                    }
                };
                Chaser { start, target }
            })
            .collect();
        chasers.sort_by_key(|chaser| chaser.target);
        let targets = (0..TICKS)
            .map(|tick| walks.iter().map(|walk| walk[tick]).collect())
            .collect();
        Self {
            scene,
            map,
            targets,
            chasers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_step_and_chasers_start_far() {
        let course = Course::new(Scene::ALL[0]);
        assert_eq!(course.chasers.len(), 1_000);
        for pair in course.targets.windows(2) {
            for (&before, &after) in pair[0].iter().zip(&pair[1]) {
                assert!(before == after || course.map.steps(before).any(|end| end == after));
            }
        }
        for chaser in &course.chasers {
            assert!(course.map.is_free(chaser.start));
            assert!(chaser.start.chebyshev(course.targets[0][chaser.target]) >= NEAREST);
        }
    }

    #[test]
    fn unknown_scene() {
        assert!(Scene::named("commons").is_err());
    }
}

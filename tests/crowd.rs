//! A crowd on a generated map: the world of the determinism tests, here so that they share it.

use bevy_app::App;
use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::NavPlugin;
use nav_grid::{Cell, Rules};
use nav_testing::Scene;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

/// Ticks that a run takes: ten seconds.
pub const TICKS: usize = 200;

const CHASERS: usize = 300;
const TARGETS: usize = 12;

/// 300 chasers after 12 targets that wander; some of the chasers chase each other, and now and
/// then a door closes or opens. The seed decides everything.
pub struct Crowd {
    /// The world, before its first tick.
    pub world: Scene,
    /// Those who chase.
    pub chasers: Vec<Entity>,
    targets: Vec<Entity>,
    ground: Vec<Cell>,
    random: Xoshiro256PlusPlus,
}

impl Crowd {
    /// The crowd of a seed.
    pub fn new(seed: u64) -> Self {
        let mut app = nav_testing::app();
        app.add_plugins(NavPlugin::default());
        Self::in_app(app, seed)
    }

    /// The crowd of a seed in an app that has the plugin.
    ///
    /// # Panics
    ///
    /// Never: the map is of a size and kind that can be made.
    pub fn in_app(app: App, seed: u64) -> Self {
        let grid = mapgen::generate(Kind::Mixed, 96, 96, seed).expect("a map of this size");
        let ground: Vec<Cell> = grid.walkable_cells().collect();
        let mut crowd = Self {
            world: Scene::with_app(app, grid),
            chasers: Vec::new(),
            targets: Vec::new(),
            ground,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        };
        for _ in 0..TARGETS {
            let at = crowd.anywhere();
            crowd.targets.push(crowd.world.target(at));
        }
        for n in 0..CHASERS {
            let target = match crowd.chasers.get(n / 2) {
                Some(&chaser) if n % 10 == 9 => chaser,
                _ => crowd.targets[n % TARGETS],
            };
            let at = crowd.anywhere();
            let chaser = crowd.world.chaser(at, target);
            crowd.chasers.push(chaser);
        }
        crowd
    }

    fn anywhere(&mut self) -> Cell {
        self.ground[self.random.random_range(0..self.ground.len() as u32) as usize]
    }

    /// One tick and its digest.
    pub fn tick(&mut self) -> u64 {
        for n in 0..self.targets.len() {
            match self.random.random_range(0..40_u32) {
                0 => {
                    let at = self.anywhere();
                    self.world.put(self.targets[n], at);
                }
                1..=8 => self.wander(n),
                _ => {}
            }
        }
        let door = self.anywhere();
        let open = self.random.random_bool(0.6);
        self.world.edit(door, open);
        self.world.tick(1);
        self.world.digest()
    }

    fn wander(&mut self, target: usize) {
        let target = self.targets[target];
        let from = self.world.cell(target);
        let map = self.world.get::<nav::NavMap>(self.world.map);
        let ways: Vec<_> = map
            .grid()
            .steps(from, Rules::default())
            .into_iter()
            .collect();
        if !ways.is_empty() {
            let way = ways[self.random.random_range(0..ways.len() as u32) as usize];
            if let Some(to) = from.step(way) {
                self.world.put(target, to);
            }
        }
    }

    /// The digest after each of [`TICKS`] ticks.
    pub fn run(mut self) -> Vec<u64> {
        (0..TICKS).map(|_| self.tick()).collect()
    }
}

//! Measures a pursuit against imagined pursuits of the same target.

use super::{
    flight::Flight,
    ground::Course,
    imagined::{Ghosts, Pack, beside, ring},
    setting::Setting,
    shares::Shares,
};
use bevy_app::App;
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, Chasing, NavDiagnostics, NavMap, OnMap, WorldPosition};
use nav_grid::{Cell, Direction, Grid, Rules};
use nav_sim::sim::clockwork;
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde::{Deserialize, Serialize};

/// Ticks per second: the default rate of scenarios.
const HZ: u32 = 20;
/// Ticks between steps of a default chaser.
const STEP_TICKS: u64 = 5;
/// Seconds before anything is counted: pursuers start up to eight cells away, which takes two
/// seconds. The rest is a guess.
const WARM_UP: u32 = 5;

/// The pursuers of a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pursuers {
    /// Number of pursuers.
    pub count: usize,
    /// Whether they have solid bodies. Otherwise they are ghosts.
    pub bodies: bool,
}

impl Pursuers {
    /// The pursuers of the table.
    pub const ALL: [Self; 5] = [
        Self::ghosts(1),
        Self::solid(1),
        Self::solid(2),
        Self::ghosts(30),
        Self::solid(30),
    ];

    /// Returns `count` pursuers without bodies.
    pub const fn ghosts(count: usize) -> Self {
        Self {
            count,
            bodies: false,
        }
    }

    /// Returns `count` pursuers with solid bodies.
    pub const fn solid(count: usize) -> Self {
        Self {
            count,
            bodies: true,
        }
    }

    /// Returns the name used in tables.
    pub fn name(self) -> String {
        let Self { count, bodies } = self;
        match (bodies, count) {
            (true, _) => format!("{count} solid"),
            (false, 1) => "1 ghost".to_owned(),
            (false, _) => format!("{count} ghosts"),
        }
    }
}

/// Measures pursuits on a course, one per seed. Each counts `seconds` seconds after the first five.
/// The seed also sets the phase of the target's steps within the chasers' period.
///
/// `update` runs one tick of the app: [`App::update`], optionally with checks around it.
pub fn pursue(
    course: Course,
    pursuers: Pursuers,
    setting: &Setting,
    seconds: u32,
    seeds: impl IntoIterator<Item = u64>,
    mut update: impl FnMut(&mut App),
) -> Shares {
    let (mut grid, start) = course.ground();
    setting.layer.lay(&mut grid);
    let mut shares = Shares::default();
    for seed in seeds {
        let flight = Flight::new(course.flight, start, seed);
        let mut pursuit = Pursuit::new(&grid, start, flight, (pursuers, setting), seed);
        shares.add(pursuit.run(seconds, &mut update));
    }
    shares
}

/// A pursuit, with the imagined pursuits of the same target.
struct Pursuit<'a> {
    grid: &'a Grid,
    bodies: bool,
    app: App,
    target: Entity,
    chasers: Vec<Entity>,
    /// Cells of the chasers.
    at: Vec<Cell>,
    turns: Turns,
    flight: Flight,
    random: Xoshiro256PlusPlus,
    ghosts: Ghosts,
    pack: Pack,
    pack_turns: Turns,
}

/// Counts the steps of a group, and those straight back to the previous cell.
struct Turns {
    /// Last step of each member.
    ways: Vec<Option<Direction>>,
    steps: u64,
    back: u64,
}

impl Turns {
    fn new(members: usize) -> Self {
        Self {
            ways: vec![None; members],
            steps: 0,
            back: 0,
        }
    }

    /// Counts the steps between the cells of all members before and after a tick.
    fn count(&mut self, before: &[Cell], after: &[Cell]) {
        for ((last, before), &after) in self.ways.iter_mut().zip(before).zip(after) {
            if let Some(way) = before.direction_to(after) {
                self.steps += 1;
                self.back += u64::from(last.is_some_and(|last| last.opposite() == way));
                *last = Some(way);
            }
        }
    }
}

impl<'a> Pursuit<'a> {
    fn new(
        grid: &'a Grid,
        start: Cell,
        flight: Flight,
        (pursuers, setting): (Pursuers, &Setting),
        seed: u64,
    ) -> Self {
        let mut app = clockwork(HZ, 1);
        let world = app.world_mut();
        let map = world.spawn(NavMap::new(grid.clone())).id();
        let target = world.spawn((OnMap(map), CellPosition::at(start))).id();
        let at = around(grid, start, pursuers.count, seed);
        let mut chasers = Vec::with_capacity(at.len());
        for &cell in &at {
            let place = (OnMap(map), CellPosition::at(cell));
            let mut chaser = world.spawn((setting.chaser, place, Chasing(target)));
            if pursuers.bodies {
                chaser.insert(Body::default());
            }
            chasers.push(chaser.id());
        }
        Self {
            grid,
            bodies: pursuers.bodies,
            app,
            target,
            turns: Turns::new(chasers.len()),
            pack_turns: Turns::new(chasers.len()),
            chasers,
            flight,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            ghosts: Ghosts(at.clone()),
            pack: Pack::new(at.clone(), start),
            at,
        }
    }

    fn run(&mut self, seconds: u32, update: &mut impl FnMut(&mut App)) -> Shares {
        let warm_up = u64::from(WARM_UP * HZ);
        let mut shares = Shares::default();
        let mut searches = 0;
        for tick in 0..warm_up + u64::from(seconds * HZ) {
            let [x, y] = (self.flight).tick(self.grid, &mut self.random, &self.at, tick);
            let place = WorldPosition([x, 0.0, y]);
            self.app.world_mut().entity_mut(self.target).insert(place);
            update(&mut self.app);
            let target = self.cell(self.target);
            if tick == warm_up {
                searches = self.searches();
                for turns in [&mut self.turns, &mut self.pack_turns] {
                    (turns.steps, turns.back) = (0, 0);
                }
            }
            if tick.is_multiple_of(STEP_TICKS) {
                self.ghosts.step(self.grid, target);
                let before = self.pack.places.clone();
                self.pack.step(self.grid, target);
                self.pack_turns.count(&before, &self.pack.places);
            }
            let now: Vec<Cell> = self.chasers.iter().map(|&one| self.cell(one)).collect();
            self.turns.count(&self.at, &now);
            self.at = now;
            if tick >= warm_up {
                shares.add(self.look(target));
            }
        }
        (shares.steps, shares.back) = (self.turns.steps, self.turns.back);
        (shares.pack_steps, shares.pack_back) = (self.pack_turns.steps, self.pack_turns.back);
        shares.searches = self.searches() - searches;
        shares.seconds = u64::from(seconds) * self.chasers.len() as u64;
        shares
    }

    fn cell(&self, agent: Entity) -> Cell {
        let place = self.app.world().get::<CellPosition>(agent);
        place.map_or_else(Cell::default, |place| place.cell)
    }

    fn searches(&self) -> u64 {
        let diagnostics = self.app.world().get_resource::<NavDiagnostics>();
        diagnostics.map_or(0, |diagnostics| diagnostics.total.searches())
    }

    /// Counts the pursuers beside a target.
    fn look(&self, target: Cell) -> Shares {
        let all = self.chasers.len();
        let room = if self.bodies {
            ring(self.grid, target).len().min(all)
        } else {
            all
        };
        Shares {
            beside: beside(self.grid, &self.at, target).min(room) as u64,
            ghosts: self.ghosts.beside(self.grid, target).min(room) as u64,
            pack: self.pack.beside(self.grid, target).min(room) as u64,
            room: room as u64,
            ..Shares::default()
        }
    }
}

/// Returns `count` start cells on one side of the target: the nearest to a cell six cells from it.
fn around(grid: &Grid, start: Cell, count: usize, seed: u64) -> Vec<Cell> {
    let way = Direction::ALL[(seed % 8) as usize].delta();
    let camp = Cell::new(
        (i32::from(start.x) + 6 * way.0) as u16,
        (i32::from(start.y) + 6 * way.1) as u16,
    );
    let mut cells: Vec<Cell> = (0..9 * 9)
        .map(|n| Cell::new(camp.x + n % 9 - 4, camp.y + n / 9 - 4))
        .filter(|&cell| {
            let ways = grid.steps(cell, Rules::default());
            grid.is_walkable(cell) && !ways.is_empty() && cell.chebyshev(start) > 2
        })
        .collect();
    cells.sort_by_key(|cell| (cell.chebyshev(camp), *cell));
    cells.truncate(count);
    cells
}

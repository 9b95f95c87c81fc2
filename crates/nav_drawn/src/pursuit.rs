//! Ghosts with default tuning after walking targets, compared with a chaser that knows all ways.

use super::{
    defaults::Terrain,
    draw::Draw,
    near::way_to,
    ways::{Ways, is_in_reach},
};
use bevy_ecs::prelude::*;
use nav::{CellPosition, Chaser, Chasing, NavTimer};
use nav_grid::{Cell, Footprint, Grid, Rules};
use nav_testing::{STEP_TICKS, Scene as TestWorld, TICK_RATE, oracle};
use std::collections::BTreeMap;

/// The movement of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Walk {
    /// Around its first cell, no more than a cell away.
    Paces,
    /// The same, with a step every other second.
    Dawdles,
    /// From one place to another.
    Roams,
    /// The same, at nearly three quarters of the speed of its chasers.
    Flees,
}

impl Walk {
    const ALL: [Self; 4] = [Self::Paces, Self::Dawdles, Self::Roams, Self::Flees];
}

/// The results of the chases of a walking target.
#[derive(Clone, Debug)]
pub struct Pursuit {
    /// The ground.
    pub terrain: Terrain,
    /// The movement of the target.
    pub walk: Walk,
    /// Judged chasers: from their start, a chaser that knows all ways would catch the target.
    pub able: usize,
    /// Descriptions of those among them that took too long or did not stay, with the time of
    /// arrival and the possible one.
    pub late: Vec<String>,
}

/// Ticks after an arrival in which the chaser must stay beside its target.
const AFTER: u64 = 20 * TICK_RATE;

/// The chase of one chaser.
struct Chase {
    chaser: Entity,
    /// The cell where it starts.
    from: Cell,
    /// The tick in which a chaser that knows all ways would be beside the target.
    could: Option<u64>,
    /// The tick and cell of its arrival.
    came: Option<(u64, Cell)>,
    /// Ticks beside the target, of the [`AFTER`] ones that begin with the arrival.
    stays: u64,
}

impl Chase {
    /// Returns the last tick in which an arrival is not late.
    fn limit(&self) -> Option<u64> {
        self.could.map(|could| could * 3 / 2 + 3 * TICK_RATE)
    }

    /// Counts a tick in which the chaser is beside the target.
    fn count(&mut self, tick: u64, at: Cell) {
        let (began, _) = *self.came.get_or_insert((tick, at));
        self.stays += u64::from(tick < began + AFTER);
    }

    /// Describes a chaser that did not stay beside its target for nine tenths of the time in which
    /// one that knows all ways would have been there.
    fn left(&self, knowing: &mut Knowing<'_>, places: &[Cell]) -> Option<String> {
        let Self { from, stays, .. } = self;
        let (came, at) = self.came?;
        let most = knowing.ticks_beside(at, &places[came as usize..(came + AFTER) as usize]);
        (stays * 10 < most * 9)
            .then(|| format!("{from}: from tick {came} on {stays} of {most} ticks beside it"))
    }

    /// Describes a chaser that came late, or not at all.
    fn late(&self, world: &TestWorld, first: Cell) -> Option<String> {
        let (could, came) = (self.could?, self.came.map(|(tick, _)| tick));
        if came.is_some() && came <= self.limit() {
            return None;
        }
        let cursor = world.cursor(self.chaser);
        Some(format!(
            "{} after {first}: came {came:?}, could {could}, now {} {:?} {:?}, {} failures",
            self.from,
            world.cell(self.chaser),
            cursor.state(),
            cursor.guidance(),
            world.get::<NavTimer>(self.chaser).failures(),
        ))
    }
}

/// Draws the world of a seed in which ghosts chase a walking target, and plays it until all are
/// beside it, or late.
pub fn pursue(seed: u64) -> Pursuit {
    let mut draw = Draw::new(seed);
    let terrain = Terrain::ALL[(seed % 9) as usize];
    let walk = Walk::ALL[(seed / 9 % 4) as usize];
    let grid = terrain.grid(&mut draw);
    let ground: Vec<Cell> = grid.walkable_cells().collect();
    let first = draw.one_of(&ground);
    let (count, step_ticks) = match walk {
        Walk::Paces => (draw.number(1, 4), 7),
        Walk::Dawdles => (draw.number(1, 4), 2 * TICK_RATE),
        Walk::Roams => (draw.number(1, 12), 8),
        Walk::Flees => (draw.number(1, 12), 7),
    };
    let starts: Vec<Cell> = (0..count).map(|_| draw.one_of(&ground)).collect();
    // The target's place at each tick does not depend on its chasers.
    let ticks = 240 * TICK_RATE;
    let places = places_of(&mut draw, walk, &grid, (first, step_ticks, ticks));
    let mut world = TestWorld::on(grid.clone());
    let map = nav::OnMap(world.map);
    let app = world.world();
    let target = app.spawn((CellPosition::at(first), map)).id();
    let ways = Ways::of(&grid, Rules::default());
    let mut knowing = Knowing::new(&ways, &grid);
    let mut chases: Vec<Chase> = Vec::new();
    for from in starts {
        let place = (CellPosition::at(from), map);
        chases.push(Chase {
            chaser: app.spawn((Chaser::default(), Chasing(target), place)).id(),
            from,
            could: knowing.catches(from, &places),
            came: None,
            stays: 0,
        });
    }
    let latest = chases.iter().filter_map(Chase::limit).max();
    let end = (latest.unwrap_or(0) + 1).min(ticks - AFTER);
    for (tick, &place) in (0..end + AFTER).zip(&places) {
        world.put(target, place);
        world.tick(1);
        for chase in &mut chases {
            let at = world.cell(chase.chaser);
            if knowing.is_beside(at, place) {
                chase.count(tick, at);
            }
        }
    }
    let mut pursuit = Pursuit {
        terrain,
        walk,
        able: 0,
        late: Vec::new(),
    };
    for chase in chases {
        if chase.limit().is_some_and(|limit| limit < end) {
            pursuit.able += 1;
            pursuit.late.extend(chase.left(&mut knowing, &places));
            pursuit.late.extend(chase.late(&world, first));
        }
    }
    pursuit
}

/// Returns the cell of a target at each tick, from its first cell, the ticks of a step, and the
/// number of ticks.
pub(super) fn places_of(
    draw: &mut Draw,
    walk: Walk,
    grid: &Grid,
    (first, step_ticks, ticks): (Cell, u64, u64),
) -> Vec<Cell> {
    let ground: Vec<Cell> = grid.walkable_cells().collect();
    let mut places = vec![first];
    let mut way: Vec<Cell> = Vec::new();
    while (places.len() as u64) < ticks {
        let at = places[places.len() - 1];
        let next = if matches!(walk, Walk::Roams | Walk::Flees) {
            while way.is_empty() {
                let goal = draw.one_of(&ground);
                way = way_to(grid, at, goal);
                if goal == at || way.is_empty() {
                    break;
                }
            }
            way.pop().unwrap_or(at)
        } else {
            let near: Vec<Cell> = oracle::steps(grid, Rules::default(), at)
                .filter(|to| to.chebyshev(first) <= 1)
                .collect();
            if near.is_empty() {
                at
            } else {
                draw.one_of(&near)
            }
        };
        let stays = std::iter::repeat_n(at, step_ticks as usize - 1);
        places.extend(stays);
        places.push(next);
    }
    places
}

/// A chaser that knows all ways, but not where its target will go.
pub(super) struct Knowing<'a> {
    ways: &'a Ways,
    grid: &'a Grid,
    /// The cost of the way from every cell, to each place that a target was at.
    left: BTreeMap<Cell, Vec<Option<u64>>>,
}

impl<'a> Knowing<'a> {
    pub(super) fn new(ways: &'a Ways, grid: &'a Grid) -> Self {
        let left = BTreeMap::new();
        Self { ways, grid, left }
    }

    pub(super) fn is_beside(&self, at: Cell, place: Cell) -> bool {
        at == place || is_in_reach(self.grid, Footprint::ONE, at, place)
    }

    /// Returns how many of some bodies are beside a target.
    pub(super) fn count_beside(&self, bodies: &[Cell], place: Cell) -> usize {
        let bodies = bodies.iter();
        bodies.filter(|&&at| self.is_beside(at, place)).count()
    }

    /// Returns the cost of the way from every cell to a place.
    fn costs_to(&mut self, place: Cell) -> &[Option<u64>] {
        let left = self.left.entry(place);
        left.or_insert_with(|| self.ways.costs_to(place))
    }

    /// Returns the cost of the way from a cell to a place, if there is one.
    pub(super) fn cost(&mut self, at: Cell, place: Cell) -> Option<u64> {
        let number = self.ways.number(at)?;
        self.costs_to(place)[number]
    }

    /// Returns the cell of its next step toward a place, if there is one.
    pub(super) fn step(&mut self, at: Cell, place: Cell) -> Option<Cell> {
        let (ways, grid) = (self.ways, self.grid);
        let left = self.costs_to(place);
        let rules = Rules::default();
        let moves = oracle::moves(grid, rules, at);
        let to = moves.filter_map(|to| {
            let left = left[ways.number(to)?]?;
            Some((left + u64::from(grid.move_cost(at, to, rules)?), to))
        });
        to.min_by_key(|&(cost, _)| cost).map(|(_, to)| to)
    }

    /// Returns the tick in which it would be beside a target.
    fn catches(&mut self, from: Cell, places: &[Cell]) -> Option<u64> {
        let mut at = from;
        for (tick, &place) in (0..).zip(places) {
            if self.is_beside(at, place) {
                return Some(tick);
            }
            if tick % STEP_TICKS == 0 {
                at = self.step(at, place)?;
            }
        }
        None
    }

    /// Returns the number of ticks that it would be beside its target.
    fn ticks_beside(&mut self, from: Cell, places: &[Cell]) -> u64 {
        let mut at = from;
        let mut ticks = 0;
        for (tick, &place) in (0..).zip(places) {
            if self.is_beside(at, place) {
                ticks += 1;
            } else if tick % STEP_TICKS == 0 {
                at = self.step(at, place).unwrap_or(at);
            }
        }
        ticks
    }
}

//! Worlds in which everything is as it comes: a map that nobody prepared, chasers that nobody tuned.

use super::{
    draw::Draw,
    ground::{Canvas, Layer, Shape, lay},
    near::way_to,
};
use crate::TestWorld;
use bevy_ecs::prelude::*;
use nav::{Body, BodyKind, CellPosition, Chaser, Chasing, NavTimer};
use nav_grid::{Cell, Footprint, Grid, Rules};
use nav_testing::oracle::{self, Goal};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The ground of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Terrain {
    /// No walls.
    Open,
    /// Single walls.
    Clutter,
    /// Rooms and doors.
    Rooms,
    /// Caves and tunnels.
    Caves,
    /// Corridors of one cell.
    Maze,
    /// Step costs, among walls.
    Costs,
    /// One-way ground, among walls.
    Exits,
    /// Links, among walls.
    Links,
    /// Two floors and stairs.
    Floors,
}

impl Terrain {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Open,
        Self::Clutter,
        Self::Rooms,
        Self::Caves,
        Self::Maze,
        Self::Costs,
        Self::Exits,
        Self::Links,
        Self::Floors,
    ];

    /// Draws a map of 24 to 96 cells a side.
    fn grid(self, draw: &mut Draw) -> Grid {
        let kind = match self {
            Self::Caves => Some(mapgen::Kind::Caves),
            Self::Maze => Some(mapgen::Kind::Maze),
            _ => None,
        };
        let (width, height) = (draw.number(24, 96), draw.number(24, 96));
        if let Some(kind) = kind {
            return mapgen::generate(kind, width, height, draw.seed()).expect("sides of a map");
        }
        let shape = match self {
            Self::Open => Shape::Open,
            Self::Clutter => Shape::Clutter,
            Self::Rooms => Shape::Rooms,
            _ => draw.one_of(&[Shape::Clutter, Shape::Rooms, Shape::Rooms]),
        };
        let layer = match self {
            Self::Costs => draw.one_of(&[Layer::Patches, Layer::Costs]),
            Self::Exits => Layer::Exits,
            Self::Links => Layer::Links,
            Self::Floors => Layer::Storeys,
            _ => Layer::Plain,
        };
        let floors = if layer == Layer::Storeys { 2 } else { 1 };
        let canvas = Canvas::new(draw, shape, floors);
        let mut grid = canvas.to_grid();
        lay(draw, &canvas, layer, &[], &mut grid);
        grid
    }
}

/// What the chasers of a world are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Company {
    /// Chasers without bodies.
    Ghosts,
    /// Soft bodies.
    Soft,
    /// Solid bodies.
    Solid,
}

/// A world in which everything is as it comes, and how its chases went.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its ground.
    pub terrain: Terrain,
    /// Chasers that the map lets arrive.
    pub able: usize,
    /// Of these, chasers that did not: where they began and stand, where their targets are, and how
    /// they are.
    pub short: Vec<String>,
    /// The longest time that one of the able stood still without being in reach, in ticks.
    pub stalled: u64,
}

/// Ticks of a step by default.
const STEP_TICKS: u64 = crate::TICK_RATE / 4;

/// Ticks in which maps get prepared and searches their turn: half a minute.
const LOOK_TICKS: u64 = 30 * crate::TICK_RATE;

/// Draws the world of a seed, with standing targets, and plays it until all are beside them or should
/// be.
pub fn play(seed: u64, company: Company) -> Outcome {
    let mut draw = Draw::new(seed);
    let terrain = Terrain::ALL[(seed % 9) as usize];
    let grid = terrain.grid(&mut draw);
    let ground: Vec<Cell> = grid.walkable_cells().collect();
    let targets: Vec<Cell> = (0..draw.number(1, 4))
        .map(|_| draw.one_of(&ground))
        .collect();
    let mut taken: BTreeSet<Cell> = targets.iter().copied().collect();
    let mut starts = Vec::new();
    // At most half as many bodies as the rings have room for.
    let most = match company {
        Company::Ghosts => draw.number(4, 60).into(),
        _ => targets.len() * 2,
    };
    for nth in 0..most {
        let at = draw.one_of(&ground);
        if company == Company::Ghosts || taken.insert(at) {
            starts.push((at, nth % targets.len()));
        }
    }
    let mut world = TestWorld::on(grid.clone());
    let map = nav::OnMap(world.map);
    let app = world.world();
    let targets: Vec<(Entity, Cell)> = targets
        .into_iter()
        .map(|at| (app.spawn((CellPosition::at(at), map)).id(), at))
        .collect();
    let chasers: Vec<(Entity, Cell, Cell)> = starts
        .into_iter()
        .map(|(at, of)| {
            let (target, place) = targets[of];
            let parts = (
                Chaser::default(),
                Chasing(target),
                CellPosition::at(at),
                map,
            );
            let mut chaser = app.spawn(parts);
            if company != Company::Ghosts {
                let kind = if company == Company::Soft {
                    BodyKind::Soft
                } else {
                    BodyKind::Solid
                };
                chaser.insert(Body {
                    kind,
                    ..Body::default()
                });
            }
            (chaser.id(), at, place)
        })
        .collect();
    let ways = Ways::of(&grid);
    let to_places: BTreeMap<Cell, Vec<Option<u64>>> = targets
        .iter()
        .map(|&(_, place)| {
            let beside = ground.iter().filter(|&&at| is_in_reach(&grid, at, place));
            // Nobody passes through the place, but may begin on it.
            (place, ways.to(beside.copied(), |at| at != place))
        })
        .collect();
    let steps = |at: Cell, place: Cell| to_places[&place][ways.numbers[&at]];
    let able: Vec<_> = chasers
        .into_iter()
        .filter(|&(_, at, place)| steps(at, place).is_some())
        .collect();
    let longest = able
        .iter()
        .filter_map(|&(_, at, place)| steps(at, place))
        .max();
    // A step takes five ticks, on any ground; half as long again, and time to look around.
    let ticks = longest.unwrap_or(0) * STEP_TICKS * 3 / 2 + LOOK_TICKS;
    let mut last: Vec<(Cell, u64)> = able.iter().map(|&(_, at, _)| (at, 0)).collect();
    let mut stalled = 0;
    for tick in 0..ticks {
        world.tick(1);
        let mut is_over = true;
        for (&(chaser, _, place), (before, since)) in able.iter().zip(&mut last) {
            let at = world.cell(chaser);
            if at != *before || is_in_reach(&grid, at, place) {
                (*before, *since) = (at, tick);
            }
            is_over &= is_in_reach(&grid, at, place);
            stalled = stalled.max(tick - *since);
        }
        if is_over {
            break;
        }
    }
    let short = short_of(&world, &grid, &able);
    Outcome {
        terrain,
        able: able.len(),
        short,
        stalled,
    }
}

/// How a target walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Walk {
    /// About its first cell, no more than a cell away.
    Paces,
    /// A step of the same every other second.
    Dawdles,
    /// From one place to another.
    Roams,
}

/// How the chases of a walking target went.
#[derive(Clone, Debug)]
pub struct Pursuit {
    /// The ground.
    pub terrain: Terrain,
    /// How the target walks.
    pub walk: Walk,
    /// Chasers that are judged: one that knows all ways would catch it from there.
    pub able: usize,
    /// Of these, chasers that took too long: when they came and when they could have.
    pub late: Vec<String>,
}

/// Draws the world of a seed in which ghosts chase a walking target, and plays it until all are
/// beside it, or late.
pub fn pursue(seed: u64) -> Pursuit {
    let mut draw = Draw::new(seed);
    let terrain = Terrain::ALL[(seed % 9) as usize];
    let walk = [Walk::Paces, Walk::Dawdles, Walk::Roams][(seed / 9 % 3) as usize];
    let grid = terrain.grid(&mut draw);
    let ground: Vec<Cell> = grid.walkable_cells().collect();
    let first = draw.one_of(&ground);
    let (count, step_ticks) = match walk {
        Walk::Paces => (draw.number(1, 4), 7),
        Walk::Dawdles => (draw.number(1, 4), 2 * crate::TICK_RATE),
        Walk::Roams => (draw.number(1, 12), 8),
    };
    let starts: Vec<Cell> = (0..count).map(|_| draw.one_of(&ground)).collect();
    // Where the target is at each tick, whatever its chasers do.
    let ticks = 240 * crate::TICK_RATE;
    let places = places_of(&mut draw, walk, &grid, (first, step_ticks, ticks));
    let mut world = TestWorld::on(grid.clone());
    let map = nav::OnMap(world.map);
    let app = world.world();
    let target = app.spawn((CellPosition::at(first), map)).id();
    let spawn = |at: &Cell| {
        let parts = (
            Chaser::default(),
            Chasing(target),
            CellPosition::at(*at),
            map,
        );
        (app.spawn(parts).id(), *at)
    };
    let chasers: Vec<(Entity, Cell)> = starts.iter().map(spawn).collect();
    let ways = Ways::of(&grid);
    let could: Vec<Option<u64>> = chasers
        .iter()
        .map(|&(_, from)| ways.catches(&grid, from, &places))
        .collect();
    let limit = |could: u64| could * 3 / 2 + 3 * crate::TICK_RATE;
    let latest = could
        .iter()
        .flatten()
        .map(|&could| limit(could))
        .max()
        .unwrap_or(0);
    let end = (latest + 1).min(ticks);
    let mut came: Vec<Option<u64>> = vec![None; chasers.len()];
    for tick in 0..end {
        world.put(target, places[tick as usize]);
        world.tick(1);
        for (nth, &(chaser, _)) in chasers.iter().enumerate() {
            let at = world.cell(chaser);
            if at == places[tick as usize] || is_in_reach(&grid, at, places[tick as usize]) {
                came[nth].get_or_insert(tick);
            }
        }
    }
    let mut pursuit = Pursuit {
        terrain,
        walk,
        able: 0,
        late: Vec::new(),
    };
    for (nth, &(chaser, from)) in chasers.iter().enumerate() {
        let Some(could) = could[nth].filter(|&could| limit(could) < end) else {
            continue;
        };
        pursuit.able += 1;
        let cursor = world.cursor(chaser);
        if came[nth].is_none_or(|came| came > limit(could)) {
            pursuit.late.push(format!(
                "{from} after {first}: came {:?}, could {could}, now {} {:?} {:?}, {} failures",
                came[nth],
                world.cell(chaser),
                cursor.state(),
                cursor.guidance(),
                world.get::<NavTimer>(chaser).failures(),
            ));
        }
    }
    pursuit
}

/// Where a target is at each tick, by its first cell, the ticks of a step and of all.
fn places_of(
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
        let next = if walk == Walk::Roams {
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

/// All moves of a map, turned round.
struct Ways {
    cells: Vec<Cell>,
    numbers: BTreeMap<Cell, usize>,
    back: Vec<Vec<usize>>,
}

impl Ways {
    fn of(grid: &Grid) -> Self {
        let cells: Vec<Cell> = grid.walkable_cells().collect();
        let numbers: BTreeMap<Cell, usize> = cells
            .iter()
            .enumerate()
            .map(|(nth, &cell)| (cell, nth))
            .collect();
        let mut back = vec![Vec::new(); cells.len()];
        for (nth, &from) in cells.iter().enumerate() {
            for to in oracle::moves(grid, Rules::default(), from) {
                if let Some(&to) = numbers.get(&to) {
                    back[to].push(nth);
                }
            }
        }
        Self {
            cells,
            numbers,
            back,
        }
    }

    /// The moves from every cell to the nearest of some ends, by cells that let others pass.
    fn to(
        &self,
        ends: impl IntoIterator<Item = Cell>,
        lets_pass: impl Fn(Cell) -> bool,
    ) -> Vec<Option<u64>> {
        let mut moves = vec![None; self.cells.len()];
        let mut queue: VecDeque<(usize, u64)> = VecDeque::new();
        for end in ends {
            moves[self.numbers[&end]] = Some(0);
            queue.push_back((self.numbers[&end], 0));
        }
        while let Some((at, before)) = queue.pop_front() {
            if !lets_pass(self.cells[at]) {
                continue;
            }
            for &from in &self.back[at] {
                if moves[from].is_none() {
                    moves[from] = Some(before + 1);
                    queue.push_back((from, before + 1));
                }
            }
        }
        moves
    }

    /// When a chaser would be beside a target that knows all ways, but not where the target goes.
    fn catches(&self, grid: &Grid, from: Cell, places: &[Cell]) -> Option<u64> {
        let mut at = from;
        let to = |place| self.to([place], |_| true);
        let mut ways = (from, to(from));
        for (tick, &place) in (0..).zip(places) {
            if at == place || is_in_reach(grid, at, place) {
                return Some(tick);
            }
            if tick % STEP_TICKS == 0 {
                if ways.0 != place {
                    ways = (place, to(place));
                }
                let left = |cell: &Cell| ways.1[self.numbers[cell]].unwrap_or(u64::MAX);
                let moves = oracle::moves(grid, Rules::default(), at);
                at = moves.min_by_key(left).filter(|to| left(to) < left(&at))?;
            }
        }
        None
    }
}

/// What is to be said of chasers that are not in reach.
fn short_of(world: &TestWorld, grid: &Grid, able: &[(Entity, Cell, Cell)]) -> Vec<String> {
    let short = able.iter().filter_map(|&(chaser, from, place)| {
        let at = world.cell(chaser);
        let (cursor, timer) = (world.cursor(chaser), world.get::<NavTimer>(chaser));
        let how = (
            cursor.state(),
            cursor.guidance(),
            cursor.path().len(),
            timer.failures(),
        );
        let text = || {
            format!(
                "{from} to {at}, after {place}: {how:?} {:?} {:?} map {:?}",
                world.failures(chaser),
                timer,
                grid.size()
            )
        };
        (!is_in_reach(grid, at, place)).then(text)
    });
    short.collect()
}

fn is_in_reach(grid: &Grid, at: Cell, place: Cell) -> bool {
    let goal = Goal {
        cell: place,
        body: Footprint::ONE,
        is_entered: false,
    };
    at != place && oracle::is_within_reach(grid, &Chaser::default(), at, goal)
}

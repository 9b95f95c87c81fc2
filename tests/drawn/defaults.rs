//! Worlds with defaults only: an unprepared map and untuned chasers.

use super::{
    draw::Draw,
    ground::{Canvas, Layer, Shape, lay},
    ways::{Ways, is_in_reach},
};
use crate::TestWorld;
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, Chaser, Chasing, NavTimer};
use nav_grid::{
    Area, Cell, Footprint, Grid, Rules,
    rules::{Class, ClassCosts},
};
use std::collections::{BTreeMap, BTreeSet};

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
    /// All kinds of ground.
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
    pub(super) fn grid(self, draw: &mut Draw) -> Grid {
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

/// The kind of chasers of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Company {
    /// Chasers without bodies.
    Ghosts,
    /// Soft bodies of one cell.
    Soft,
    /// Solid bodies of one cell.
    Solid,
    /// Solid bodies of one to three cells a side.
    Sizes,
    /// Chasers without bodies that may not enter water, and avoid roads. The ground has lakes and roads.
    Beasts,
}

impl Company {
    fn rules(self) -> Rules {
        let classes = match self {
            Self::Beasts => ClassCosts::ALL.without(WATER).with(ROAD, 3),
            _ => ClassCosts::ALL,
        };
        Rules::default().with_classes(classes)
    }
}

const WATER: Class = Class::new(1).unwrap();
const ROAD: Class = Class::new(2).unwrap();

/// Draws lakes and roads onto a map.
fn flood(draw: &mut Draw, grid: &mut Grid) {
    let size = grid.size();
    for _ in 0..draw.number(1, 14) {
        let class = draw.one_of(&[WATER, ROAD]);
        let first = Cell::new(
            draw.number(0, size.width - 1),
            draw.number(0, size.height - 1),
        );
        let (columns, rows) = (draw.number(0, 12), draw.number(0, 12));
        let last = Cell::new(
            (first.x + columns).min(size.width - 1),
            (first.y + rows).min(size.height - 1),
        );
        let floor = draw.below(size.floors.into()) as u8;
        let area = Area::new(first.on_floor(floor), last);
        grid.set_class(area, class).expect("an area of the map");
    }
}

/// A world with defaults only, and the results of its chases.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its ground.
    pub terrain: Terrain,
    /// Chasers that can arrive on this map.
    pub able: usize,
    /// Descriptions of the chasers among them that did not arrive: start, place, target and state.
    pub short: Vec<String>,
    /// The longest time that one of the able chasers stood still out of reach, in ticks.
    pub stalled: u64,
}

/// Ticks of a step by default.
pub(super) const STEP_TICKS: u64 = crate::TICK_RATE / 4;

/// Ticks allowed for preparing maps and waiting for searches: half a minute.
const LOOK_TICKS: u64 = 30 * crate::TICK_RATE;

/// The start of a chaser.
#[derive(Clone, Copy)]
struct Start {
    at: Cell,
    /// The cell of its target.
    place: Cell,
    side: u8,
}

impl Start {
    fn footprint(self) -> Footprint {
        side(self.side)
    }
}

fn side(side: u8) -> Footprint {
    Footprint::new(side).expect("a side of 1 to 3 cells")
}

/// The ground of a world, and the moves left to a target from each cell, by its cell and the side of the chaser.
struct Left {
    ways: Vec<Ways>,
    to_places: BTreeMap<(Cell, u8), Vec<Option<u64>>>,
}

impl Left {
    fn of(grid: &Grid, rules: Rules, targets: &[Cell], sides: u8) -> Self {
        let ways = (1..=sides).map(|of| Ways::of(grid, rules.with_footprint(side(of))));
        let ways: Vec<Ways> = ways.collect();
        let mut to_places = BTreeMap::new();
        for (of, ways) in (1..).zip(&ways) {
            for &place in targets {
                // The target's cell cannot be passed through, but a chaser may begin on it.
                let lets_pass = |at| !ways.covers(at, place);
                to_places.insert((place, of), ways.to(ways.places(grid, place), lets_pass));
            }
        }
        Self { ways, to_places }
    }

    fn moves(&self, start: Start) -> Option<u64> {
        let numbers = &self.ways[usize::from(start.side) - 1].numbers;
        self.to_places[&(start.place, start.side)][numbers[&start.at]]
    }
}

/// Draws the world of a seed, with standing targets, and plays it until all chasers are beside them or should be.
pub fn play(seed: u64, company: Company) -> Outcome {
    let mut draw = Draw::new(seed);
    let terrain = Terrain::ALL[(seed % 9) as usize];
    let mut grid = terrain.grid(&mut draw);
    if company == Company::Beasts {
        flood(&mut draw, &mut grid);
    }
    let rules = company.rules();
    let ground: Vec<Cell> = grid.walkable_cells().collect();
    let mut targets: Vec<Cell> = (0..draw.number(1, 4))
        .map(|_| draw.one_of(&ground))
        .collect();
    let sides = if company == Company::Sizes { 3 } else { 1 };
    if company != Company::Ghosts {
        // Targets are far enough apart that their rings do not meet.
        let mut apart: Vec<Cell> = Vec::new();
        targets.retain(|&at| {
            let is_apart = apart
                .iter()
                .all(|other| other.floor != at.floor || other.chebyshev(at) > 8);
            apart.extend(is_apart.then_some(at));
            is_apart
        });
    }
    let left = Left::of(&grid, rules, &targets, sides);
    let starts = match company {
        Company::Ghosts | Company::Beasts => (0..draw.number(4, 60))
            .map(|nth| Start {
                at: draw.one_of(&left.ways[0].cells),
                place: targets[usize::from(nth) % targets.len()],
                side: 1,
            })
            .collect(),
        _ => draw_bodies(&mut draw, &grid, &left, &targets),
    };
    let mut world = TestWorld::on(grid.clone());
    let map = nav::OnMap(world.map);
    let app = world.world();
    let targets: BTreeMap<Cell, Entity> = targets
        .into_iter()
        .map(|at| (at, app.spawn((CellPosition::at(at), map)).id()))
        .collect();
    let spawn = |start: Start| {
        let chasing = Chasing(targets[&start.place]);
        let tuning = Chaser {
            rules,
            ..Chaser::default()
        };
        let mut chaser = app.spawn((tuning, chasing, CellPosition::at(start.at), map));
        let footprint = start.footprint();
        match company {
            Company::Ghosts | Company::Beasts => {}
            Company::Soft => drop(chaser.insert(Body::soft(footprint))),
            Company::Solid | Company::Sizes => drop(chaser.insert(Body::solid(footprint))),
        }
        (chaser.id(), start)
    };
    let able: Vec<(Entity, Start)> = starts
        .into_iter()
        .map(spawn)
        .filter(|&(_, start)| left.moves(start).is_some())
        .collect();
    let longest = able
        .iter()
        .filter_map(|&(_, start)| left.moves(start))
        .max();
    // A step takes five ticks on any ground; half as much again, and time to look around.
    let ticks = longest.unwrap_or(0) * STEP_TICKS * 3 / 2 + LOOK_TICKS;
    let mut last: Vec<(Cell, u64)> = able.iter().map(|&(_, start)| (start.at, 0)).collect();
    let mut stalled = 0;
    for tick in 0..ticks {
        world.tick(1);
        let mut is_over = true;
        for (&(chaser, start), (before, since)) in able.iter().zip(&mut last) {
            let at = world.cell(chaser);
            let is_there = is_in_reach(&grid, start.footprint(), at, start.place);
            if at != *before || is_there {
                (*before, *since) = (at, tick);
            }
            is_over &= is_there;
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

/// Draws the starts of bodies: beside each target at most half the cells that bodies of one cell can reach are taken,
/// and at least one body is admitted.
fn draw_bodies(draw: &mut Draw, grid: &Grid, left: &Left, targets: &[Cell]) -> Vec<Start> {
    let mut taken: BTreeSet<Cell> = targets.iter().copied().collect();
    let mut starts = Vec::new();
    let small = &left.ways[0];
    for &place in targets {
        let ring = small.places(grid, place);
        let to_each: Vec<_> = ring
            .map(|beside| small.to([beside], |at| at != place))
            .collect();
        let mut cells = 0;
        for _ in 0..8 {
            let side = draw.number(1, left.ways.len() as u16) as u8;
            let ways = &left.ways[usize::from(side) - 1];
            if ways.cells.is_empty() {
                continue;
            }
            let start = Start {
                at: draw.one_of(&ways.cells),
                place,
                side,
            };
            let number = small.numbers[&start.at];
            let room = to_each
                .iter()
                .filter(|moves| moves[number].is_some())
                .count();
            let is_first = cells == 0;
            cells += usize::from(side);
            let own: Vec<Cell> = start.footprint().area(start.at).cells().collect();
            if (is_first || cells * 2 <= room)
                && left.moves(start).is_some()
                && own.iter().all(|cell| !taken.contains(cell))
            {
                taken.extend(own);
                starts.push(start);
            } else {
                cells -= usize::from(side);
            }
        }
    }
    starts
}

/// Describes the chasers that are not in reach.
fn short_of(world: &TestWorld, grid: &Grid, able: &[(Entity, Start)]) -> Vec<String> {
    let short = able.iter().filter_map(|&(chaser, start)| {
        let at = world.cell(chaser);
        let (cursor, timer) = (world.cursor(chaser), world.get::<NavTimer>(chaser));
        let how = (
            cursor.state(),
            cursor.guidance(),
            cursor.path().len(),
            timer.failures(),
        );
        let text = || {
            let Start {
                at: from,
                place,
                side,
            } = start;
            format!(
                "{from} to {at}, {side} wide, after {place}: {how:?} {:?} {timer:?} map {:?}",
                world.failures(chaser),
                grid.size()
            )
        };
        (!is_in_reach(grid, start.footprint(), at, start.place)).then(text)
    });
    short.collect()
}

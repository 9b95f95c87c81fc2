//! Worlds with defaults only: an unprepared map and untuned chasers.

use super::{
    draw::Draw,
    ground::{Canvas, Layer, Shape, lay},
    packs::{
        Company, Fill, Ground, Start, draw_bodies, flood, keep_apart, short_of, spawn, ticks_for,
    },
};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Grid, Rules};
use nav_testing::Scene as TestWorld;

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

/// Plays some ticks, or until all chasers are beside their targets. Returns the longest time that
/// one of them stood still out of reach, in ticks.
fn play_until_there(
    world: &mut TestWorld,
    grid: &Grid,
    chasers: &[(Entity, Start)],
    ticks: u64,
) -> u64 {
    let mut last: Vec<(Cell, u64)> = chasers.iter().map(|&(_, start)| (start.at, 0)).collect();
    let mut stalled = 0;
    for tick in 0..ticks {
        world.tick(1);
        let mut is_over = true;
        for (&(chaser, start), (before, since)) in chasers.iter().zip(&mut last) {
            let at = world.cell(chaser);
            let is_there = start.is_there(grid, at);
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
    stalled
}

/// Draws the world of a seed, with standing targets, and plays it until all chasers are beside them
/// or should be.
pub fn play(seed: u64, company: Company) -> Outcome {
    let mut draw = Draw::new(seed);
    let terrain = Terrain::ALL[(seed % 9) as usize];
    let mut grid = terrain.grid(&mut draw);
    if company == Company::Beasts {
        flood(&mut draw, &mut grid);
    }
    let sizes: Vec<Rules> = company.sizes(company.rules()).collect();
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    let mut targets: Vec<Cell> = (0..draw.number(1, 4))
        .map(|_| draw.one_of(&cells))
        .collect();
    if company != Company::Ghosts {
        keep_apart(&mut targets);
    }
    let ground = Ground::of(&grid, &sizes, &targets);
    let starts = match company {
        Company::Ghosts | Company::Beasts => (0..draw.number(4, 60))
            .map(|nth| Start {
                at: draw.one_of(&ground.ways(sizes[0]).cells),
                place: targets[usize::from(nth) % targets.len()],
                rules: sizes[0],
            })
            .collect(),
        _ => draw_bodies(&grid, &ground, &targets, (8, Fill::Half), |place| {
            let rules = sizes[usize::from(draw.number(1, company.sides().into())) - 1];
            let cells = &ground.ways(rules).cells;
            let at = (!cells.is_empty()).then(|| draw.one_of(cells))?;
            Some(Start { at, place, rules })
        }),
    };
    let mut world = TestWorld::on(grid.clone());
    let chasers = spawn(&mut world, company, &targets, starts);
    let able: Vec<(Entity, Start)> = chasers
        .into_iter()
        .filter(|&(_, start)| ground.moves(start).is_some())
        .collect();
    let longest = able
        .iter()
        .filter_map(|&(_, start)| ground.moves(start))
        .max();
    let ticks = ticks_for(longest.unwrap_or(0));
    let stalled = play_until_there(&mut world, &grid, &able, ticks);
    Outcome {
        terrain,
        able: able.len(),
        short: short_of(&world, able.iter().copied()),
        stalled,
    }
}

//! Solid bodies after a target that walks from room to room, and how long a single file could be
//! beside it.

use super::{
    draw::Draw,
    pursuit::{Knowing, Walk, places_of},
    ways::Ways,
};
use bevy_ecs::prelude::*;
use nav::Body;
use nav_grid::{Cell, Grid, Link, Rules};
use nav_testing::{STEP_TICKS, Scene as TestWorld, TICK_RATE};
use std::collections::{BTreeMap, BTreeSet};

/// The kind of passage between rooms. Through each wall leads one, a cell wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// An open cell of the wall.
    Door,
    /// Links both ways between the cells before and behind the wall.
    Link,
}

/// Rooms in a row, and rows of rooms.
const ROOMS: u16 = 6;
/// Columns and rows of a room. A guess.
const SIDE: u16 = 7;
/// Bodies of a pack: as many as a ring holds.
const BODIES: usize = 8;
/// Ticks before anything is counted: bodies start in the target's room.
const WARM_UP: u64 = 5 * TICK_RATE;
/// Ticks of a target's step: five sevenths of the speed of chasers.
const TARGET_STEP_TICKS: u64 = 7;

impl Passage {
    /// Returns the rooms, and the cells that bodies pass one by one.
    fn rooms(self) -> (Grid, BTreeSet<Cell>) {
        let pitch = SIDE + 1;
        let side = ROOMS * pitch - 1;
        let mut grid = Grid::from_fn(side, side, |cell| {
            cell.x % pitch != SIDE && cell.y % pitch != SIDE
        })
        .expect("sides of a map");
        let mut narrow = BTreeSet::new();
        for (row, column) in (0..ROOMS).flat_map(|row| (0..ROOMS).map(move |column| (row, column)))
        {
            // The passages of a room are in no line, so that none is seen through another.
            let shift = (3 * row + 5 * column) % SIDE;
            let (x, y) = (column * pitch, row * pitch);
            let right = (Cell::new(x + SIDE, y + shift), (1, 0));
            let below = (Cell::new(x + shift, y + SIDE), (0, 1));
            for (cell, (dx, dy)) in [right, below] {
                // A passage into the border of the map leads nowhere.
                if cell.x >= side || cell.y >= side {
                    continue;
                }
                let before = Cell::new(cell.x - dx, cell.y - dy);
                let behind = Cell::new(cell.x + dx, cell.y + dy);
                match self {
                    Self::Door => {
                        grid.set_walkable(cell, true).expect("a cell of the map");
                        narrow.insert(cell);
                    }
                    Self::Link => {
                        let link = Link::new(before, behind);
                        for link in [link, link.reversed()] {
                            grid.set_link(link).expect("cells of the map");
                        }
                        narrow.extend([before, behind]);
                    }
                }
            }
        }
        (grid, narrow)
    }
}

/// Ticks of bodies beside their target, summed over bodies.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileShares {
    /// Those of the chasers.
    pub beside: u64,
    /// Those of an imagined [single file](follow).
    pub bound: u64,
    /// Those of the same imagined bodies if they passed doors and links abreast.
    pub abreast: u64,
    /// All ticks, times the number of bodies.
    pub all: u64,
}

impl FileShares {
    /// Adds those of another pursuit.
    pub const fn add(&mut self, other: Self) {
        self.beside += other.beside;
        self.bound += other.bound;
        self.abreast += other.abreast;
        self.all += other.all;
    }
}

/// Plays the pursuit of a seed: eight solid chasers with default tuning follow a target that walks
/// from one drawn cell to the next, at five sevenths of their speed. Counts `seconds` seconds.
///
/// # The bound
///
/// The imagined bodies know at every tick where the target is, but not where it goes. They take
/// shortest ways to it, step as often as chasers, and set off in the tick in which it does. They
/// pass a door, or the end of a link, one after another, a move tick apart. Elsewhere they are in
/// nobody's way. Of those beside the target as many count as its ring has cells, for chasers as for
/// them.
///
/// So it bounds packs that follow their target by shortest ways. It is no bound for a pack that
/// divides over two doors, or knows in advance where its target goes.
pub fn follow(passage: Passage, seed: u64, seconds: u64) -> FileShares {
    let mut draw = Draw::new(seed);
    let (grid, narrow) = passage.rooms();
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    let first = draw.one_of(&cells);
    let ticks = WARM_UP + seconds * TICK_RATE;
    let places = places_of(
        &mut draw,
        Walk::Flees,
        &grid,
        (first, TARGET_STEP_TICKS, ticks),
    );
    let ways = Ways::of(&grid, Rules::default());
    let mut knowing = Knowing::new(&ways, &grid);
    let mut starts: Vec<Cell> = cells.into_iter().filter(|&at| at != first).collect();
    starts.sort_by_key(|&at| (at.chebyshev(first), at));
    starts.truncate(BODIES);
    let mut world = TestWorld::on(grid.clone());
    let target = world.target(first);
    let mut chasers: Vec<Entity> = Vec::new();
    for &at in &starts {
        let chaser = world.chaser(at, target);
        world.insert(chaser, Body::default());
        chasers.push(chaser);
    }
    let mut file = File::new(starts.clone(), narrow);
    let mut abreast = File::new(starts, BTreeSet::new());
    let mut shares = FileShares::default();
    for (&place, tick) in places.iter().zip(0..) {
        world.put(target, place);
        world.tick(1);
        file.tick(&mut knowing, place, tick);
        abreast.tick(&mut knowing, place, tick);
        if tick >= WARM_UP {
            let room = ways.places(&grid, place).count().min(BODIES);
            let now: Vec<Cell> = chasers.iter().map(|&chaser| world.cell(chaser)).collect();
            let [beside, bound, abreast] = [&now, &file.places, &abreast.places]
                .map(|bodies| knowing.count_beside(bodies, place).min(room) as u64);
            shares.add(FileShares {
                beside,
                bound,
                abreast,
                all: BODIES as u64,
            });
        }
    }
    shares
}

/// Imagined bodies that pass narrow cells one by one: see [`follow`].
struct File {
    places: Vec<Cell>,
    /// The tick from which on each may step again.
    ready: Vec<u64>,
    /// The tick from which on each narrow cell may be entered again.
    free: BTreeMap<Cell, u64>,
}

impl File {
    fn new(places: Vec<Cell>, narrow: BTreeSet<Cell>) -> Self {
        Self {
            ready: vec![0; places.len()],
            free: narrow.into_iter().map(|cell| (cell, 0)).collect(),
            places,
        }
    }

    /// Moves the bodies whose move tick it is, the nearest to the target first.
    fn tick(&mut self, knowing: &mut Knowing<'_>, target: Cell, tick: u64) {
        let mut order: Vec<usize> = (0..self.places.len()).collect();
        order.sort_by_key(|&nth| (knowing.cost(self.places[nth], target), nth));
        for nth in order {
            let at = self.places[nth];
            if tick < self.ready[nth] || knowing.is_beside(at, target) {
                continue;
            }
            let Some(to) = knowing.step(at, target) else {
                continue;
            };
            if let Some(free) = self.free.get_mut(&to) {
                if tick < *free {
                    continue;
                }
                *free = tick + STEP_TICKS;
            }
            self.places[nth] = to;
            self.ready[nth] = tick + STEP_TICKS;
        }
    }
}

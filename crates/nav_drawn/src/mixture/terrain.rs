//! The ground of worlds of the mixture: floors with stairs, and any of costs, ledges, links,
//! classes and doors.

use super::super::{
    draw::Draw,
    ground::{Canvas, Layer, Shape, lay, link},
    packs::flood,
};
use nav_grid::{Cell, Grid};
use nav_testing::TICK_RATE;
use std::{collections::BTreeSet, ops::RangeInclusive};

/// Ticks in which doors move at most: the first minute, so that most chasers are on their way then.
/// In most worlds they come to rest sooner, and the test is over sooner.
const DOOR_TICKS: u16 = 60 * TICK_RATE as u16;

/// The sides of floors, each as often as it is listed: on small ones packs meet all the
/// time, and on large ones ways lead out of windows of 41 cells.
const SIDES: [RangeInclusive<u16>; 4] = [16..=30, 16..=30, 16..=52, 40..=70];

/// A cell that opens and shuts.
pub(super) struct Door {
    pub(super) at: Cell,
    is_open: bool,
    /// The ticks in which it moves, the first one first.
    pub(super) ticks: Vec<u64>,
}

impl Door {
    /// Draws a door that moves one to four times in a number of ticks.
    fn draw(draw: &mut Draw, at: Cell, ticks: u16) -> Self {
        let is_open = draw.percent(50);
        let moves: BTreeSet<u64> = (0..draw.number(1, 4))
            .map(|_| draw.number(0, ticks).into())
            .collect();
        Self {
            at,
            is_open,
            ticks: moves.into_iter().collect(),
        }
    }

    /// Returns whether it is open after its moves up to a tick, if nobody stands in it.
    pub(super) fn is_open_after(&self, tick: u64) -> bool {
        let moves = self.ticks.iter().take_while(|&&at| at <= tick).count();
        self.is_open ^ !moves.is_multiple_of(2)
    }
}

/// The ground of a world before its first tick.
pub(super) struct Terrain {
    /// The shape of its walls, its floors, and what else there is.
    pub(super) features: String,
    pub(super) grid: Grid,
    pub(super) doors: Vec<Door>,
    pub(super) has_classes: bool,
}

impl Terrain {
    /// Draws the ground of a world.
    pub(super) fn draw(draw: &mut Draw) -> Self {
        let floors = draw.weighted(&[(1, 1), (2, 2), (2, 3)]);
        let shape = draw.one_of(&[Shape::Open, Shape::Clutter, Shape::Rooms, Shape::Rooms]);
        let sides = SIDES[draw.below(SIDES.len())].clone();
        let canvas = Canvas::with_sides(draw, shape, floors, sides);
        let mut grid = canvas.to_grid();
        let mut features = vec![format!("{shape:?}, {floors} floors")];
        lay_stairs(draw, &canvas, &mut grid);
        // Three of four worlds have a feature, so that each also occurs without each other.
        for layer in [Layer::Patches, Layer::Exits, Layer::Links] {
            if draw.percent(75) {
                features.push(format!("{layer:?}").to_lowercase());
                lay(draw, &canvas, layer, &[], &mut grid);
            }
        }
        let has_classes = draw.percent(75);
        if has_classes {
            features.push("classes".to_owned());
            flood(draw, &mut grid);
        }
        let mut doors = Vec::new();
        if draw.percent(75) {
            let narrow = canvas.doors();
            let ticks = DOOR_TICKS / draw.one_of(&[1, 4, 12]);
            for _ in 0..draw.number(1, 6) {
                let is_narrow = !narrow.is_empty() && draw.percent(75);
                let at = if is_narrow {
                    draw.one_of(&narrow)
                } else {
                    canvas.anywhere(draw)
                };
                let mut others = doors.iter();
                if others.all(|door: &Door| door.at != at) {
                    doors.push(Door::draw(draw, at, ticks));
                }
            }
            features.push(format!("{} doors", doors.len()));
        }
        for door in &doors {
            grid.set_walkable(door.at, door.is_open)
                .expect("a cell of the map");
        }
        Self {
            features: features.join(", "),
            grid,
            doors,
            has_classes,
        }
    }

    /// Returns the tick in which the last door moves.
    pub(super) fn last_move(&self) -> u64 {
        let ticks = self.doors.iter().flat_map(|door| &door.ticks);
        ticks.max().copied().unwrap_or(0)
    }

    /// Returns the ground after all doors moved, if nobody stood in one.
    pub(super) fn at_the_end(&self) -> Grid {
        let mut grid = self.grid.clone();
        for door in &self.doors {
            let is_open = door.is_open_after(self.last_move());
            grid.set_walkable(door.at, is_open)
                .expect("a cell of the map");
        }
        grid
    }
}

/// Puts one to three stairs between each floor and the next, mostly one, so that packs meet there.
/// They are at equal cells of both floors where these are open, as in houses, and most of them lead
/// both ways.
fn lay_stairs(draw: &mut Draw, canvas: &Canvas, grid: &mut Grid) {
    for upper in 1..canvas.size.floors {
        for _ in 0..draw.weighted(&[(3, 1), (2, 2), (1, 3)]) {
            let below = canvas.anywhere(draw).on_floor(upper - 1);
            let above = below.on_floor(upper);
            if canvas.is_open(below) && canvas.is_open(above) {
                link(draw, grid, below, above, 90);
            } else {
                let (from, to) = (canvas.anywhere(draw), canvas.anywhere(draw));
                link(draw, grid, from, to, 90);
            }
        }
    }
}

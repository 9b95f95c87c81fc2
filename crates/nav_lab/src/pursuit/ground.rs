//! The ground that pursuits run on.

use super::flight::FlightKind;
use mapgen::Kind;
use nav_grid::{Cell, Grid};

/// Side of the maps; nobody who flees comes to their edge.
const SIDE: u16 = 320;
/// Share of walls in clutter, in percent.
const PERCENT: u8 = 8;

/// A kind of flight on a kind of ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// How the target moves.
    pub flight: FlightKind,
    /// Whether one cell in twelve is a wall; otherwise the ground is open, but for the pillar that
    /// [`FlightKind::Circle`] goes round.
    pub cluttered: bool,
}

impl Course {
    /// Every flight on open ground, then those in clutter that have no need of open ground.
    pub fn all() -> impl Iterator<Item = Self> {
        let on = |cluttered| FlightKind::ALL.map(|flight| Self { flight, cluttered });
        let all = on(false).into_iter().chain(on(true));
        all.filter(|course| !course.cluttered || course.flight != FlightKind::Circle)
    }

    /// Its name in tables.
    pub fn name(self) -> String {
        let clutter = if self.cluttered { ", clutter" } else { "" };
        format!("{}{clutter}", self.flight.name())
    }

    /// Whether walls are where the target runs.
    pub fn has_walls(self) -> bool {
        self.cluttered || self.flight == FlightKind::Circle
    }

    /// The map, and the cell in which the flight begins.
    ///
    /// # Panics
    ///
    /// Never: the sides are those of a map.
    pub fn ground(self) -> (Grid, Cell) {
        let middle = Cell::new(SIDE / 2, SIDE / 2);
        if self.flight == FlightKind::Circle {
            // A pillar of 5×5, and the target beside it.
            let grid = Grid::from_fn(61, 61, |cell| cell.chebyshev(Cell::new(30, 30)) > 2);
            return (grid.expect("sides of a map"), Cell::new(30, 27));
        }
        if !self.cluttered {
            return (Grid::open(SIDE, SIDE).expect("sides of a map"), middle);
        }
        let clutter = Kind::Clutter { percent: PERCENT };
        let mut grid = mapgen::generate(clutter, SIDE, SIDE, 1).expect("sides of a map");
        for dy in 0..3 {
            for dx in 0..3 {
                let cell = Cell::new(middle.x + dx - 1, middle.y + dy - 1);
                grid.set_walkable(cell, true).expect("a cell of the map");
            }
        }
        (grid, middle)
    }
}

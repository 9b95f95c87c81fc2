//! The maps of pursuits.

use super::flight::FlightKind;
use mapgen::Kind;
use nav_grid::{Cell, Grid};

/// Side of the maps in cells. A fleeing target starts in the middle and never comes near the edge.
const SIDE: u16 = 320;
/// Percentage of walls in clutter: about one cell in twelve. A guess.
const PERCENT: u8 = 8;

/// A way in which the target moves, on a kind of map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// How the target moves.
    pub flight: FlightKind,
    /// Whether one cell in twelve is a wall. Otherwise the map is open, except for the pillar of
    /// [`FlightKind::Circle`].
    pub cluttered: bool,
}

impl Course {
    /// Returns every flight on open ground, then on clutter every flight except
    /// [`FlightKind::Circle`], which needs its pillar.
    pub fn all() -> impl Iterator<Item = Self> {
        let all = [false, true]
            .into_iter()
            .flat_map(|cluttered| FlightKind::ALL.map(|flight| Self { flight, cluttered }));
        all.filter(|course| !course.cluttered || course.flight != FlightKind::Circle)
    }

    /// Returns the name used in tables.
    pub fn name(self) -> String {
        let clutter = if self.cluttered { ", clutter" } else { "" };
        format!("{}{clutter}", self.flight.name())
    }

    /// Returns whether there are walls where the target moves.
    pub fn has_walls(self) -> bool {
        self.cluttered || self.flight == FlightKind::Circle
    }

    /// Returns the map, and the cell where the target starts.
    ///
    /// # Panics
    ///
    /// Never: the sides are valid.
    pub fn ground(self) -> (Grid, Cell) {
        let middle = Cell::new(SIDE / 2, SIDE / 2);
        if self.flight == FlightKind::Circle {
            // A pillar of 5×5 cells, and the target beside it.
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

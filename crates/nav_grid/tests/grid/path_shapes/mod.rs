//! Other shapes of paths, on maps with everything.

mod looking_ahead;
mod sight;
mod straightening;
mod turning_points;

use nav_grid::{Cell, Path, path::TurningPoint};

fn path(waypoints: &[(u16, u16)]) -> Path {
    waypoints.iter().copied().map(Cell::from).collect()
}

fn turn(x: u16, y: u16) -> TurningPoint {
    TurningPoint {
        cell: Cell::new(x, y),
        by_link: false,
    }
}

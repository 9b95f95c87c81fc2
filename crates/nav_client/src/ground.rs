//! The scale of the server's world.

use nav_protocol::{Start, Up};

/// The scale of the server's world in time and space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Tick length in seconds.
    pub tick_seconds: f64,
    /// World units per cell side.
    pub cell_size: f64,
    /// Index of the coordinate that is the height.
    pub up: usize,
}

impl From<Start> for Ground {
    fn from(start: Start) -> Self {
        Self {
            // A `Start` that was built and not decoded may contain 0.
            tick_seconds: f64::from(start.tick_micros.max(1)) / 1e6,
            cell_size: f64::from(start.cell_size),
            up: match start.up {
                Up::Y => 1,
                Up::Z => 2,
            },
        }
    }
}

//! What a client knows of the server's world.

use nav_protocol::{Start, Up};

/// What a client knows of the server's world: the scale of time and space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Seconds of a tick.
    pub tick_seconds: f64,
    /// World units along the side of a cell.
    pub cell_size: f64,
    /// Which of the three coordinates is the height.
    pub up: usize,
}

impl From<Start> for Ground {
    fn from(start: Start) -> Self {
        Self {
            // A start that was not decoded may say 0.
            tick_seconds: f64::from(start.tick_micros.max(1)) / 1e6,
            cell_size: f64::from(start.cell_size),
            up: match start.up {
                Up::Y => 1,
                Up::Z => 2,
            },
        }
    }
}

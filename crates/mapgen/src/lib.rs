//! Seeded map makers: the same call returns the same map on every machine.
//!
//! All arithmetic is in integers, and all randomness comes from one xoshiro256++ generator made
//! from the seed, drawn in a fixed order. Kind, size and seed therefore identify a map, and
//! [`provenance`] writes them down.
//!
//! ```
//! use mapgen::{Kind, generate, provenance};
//! use nav_grid::map::text;
//!
//! let kind = Kind::from_name("caves", None)?;
//! let grid = generate(kind, 48, 32, 7)?;
//! let file = text::write(&grid, &provenance(kind, 48, 32, 7));
//! assert!(file.starts_with("; chase generate caves --size 48x32 --seed 7\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod canvas;
mod caves;
mod clutter;
mod connect;
mod kind;
mod maze;
mod mixed;
mod noise;
mod random;
mod rooms;

pub use kind::{Kind, KindError};

use canvas::Canvas;
use nav_grid::{Grid, GridError};
use random::Random;

/// Makes a map of `width` × `height` cells.
///
/// Every map has at least one walkable cell, except those of [`Kind::Clutter`].
///
/// # Errors
///
/// [`GenerateError`] if a side is 0 or above [`Grid::SIDE_MAX`], or a percentage is above 100.
///
/// # Complexity
///
/// Time and memory grow with the number of cells. The slowest kind, `Mixed`, takes some three
/// seconds and 300 MiB for 4096×4096.
pub fn generate(kind: Kind, width: u16, height: u16, seed: u64) -> Result<Grid, GenerateError> {
    // Refuses bad sides before any work is done.
    Grid::blocked(width, height)?;
    let mut random = Random::new(seed);
    let size = (usize::from(width), usize::from(height));
    let canvas = match kind {
        Kind::Open => Canvas::open(size),
        Kind::Clutter { percent } if percent > 100 => {
            return Err(GenerateError::Percent { percent });
        }
        Kind::Clutter { percent } => clutter::make(size, percent, &mut random),
        Kind::Rooms => rooms::make(size, rooms::EXTRA_DOORS_PERCENT, &mut random),
        Kind::Caves => caves::make(size, &mut random),
        Kind::Maze => maze::make(size, &mut random),
        Kind::Mixed => mixed::make(size, &mut random),
    };
    Ok(canvas.to_grid(width, height)?)
}

/// Returns the command that makes a map, such as `chase generate mixed --size 512x512 --seed 7`.
/// Every generated map file begins with it as a comment.
pub fn provenance(kind: Kind, width: u16, height: u16, seed: u64) -> String {
    let name = kind.name();
    let percent = match kind {
        Kind::Clutter { percent } => format!(" --percent {percent}"),
        _ => String::new(),
    };
    format!("chase generate {name}{percent} --size {width}x{height} --seed {seed}")
}

/// The error of a map that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// A side is out of range.
    #[error(transparent)]
    Size(#[from] GridError),
    /// The percentage of blocked cells is above 100.
    #[error("{percent} percent of the cells cannot be blocked; expected 0 to 100")]
    Percent {
        /// The given percentage.
        percent: u8,
    },
}

//! Readers and writers of map files.
//!
//! Readers take bytes that nobody has checked and answer with a [`Grid`] or a [`ParseError`]
//! that names the line. They never panic, and they need no more memory than a small multiple
//! of the input: a size in a header is believed only once as many cells have been seen.
//!
//! | format | extension | |
//! |---|---|---|
//! | [`text`] | `txt` | this crate's own: rows of `.` and `#`, comments on top |
//! | [`movingai`] | `map` | the grid format of the `MovingAI` benchmarks |
//! | `tiled` | `tmx`, `tmj` | maps of the Tiled editor, behind the feature `tiled` |
//!
//! # Example
//!
//! ```
//! use nav_grid::{Cell, formats::{Format, text}};
//!
//! let grid = text::read(b"; a yard\n..#\n...\n")?;
//! assert!(!grid.is_walkable(Cell::new(2, 0)));
//!
//! let format = Format::from_extension("map").unwrap();
//! let bytes = format.write(&grid, "");
//! assert_eq!(format.read(&bytes)?, grid);
//!
//! let error = text::read(b"..#\n.x.\n").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "line 2, column 2: unknown character 'x'; expected '.' or '#'"
//! );
//! # Ok::<(), nav_grid::formats::ParseError>(())
//! ```

mod error;
mod lines;
pub mod movingai;
mod rows;
pub mod text;
#[cfg(feature = "tiled")]
pub mod tiled;

pub use error::{ParseError, Problem};

use crate::Grid;

/// A format of map files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// See [`text`].
    Text,
    /// See [`movingai`].
    MovingAi,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Text, Self::MovingAi];

    /// The format of files with this extension, given without its dot, in any case.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| {
            format
                .extensions()
                .iter()
                .any(|known| known.eq_ignore_ascii_case(extension))
        })
    }

    /// The extensions of this format's files, without dot, the usual one first.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Text => text::EXTENSIONS,
            Self::MovingAi => movingai::EXTENSIONS,
        }
    }

    /// Reads a map.
    ///
    /// # Errors
    ///
    /// [`ParseError`] when `bytes` are not a map in this format.
    pub fn read(self, bytes: &[u8]) -> Result<Grid, ParseError> {
        match self {
            Self::Text => text::read(bytes),
            Self::MovingAi => movingai::read(bytes),
        }
    }

    /// Writes a map, with `comment` on top where the format has comments.
    pub fn write(self, grid: &Grid, comment: &str) -> Vec<u8> {
        match self {
            Self::Text => text::write(grid, comment).into_bytes(),
            Self::MovingAi => movingai::write(grid).into_bytes(),
        }
    }
}

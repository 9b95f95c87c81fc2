//! Readers and writers of map files.
//!
//! Readers take untrusted bytes and return a map, or a [`ParseError`] that names the line. They
//! never panic. They need at most a small multiple of the input in memory, because a size in a
//! header is trusted only once that many cells were read. Writers refuse a map with a
//! [`WriteError`] if the format would lose part of it.
//!
//! | format | extension | holds beyond one floor of cells |
//! |---|---|---|
//! | [`text`](nav_grid::map::text) | `txt` | |
//! | [`movingai`] | `map` | |
//! | [`bitmap`] | `bitmap`, `navmesh`, `txt` by content | a frame |
//! | `png` | `png` | costs; exits, classes and sight in further pictures |
//! | [`bmp`] | `bmp` | costs |
//! | `ldtk` | `ldtk`, `json` by content | costs, links, classes, sight, objects |
//! | `tiled` | `tmx`, `tmj`, `json` | costs, floors, links, exits, classes, sight, objects |
//! | `binary` | `navgrid` | everything |
//!
//! Text, with rows of `.` and `#` and comments on top, and the binary format, for fast start-up,
//! are this project's own. A bitmap is what game editors export from a navigation mesh. Projects
//! of `LDtk` are only read. `png`, `ldtk`, `tiled` and `binary` are behind features of these names.
//!
//! Tilesets, templates and levels in other files come from [`Files`]. What a reader leaves out is
//! in [`MapFile::warnings`]. A byte order mark before text is skipped, and text in UTF-16 is
//! refused.
//!
//! What an editor placed for the game, such as doors and spawns, is in [`MapFile::objects`].
//!
//! [`scen`] reads and writes the queries that come with `MovingAI` maps.
//!
//! # Example
//!
//! ```
//! use nav_grid::{Cell, map::text};
//! use nav_formats::Format;
//!
//! let grid = text::read(b"; a yard\n..#\n...\n")?;
//! assert!(!grid.is_walkable(Cell::new(2, 0)));
//!
//! let format = Format::from_extension("map").unwrap();
//! let bytes = format.write(&grid.clone().into(), "").unwrap();
//! assert_eq!(format.read(&bytes)?.grid, grid);
//!
//! let error = text::read(b"..#\n.x.\n").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "line 2, column 2: unknown character 'x'; expected '.' or '#'"
//! );
//! # Ok::<(), nav_formats::ParseError>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(all(
        feature = "binary",
        feature = "ldtk",
        feature = "png",
        feature = "tiled"
    )),
    allow(
        dead_code,
        unused_imports,
        reason = "what only some formats use is there for all"
    )
)]

#[cfg(feature = "binary")]
pub mod binary;
pub mod bitmap;
pub mod bmp;
mod cell_layer;
mod codec;
mod dispatch;
#[cfg(any(feature = "ldtk", feature = "tiled"))]
mod editor;
mod editor_names;
mod error;
mod features;
mod files;
mod format;
mod grey;
#[cfg(feature = "ldtk")]
pub mod ldtk;
mod limit;
mod map_file;
pub mod movingai;
mod object;
#[cfg(feature = "png")]
pub mod png;
mod property;
mod quote;
pub mod scen;
#[cfg(feature = "tiled")]
pub mod tiled;
mod warning;
mod words;
mod write_error;

pub use cell_layer::CellLayer;
pub use editor_names::EditorNames;
pub use error::{ParseError, Position, Problem};
pub use features::Features;
pub use files::{
    Files, MissingFile, MissingReason, OpenFile, ReadOptions, is_utf16, read_regular_file,
};
pub use format::Format;
pub use map_file::MapFile;
pub use object::MapObject;
pub use property::{FromProperty, PropertyError, PropertyValue};
pub use warning::{Names, Warning};
pub use write_error::WriteError;

// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

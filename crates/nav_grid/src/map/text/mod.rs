//! Maps drawn in plain text: [`read`], [`write`](write()), [`looks_like`].
//!
//! Lines that start with `;` are comments and may stand on top, as may blank lines. Then come
//! the rows, all equally wide: `.` is a walkable cell, `#` a blocked one. Lines end in LF or
//! CRLF; blank lines at the end of the file are skipped.
//!
//! ```text
//! ; A yard with one gate.
//! #####
//! #...#
//! ##.##
//! ```
//!
//! [`Lines`], [`CellRows`], [`Alphabet`] and [`RowWidth`] are what readers of other plain-text
//! formats build on; they report [`TextError`]s.

mod error;
mod lines;
mod plain;
mod rows;

pub use error::{TextError, TextProblem, quote, quote_first};
pub use lines::Lines;
pub use plain::{looks_like, read, write};
pub use rows::{Alphabet, CellRows, RowWidth, write_rows};

//! Facts about each format, in one place.

use super::{
    error::ParseError, features::Features, files::ReadOptions, map_file::MapFile,
    object::MapObject, write_error::WriteError,
};
use nav_grid::map::text;

/// Reader of a format.
type Read = fn(&[u8], &ReadOptions<'_>) -> Result<MapFile, ParseError>;

/// Writer of as much of a map as a format can hold, with a comment on top if it has comments.
type Write = fn(&MapFile, &str) -> Result<Vec<u8>, WriteError>;

/// Format of map files.
pub(crate) struct Codec {
    pub(crate) name: &'static str,
    /// Extensions without dots, the usual one first.
    pub(crate) extensions: &'static [&'static str],
    /// Whether files are text, which some editors save as UTF-16.
    pub(crate) is_text: bool,
    pub(crate) holds: Features,
    /// Looks at as much of the first line that is not blank as tells the formats apart.
    pub(crate) looks_like: fn(&[u8]) -> bool,
    pub(crate) read: Read,
    pub(crate) write: Option<Write>,
    /// Returns why an object cannot be written, if so.
    pub(crate) fault: fn(&MapObject) -> Option<&'static str>,
}

/// Plain text: see [`text`].
pub(crate) const TEXT: Codec = Codec {
    name: "plain text",
    extensions: &["txt"],
    is_text: true,
    holds: Features::NONE,
    looks_like: text::looks_like,
    read: |bytes, _| Ok(text::read(bytes)?.into()),
    write: Some(|map, comment| Ok(text::write(&map.grid, comment).into_bytes())),
    fault: |_| None,
};

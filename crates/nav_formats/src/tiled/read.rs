//! Readers of maps in XML and JSON.

use super::{error::TiledError, layers, options::Options, tmj, tmx};
use crate::map_file::MapFile;
use nav_grid::map::text::skip_mark;

/// Reads a map in XML, `.tmx`.
///
/// # Errors
///
/// [`TiledError`] if
///
/// - the file is no map, or its map is infinite, not orthogonal or too large,
/// - a layer, tile, property or link is invalid,
/// - an external tileset or a template is invalid, or was needed and not given.
///
/// What is left out without an error is in [`MapFile::warnings`].
///
/// # Complexity
///
/// O(bytes). Takes at most 16 times the file and 64 MiB of memory.
pub fn read_tmx(bytes: &[u8], options: &Options<'_>) -> Result<MapFile, TiledError> {
    let bytes = skip_mark(bytes);
    layers::to_map(tmx::read(bytes)?, bytes, options)
}

/// Reads a map in JSON, `.tmj`.
///
/// # Errors
///
/// The same as [`read_tmx`]. Only invalid JSON has a position.
///
/// # Complexity
///
/// The same as [`read_tmx`].
pub fn read_tmj(bytes: &[u8], options: &Options<'_>) -> Result<MapFile, TiledError> {
    let bytes = skip_mark(bytes);
    layers::to_map(tmj::read(bytes)?, bytes, options)
}

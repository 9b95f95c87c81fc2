//! Readers of maps in XML and JSON.

use super::{error::TiledError, layers, options::Options, tmj, tmx};
use nav_grid::Grid;

/// Reads a map in XML, `.tmx`.
///
/// # Errors
///
/// [`TiledError`] if
///
/// - the file is no map, or its map is infinite, not orthogonal or too large,
/// - a layer, tile, property or link is invalid.
///
/// # Complexity
///
/// O(bytes). Takes at most 16 times the file and 64 MiB of memory.
pub fn read_tmx(bytes: &[u8], options: &Options) -> Result<Grid, TiledError> {
    layers::to_grid(tmx::read(bytes)?, bytes, options)
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
pub fn read_tmj(bytes: &[u8], options: &Options) -> Result<Grid, TiledError> {
    layers::to_grid(tmj::read(bytes)?, bytes, options)
}

//! Reading maps in XML and JSON.

use super::{error::TiledError, layers, options::Options, tmj, tmx};
use nav_grid::Grid;

/// Reads a map in XML, `.tmx`.
///
/// Takes time in proportion to the file and, at most, 16 times the file and 64 MiB of memory.
///
/// # Errors
///
/// [`TiledError`] when the file is no map, when it is infinite or not orthogonal, when a layer,
/// tile, property or link means nothing, or when the map would be too large.
pub fn read_tmx(bytes: &[u8], options: &Options) -> Result<Grid, TiledError> {
    layers::to_grid(tmx::read(bytes)?, bytes, options)
}

/// Reads a map in JSON, `.tmj`.
///
/// Takes as much as [`read_tmx`].
///
/// # Errors
///
/// As [`read_tmx`]. Only broken JSON has a place.
pub fn read_tmj(bytes: &[u8], options: &Options) -> Result<Grid, TiledError> {
    layers::to_grid(tmj::read(bytes)?, bytes, options)
}

//! Tilesets: external ones, and what their tiles mean.

use super::{
    error::{TiledError, TiledProblem},
    model::{TileLayer, Tileset, Value},
    scan::ELEMENTS_MAX,
    tmj, tmx,
};
use crate::{files::Files, quote::quoted};
use nav_grid::{Cell, Grid, map::text::skip_mark};

/// External tilesets that a map may have. A guess, far above what an editor can show: each of them
/// makes the reader ask for a file.
const EXTERNAL_MAX: usize = 256;

/// Reads the external tilesets, and sorts all by the numbers of their tiles.
///
/// A file that is missing only matters if a tile needs its tileset.
pub(crate) fn open(tilesets: &mut [Tileset], files: &Files<'_>) -> Result<(), TiledError> {
    let mut opened = 0;
    let mut costs = 0;
    for tileset in tilesets.iter_mut() {
        let Some(source) = tileset.source.take() else {
            continue;
        };
        opened += 1;
        if opened > EXTERNAL_MAX {
            let max = EXTERNAL_MAX;
            return Err(TiledProblem::TooManyTilesets { max }.anywhere());
        }
        match files.get(&source) {
            Ok(bytes) => {
                let first_gid = tileset.first_gid;
                *tileset = read(&bytes).map_err(|error| {
                    let path = quoted(&source);
                    let error = Box::new(error);
                    TiledProblem::InFile { path, error }.anywhere()
                })?;
                tileset.first_gid = first_gid;
                // Together no more than one map may have, however often a file is named.
                costs += tileset.costs.len();
                if costs > ELEMENTS_MAX {
                    let max = ELEMENTS_MAX;
                    return Err(TiledProblem::TooManyElements { max }.anywhere());
                }
            }
            Err(missing) => tileset.missing = Some(missing),
        }
        tileset.name = source;
    }
    tilesets.sort_by_key(|tileset| tileset.first_gid);
    Ok(())
}

fn read(bytes: &[u8]) -> Result<Tileset, TiledError> {
    let bytes = skip_mark(bytes);
    // The ending `.json` is usual too, so that only the content tells the language.
    if bytes.trim_ascii_start().starts_with(b"{") {
        tmj::read_tileset(bytes)
    } else {
        tmx::read_tileset(bytes)
    }
}

impl Tileset {
    /// Refuses a tileset whose file is missing. `user` is what needs it.
    pub(crate) fn needed(&self, user: impl FnOnce() -> String) -> Result<&Self, TiledProblem> {
        match &self.missing {
            None => Ok(self),
            Some(file) => Err(TiledProblem::MissingTileset {
                user: user(),
                file: file.clone(),
            }),
        }
    }
}

/// Returns the tileset of a tile, if there is one.
pub(crate) fn of_tile(tilesets: &[Tileset], gid: u32) -> Option<&Tileset> {
    let above = tilesets.partition_point(|tileset| tileset.first_gid <= gid);
    tilesets.get(above.checked_sub(1)?)
}

/// Returns the tileset of a tile in a layer, if the map has any, and the tile's number in it.
pub(crate) fn local<'t>(
    tilesets: &'t [Tileset],
    layer: &TileLayer<'_>,
    cell: Cell,
    gid: u32,
) -> Result<(Option<&'t Tileset>, u32), TiledProblem> {
    match of_tile(tilesets, gid) {
        Some(tileset) => Ok((Some(tileset), gid - tileset.first_gid)),
        None if tilesets.is_empty() => Ok((None, gid.saturating_sub(1))),
        None => Err(TiledProblem::UnknownTile {
            layer: quoted(&layer.name),
            cell,
            gid,
        }),
    }
}

/// Returns the step cost that a tile means; 0 for a wall.
pub(crate) fn cost(
    tilesets: &[Tileset],
    layer: &TileLayer<'_>,
    cell: Cell,
    gid: u32,
) -> Result<u8, TiledProblem> {
    let (tileset, id) = local(tilesets, layer, cell, gid)?;
    if let Some(tileset) = tileset {
        tileset.needed(|| format!("layer '{}'", quoted(&layer.name)))?;
    }
    let Some(tileset) = tileset.filter(|tileset| !tileset.costs.is_empty()) else {
        return in_range(layer, cell, "cost", i64::from(id), Grid::COST_WORST);
    };
    match tileset.costs.get(&id) {
        Some(&Value::Int(cost)) => in_range(layer, cell, "cost", cost, Grid::COST_WORST),
        Some(&other) => Err(TiledProblem::Property {
            owner: format!("tile {id} of tileset '{}'", quoted(&tileset.name)),
            property: "cost",
            found: Value::describe(Some(other)),
            expected: format!("an int from 0 to {}", Grid::COST_WORST),
        }),
        None => Err(TiledProblem::NoCost {
            layer: quoted(&layer.name),
            cell,
            tile: id,
            tileset: quoted(&tileset.name),
        }),
    }
}

/// Checks the number that a tile means.
pub(crate) fn in_range(
    layer: &TileLayer<'_>,
    cell: Cell,
    what: &'static str,
    found: i64,
    max: u8,
) -> Result<u8, TiledProblem> {
    match u8::try_from(found) {
        Ok(value) if value <= max => Ok(value),
        _ => Err(TiledProblem::TileValue {
            layer: quoted(&layer.name),
            cell,
            what,
            found,
            max,
        }),
    }
}

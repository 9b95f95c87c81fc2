//! Cells of objects.

use super::{
    error::TiledProblem,
    model::{Object, TiledMap, Tileset, Value},
    tilesets,
};
use crate::quote::quoted;
use nav_grid::Cell;

/// Where an object is.
pub(crate) struct Place {
    pub(crate) cell: Cell,
    /// Columns and rows that the object covers, at least one.
    pub(crate) sides: [u16; 2],
    /// Whether the cell is the lower left of these, and not the upper left.
    pub(crate) is_foot: bool,
}

/// Returns the cell of an object; `None` if it lies outside every map.
pub(crate) fn cell_of(object: &Object, map: &TiledMap<'_>) -> Result<Option<Cell>, TiledProblem> {
    Ok(place_of(object, map)?.map(|place| place.cell))
}

/// Returns where an object is; `None` if it lies outside every map.
///
/// A point lies in the cell around it, and a rectangle in that of its upper left corner. A tile
/// object lies in the cell under the middle of its lower left tile: the foot of a tall picture,
/// even if it was not snapped to the grid.
pub(crate) fn place_of(object: &Object, map: &TiledMap<'_>) -> Result<Option<Place>, TiledProblem> {
    object.complete()?;
    let Value::Int(floor) = object.floor else {
        return Ok(None);
    };
    let [width, height] = size(object);
    let has_area = object.gid.is_some() || width > 0.0 || height > 0.0;
    // A point turns on the spot. Tiled writes whole turns too.
    let rotation = object.rotation.unwrap_or(0.0);
    if has_area && rotation % 360.0 != 0.0 {
        return Err(TiledProblem::Rotated {
            object: object.id,
            degrees: quoted(rotation),
        });
    }
    let ([x, y], sides) = match object.gid {
        None => ([object.x, object.y], [width, height]),
        Some(gid) => foot(object, gid, map)?,
    };
    let tile = [map.tile_width, map.tile_height].map(f64::from);
    let index = |pixels: f64, tile: f64| {
        let index = (pixels / tile).floor();
        // Values out of range saturate, which is outside every map.
        index.is_finite().then_some(index as i64)
    };
    // A rectangle drawn by hand means the cells that it is nearest to.
    let count = |pixels: f64, tile: f64| (pixels / tile).round().max(1.0) as u16;
    let cell = index(x, tile[0])
        .zip(index(y, tile[1]))
        .and_then(|(x, y)| cell(x, y, floor));
    Ok(cell.map(|cell| Place {
        cell,
        sides: [count(sides[0], tile[0]), count(sides[1], tile[1])],
        is_foot: object.gid.is_some(),
    }))
}

fn size(object: &Object) -> [f64; 2] {
    [object.width, object.height].map(|side| side.unwrap_or(0.0))
}

/// Returns a cell, if its numbers are in the range of cells.
pub(crate) fn cell(x: i64, y: i64, floor: i64) -> Option<Cell> {
    let cell = Cell::new(u16::try_from(x).ok()?, u16::try_from(y).ok()?);
    Some(cell.on_floor(u8::try_from(floor).ok()?))
}

/// Returns the middle of the lower left tile of a tile object, and its sides, in pixels.
fn foot(
    object: &Object,
    gid: u32,
    map: &TiledMap<'_>,
) -> Result<([f64; 2], [f64; 2]), TiledProblem> {
    let tileset = tilesets::of_object(map, object, gid);
    let [along, down] = match tileset {
        Some(tileset) => origin(tileset.needed(|| format!("object {}", object.id))?)?,
        None => LOWER_LEFT,
    };
    let tile = [map.tile_width, map.tile_height].map(f64::from);
    let natural = tileset.map_or([0, 0], |tileset| tileset.tile_size);
    // Only files of old versions leave out the size of the object.
    let side = |drawn: f64, natural: u32, tile: f64| match (drawn > 0.0, natural) {
        (true, _) => drawn,
        (false, 0) => tile,
        (false, natural) => f64::from(natural),
    };
    let [width, height] = size(object);
    let width = side(width, natural[0], tile[0]);
    let height = side(height, natural[1], tile[1]);
    let left = object.x - along * width;
    let bottom = object.y + (1.0 - down) * height;
    let foot = [
        left + width.min(tile[0]) / 2.0,
        bottom - height.min(tile[1]) / 2.0,
    ];
    Ok((foot, [width, height]))
}

/// Origin of tile objects on orthogonal maps, unless their tileset says otherwise.
const LOWER_LEFT: [f64; 2] = [0.0, 1.0];

/// Returns where the origin of a tileset's objects lies on them: parts of the width from the left,
/// and of the height from the top.
fn origin(tileset: &Tileset) -> Result<[f64; 2], TiledProblem> {
    let down = |name: &str| match name {
        "" => Some(0.5),
        "top" => Some(0.0),
        "bottom" => Some(1.0),
        _ => None,
    };
    let name = tileset.alignment.as_str();
    let origin = match name {
        "" | "unspecified" => Some(LOWER_LEFT),
        "center" => Some([0.5, 0.5]),
        _ => match (name.strip_suffix("left"), name.strip_suffix("right")) {
            (Some(side), _) => down(side).map(|down| [0.0, down]),
            (_, Some(side)) => down(side).map(|down| [1.0, down]),
            (None, None) => down(name).map(|down| [0.5, down]),
        },
    };
    origin.ok_or_else(|| TiledProblem::Alignment {
        tileset: quoted(&tileset.name),
        found: quoted(name),
    })
}

//! The map as cost fields of ten by ten cells.

use bevy::math::Vec2;
use bevy_flowfield_tiles_plugin::prelude::*;
use course::{Cell, Failure, Map};
use std::fmt::Write;

/// Columns and rows of the world: those of the map, rounded up to whole sectors. The rest is
/// blocked.
const SIDE: u16 = 520;

/// Radius of an actor in cells. Up to 1 no wall is widened.
const RADIUS: f32 = 0.5;

/// Cost of a free cell, and of a blocked one: the numbers of the crate.
const FREE: u8 = 1;
const BLOCKED: u8 = 255;

/// Returns the middle of a cell. The origin of the world is its middle, with y upwards.
pub(crate) fn place(cell: Cell) -> Vec2 {
    let half = f32::from(SIDE) / 2.0;
    Vec2::new(
        f32::from(cell.x) + 0.5 - half,
        half - f32::from(cell.y) - 0.5,
    )
}

/// Returns the component of a map.
///
/// Through a file of cost fields, which the crate offers for whole maps: edits of a running map
/// take several updates a cell.
pub(crate) fn tiles(map: &Map) -> Result<FlowFieldTiles, Failure> {
    let name = format!("peers-costs-{}.ron", std::process::id());
    let path = std::env::temp_dir().join(name);
    let text = path
        .to_str()
        .ok_or("The path of temporary files is no UTF-8.")?;
    std::fs::write(&path, ron(map)?)
        .map_err(|error| format!("The cost fields cannot be written to {text}: {error}."))?;
    let side = f32::from(SIDE);
    let tiles = FlowFieldTiles::from_ron((0.0, 0.0), (side, side), 1.0, RADIUS, text);
    std::fs::remove_file(&path).map_err(|error| format!("{text} cannot be removed: {error}."))?;
    Ok(tiles)
}

fn ron(map: &Map) -> Result<String, std::fmt::Error> {
    let resolution = FIELD_RESOLUTION as u16;
    let mut text = String::from("(baseline: {");
    for column in 0..SIDE / resolution {
        for row in 0..SIDE / resolution {
            write!(text, "(column: {column}, row: {row}): (field: (")?;
            for y in 0..resolution {
                for x in 0..resolution {
                    let cell = Cell {
                        x: column * resolution + x,
                        y: row * resolution + y,
                    };
                    let cost = if map.is_free(cell) { FREE } else { BLOCKED };
                    write!(text, "{cost},")?;
                }
            }
            text.push_str(")),");
        }
    }
    text.push_str("})");
    Ok(text)
}

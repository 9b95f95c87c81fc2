//! Objects of a map: their places, and what the other parts of the map say of them.

use super::{
    data::FLAGS,
    model::{Layer, Object},
    tilesets::{Tileset, Tilesets},
};
use crate::{
    editor::{Editor, Item, NoPlace, Place, Value},
    error::Problem,
    limit::{Parts, parts_of_text},
};
use std::sync::Arc;

/// Words and customs of the editor.
pub(super) const TILED: Editor = Editor {
    property: "property",
    types: "string, int, float, bool, color, file or object",
    any_case: false,
    end: "an object of the map",
    has_numbered_ends: true,
    has_classes: true,
};

/// Makes items of the objects in layers. `tile` is the size of a tile in pixels.
///
/// # Errors
///
/// Objects would copy too much text from the classes of their tiles.
pub(super) fn items(
    layers: Vec<Layer<'_>>,
    tilesets: &Tilesets,
    tile: [f64; 2],
) -> Result<Vec<Item>, Problem> {
    let mut items = Vec::new();
    let mut parts = Parts::default();
    for layer in layers {
        let name: Arc<str> = Arc::from(layer.name);
        for mut object in layer.objects {
            object.gid = object.gid.map(|bits| bits & !FLAGS);
            let gid = object.gid.filter(|_| object.class.is_empty());
            if let Some(class) = gid.and_then(|gid| tilesets.class(&object, gid)) {
                parts.take(parts_of_text(class.len()))?;
                object.class.clone_from(class);
            }
            items.push(Item {
                offset: object.offset,
                label: format!("object {}", object.id),
                id: object.id.to_string(),
                layer: name.clone(),
                has_cell: object.has_cell(),
                place: place(&object, &layer.around.floor, tilesets, tile),
                is_shifted: layer.around.is_shifted,
                class: object.class,
                name: object.name,
                properties: object.properties.into_iter().collect(),
            });
        }
    }
    Ok(items)
}

/// Returns where an object is.
///
/// A point lies in the cell around it, and a rectangle in that of its upper left corner. A tile
/// object lies in the cell under the middle of its lower left tile: the foot of a tall picture,
/// even if it was not snapped to the grid.
fn place(
    object: &Object,
    floor: &Value,
    tilesets: &Tilesets,
    tile: [f64; 2],
) -> Result<Place, NoPlace> {
    if let Some(file) = &object.missing {
        return Err(NoPlace::Template(file.clone()));
    }
    let [width, height] = size(object);
    let has_area = object.gid.is_some() || width > 0.0 || height > 0.0;
    // A point turns on the spot. Tiled writes whole turns too.
    let rotation = object.rotation.unwrap_or(0.0);
    if has_area && rotation % 360.0 != 0.0 {
        return Err(NoPlace::Rotated(rotation));
    }
    let ([x, y], sides) = match object.gid {
        None => ([object.x, object.y], [width, height]),
        Some(gid) => foot(object, tilesets.of_object(object, gid)?, tile)?,
    };
    // A rectangle drawn by hand means the cells that it is nearest to.
    let [columns, rows] = [0, 1].map(|axis| (sides[axis] / tile[axis]).round().max(1.0) as u16 - 1);
    let (above, below) = match object.gid {
        None => (0, rows),
        Some(_) => (rows, 0),
    };
    let floor = match floor {
        Value::Int(floor) => *floor,
        _ => -1,
    };
    Ok(Place {
        cell: [index(x / tile[0]), index(y / tile[1]), floor],
        before: [0, above],
        behind: [columns, below],
    })
}

/// Returns the column or row at a place. Numbers out of range saturate, which is outside every map.
fn index(place: f64) -> i64 {
    if place.is_nan() {
        -1
    } else {
        place.floor() as i64
    }
}

fn size(object: &Object) -> [f64; 2] {
    [object.width, object.height].map(|side| side.unwrap_or(0.0))
}

/// Returns the middle of the lower left tile of a tile object, and its sides, in pixels.
fn foot(
    object: &Object,
    tileset: Option<&Tileset>,
    tile: [f64; 2],
) -> Result<([f64; 2], [f64; 2]), NoPlace> {
    let [along, down] = tileset.map_or(Ok(LOWER_LEFT), origin)?;
    let natural = tileset.map_or([0, 0], |tileset| tileset.tile_size);
    let drawn = size(object);
    // Only files of old versions leave out the size of the object.
    let [width, height] = [0, 1].map(|axis| match (drawn[axis] > 0.0, natural[axis]) {
        (true, _) => drawn[axis],
        (false, 0) => tile[axis],
        (false, natural) => f64::from(natural),
    });
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
fn origin(tileset: &Tileset) -> Result<[f64; 2], NoPlace> {
    Ok(match tileset.alignment.as_str() {
        "" | "unspecified" | "bottomleft" => LOWER_LEFT,
        "bottom" => [0.5, 1.0],
        "bottomright" => [1.0, 1.0],
        "left" => [0.0, 0.5],
        "center" => [0.5, 0.5],
        "right" => [1.0, 0.5],
        "topleft" => [0.0, 0.0],
        "top" => [0.5, 0.0],
        "topright" => [1.0, 0.0],
        found => return Err(NoPlace::Alignment(tileset.name.clone(), found.to_owned())),
    })
}

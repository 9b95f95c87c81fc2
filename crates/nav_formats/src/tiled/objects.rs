//! Objects of Tiled maps that are no links.

use super::{
    error::TiledProblem,
    links,
    model::{Object, TiledMap, Value},
    options::Options,
    place::{Place, place_of},
};
use crate::{
    left_out::ObjectsLeftOut,
    object::{MapObject, covered},
    property::PropertyValue,
    quote::quoted,
    warning::Warning,
};
use nav_grid::Size;
use std::collections::BTreeSet;

/// Objects of a map, and what was left out of them.
pub(crate) struct Found {
    pub(crate) objects: Vec<MapObject>,
    pub(crate) warnings: Vec<Warning>,
}

/// Reasons why objects have no cell.
const OUTSIDE: &str = "they lie outside the map or its floors";
const SHAPE: &str = "only points, rectangles and tiles have a cell";
const TURNED: &str = "they are rotated, and only upright ones have a cell";
const TEMPLATE: &str = "the file of their template is missing";
const TILESET: &str = "the file of their tileset is missing";
const ALIGNMENT: &str = "the objectalignment of their tileset is unknown";

/// Types of properties that are read.
const TYPES: &str = "string, int, float, bool, color, file or object";

/// Returns the objects of a map.
///
/// An object without a cell is left out with a warning, and refuses no map: it may be decoration.
pub(crate) fn of(map: &TiledMap<'_>, options: &Options<'_>, size: Size) -> Found {
    let is_link = |object: &&Object| links::is_link(object, options);
    let all = map.objects.iter();
    let ends: BTreeSet<u32> = (all.filter(is_link)).filter_map(links::end_id).collect();
    let mut objects = Vec::new();
    let mut left_out = ObjectsLeftOut::default();
    for object in map.objects.iter().filter(|object| !is_link(object)) {
        let place = match place(object, map, size) {
            Ok(place) => place,
            Err(reason) => {
                // The end of a link has its meaning, whatever its shape.
                if !ends.contains(&object.id) {
                    left_out.add(reason, describe(object));
                }
                continue;
            }
        };
        let (area, is_cut) = place.area(size);
        if is_cut {
            left_out.cut.add(describe(object));
        }
        let mut read = MapObject {
            id: object.id.to_string(),
            class: object.class.clone(),
            name: object.name.clone(),
            layer: object.layer.clone(),
            area,
            ..MapObject::new("", "", place.cell)
        };
        for (name, value) in &object.properties {
            match property(value) {
                Ok(Some(value)) => {
                    read.properties.insert(name.clone(), value);
                }
                Ok(None) => {}
                Err(()) => {
                    let (name, object) = (quoted(name), object.id);
                    (left_out.types).add(format_args!("property '{name}' of object {object}"));
                }
            }
        }
        objects.push(read);
    }
    Found {
        objects,
        warnings: left_out.warnings(TYPES),
    }
}

/// Returns where an object is on the map, or why it has no cell.
fn place(object: &Object, map: &TiledMap<'_>, size: Size) -> Result<Place, &'static str> {
    if !object.has_cell {
        return Err(SHAPE);
    }
    let place = place_of(object, map).map_err(|problem| match problem {
        TiledProblem::Rotated { .. } => TURNED,
        TiledProblem::MissingTemplate { .. } => TEMPLATE,
        TiledProblem::MissingTileset { .. } => TILESET,
        _ => ALIGNMENT,
    })?;
    place
        .filter(|place| size.contains(place.cell))
        .ok_or(OUTSIDE)
}

impl Place {
    /// Returns the cells of the map that are covered, and whether others are, too.
    fn area(&self, size: Size) -> (nav_grid::Area, bool) {
        let [columns, rows] = self.sides.map(|side| side - 1);
        let (above, below) = if self.is_foot { (rows, 0) } else { (0, rows) };
        covered(self.cell, [0, above], [columns, below], size)
    }
}

/// Returns an object in the words of warnings, with its layer.
fn describe(object: &Object) -> String {
    let layer = quoted(&object.layer);
    let name = match (object.name.as_str(), object.class.as_str()) {
        ("", "") => String::new(),
        ("", class) => format!(" of class '{}'", quoted(class)),
        (name, _) => format!(" '{}'", quoted(name)),
    };
    format!("object {}{name} in layer '{layer}'", object.id)
}

/// Returns the value of a property, if there is one. The error is that its type is not read.
fn property(value: &Value) -> Result<Option<PropertyValue>, ()> {
    Ok(Some(match value {
        Value::Int(number) => PropertyValue::Integer(*number),
        Value::Number(number) => PropertyValue::Number(*number),
        Value::Bool(flag) => PropertyValue::Bool(*flag),
        Value::Text(text) => PropertyValue::Text(text.clone()),
        // Tiled writes unset colours and references so.
        Value::Colour(text) if text.is_empty() => return Ok(None),
        Value::Object(0) => return Ok(None),
        Value::Colour(text) => PropertyValue::Colour(text.clone()),
        Value::Object(id) => PropertyValue::Object(u32::try_from(*id).map_err(drop)?.to_string()),
        Value::Other => return Err(()),
    }))
}

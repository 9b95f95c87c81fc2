//! Entities of a level that are no links.

use super::{
    links::Placed,
    model::{Entity, Field, Layer, Value},
    options::Options,
    problem::LdtkProblem,
};
use crate::{
    left_out::ObjectsLeftOut,
    object::{MapObject, covered},
    property::PropertyValue,
    quote::quoted,
    warning::{Names, Warning},
};
use nav_grid::{Cell, Size};
use std::sync::Arc;

/// Greatest number of entities and of values of their fields in a level.
///
/// A guess, as for Tiled maps. It bounds the memory for fields, which take more than their text.
const VALUES_MAX: usize = 50_000;

const OUTSIDE: &str = "they lie outside the map";

/// Types of fields that are read.
const TYPES: &str = "Integer, Float, Boolean, String, Multilines, FilePath, Color, an enum, Point or \
                     Entity ref, or a list of up to 1000 of them without gaps";

/// Objects of a level, and what was left out of them.
pub(super) struct Found {
    pub(super) objects: Vec<MapObject>,
    /// Entities of layers with an offset.
    pub(super) shifted: Names,
    pub(super) warnings: Vec<Warning>,
}

/// Returns the objects of a level of `size`, whose cells have sides of `grid_size` pixels.
pub(super) fn of(
    layers: Vec<Layer>,
    size: Size,
    grid_size: i64,
    options: &Options<'_>,
) -> Result<Found, LdtkProblem> {
    let mut objects = Vec::new();
    let mut left_out = ObjectsLeftOut::default();
    let mut shifted = Names::default();
    let mut values = 0;
    for mut layer in layers {
        let name: Arc<str> = Arc::from(std::mem::take(&mut layer.identifier));
        for entity in std::mem::take(&mut layer.entities) {
            if options.is_link(&entity.identifier) {
                continue;
            }
            values += 1 + entity
                .fields
                .iter()
                .map(|it| it.value.count())
                .sum::<usize>();
            if values > VALUES_MAX {
                return Err(LdtkProblem::TooManyValues { max: VALUES_MAX });
            }
            let placed = Placed {
                entity: &entity,
                layer: &layer,
            };
            let describe = || format!("{} in layer '{}'", placed.describe(), quoted(&name));
            let Some(cell) = placed.cell(grid_size).filter(|cell| size.contains(*cell)) else {
                left_out.add(OUTSIDE, describe());
                continue;
            };
            if placed.is_shifted() {
                shifted.add(placed.describe());
            }
            let [columns, rows] = [0, 1].map(|axis| span(&entity, axis, grid_size));
            let before = [columns.0, rows.0];
            let (area, is_cut) = covered(cell, before, [columns.1, rows.1], size);
            if is_cut {
                left_out.cut.add(describe());
            }
            let place = placed.describe();
            let fields = entity.fields;
            let mut read = MapObject {
                layer: name.clone(),
                area,
                ..MapObject::new(entity.iid, entity.identifier, cell)
            };
            let to_map = |point| layer.to_map(point, grid_size, size);
            take_fields(fields, &mut read, &place, &to_map, &mut left_out);
            objects.push(read);
        }
    }
    Ok(Found {
        objects,
        shifted,
        warnings: left_out.warnings(TYPES),
    })
}

/// Makes properties of fields. `place` is the entity in the words of warnings.
fn take_fields(
    fields: Vec<Field>,
    object: &mut MapObject,
    place: &str,
    to_map: &impl Fn([i64; 2]) -> Option<Cell>,
    left_out: &mut ObjectsLeftOut,
) {
    for field in fields {
        if field.value == Value::Null {
            continue;
        }
        if let Some(value) = property(field.value, field.is_colour, to_map) {
            object.properties.insert(field.identifier, value);
        } else {
            let field = quoted(&field.identifier);
            (left_out.types).add(format_args!("field '{field}' of {place}"));
        }
    }
}

/// Returns how many columns, or rows, an entity covers before its cell and behind it.
fn span(entity: &Entity, axis: usize, grid_size: i64) -> (u16, u16) {
    let pixels = [entity.width, entity.height][axis].max(0) as f64;
    let cells = (pixels / grid_size as f64).round().max(1.0) as u16;
    // The pivot is in the cell of the entity: 0 is its first column, 1 its last.
    let before = (entity.pivot[axis] * f64::from(cells)).floor() as u16;
    let before = before.min(cells - 1);
    (before, cells - 1 - before)
}

impl Layer {
    /// Returns the cell of the map that a cell of this layer is in, if the map has it.
    fn to_map(&self, place: [i64; 2], grid_size: i64, size: Size) -> Option<Cell> {
        let [x, y] = place.map(|it| it.saturating_mul(self.grid_size).div_euclid(grid_size));
        let cell = Cell::new(u16::try_from(x).ok()?, u16::try_from(y).ok()?);
        size.contains(cell).then_some(cell)
    }
}

/// Returns the value of a field, if its type is read.
fn property(
    value: Value,
    is_colour: bool,
    to_map: &impl Fn([i64; 2]) -> Option<Cell>,
) -> Option<PropertyValue> {
    Some(match value {
        Value::Int(number) => PropertyValue::Integer(number),
        Value::Number(number) => PropertyValue::Number(number),
        Value::Bool(flag) => PropertyValue::Bool(flag),
        Value::Text(text) if is_colour => PropertyValue::Colour(text),
        Value::Text(text) => PropertyValue::Text(text),
        Value::Entity(iid) => PropertyValue::Object(iid),
        Value::Point(x, y) => PropertyValue::Cell(to_map([x, y])?),
        Value::List(list) => {
            let list = list.into_iter();
            let items = list.map(|value| match value {
                Value::List(_) => None,
                value => property(value, is_colour, to_map),
            });
            PropertyValue::List(items.collect::<Option<_>>()?)
        }
        Value::Null | Value::Other => return None,
    })
}

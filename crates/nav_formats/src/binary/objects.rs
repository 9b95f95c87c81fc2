//! Objects in binary maps, behind everything else.

use super::take;
use crate::{binary_problem::BinaryProblem, object::MapObject, property::PropertyValue};
use nav_grid::{Area, Cell, Size};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Greatest number of objects, properties and values in lists. A guess, as for Tiled maps: it bounds
/// the memory, which is far more than the few bytes that each may take in the file.
const VALUES_MAX: usize = 50_000;

/// Fields of an object before its properties.
#[derive(Serialize, Deserialize)]
struct Head<'a> {
    id: &'a str,
    class: &'a str,
    name: &'a str,
    layer: &'a str,
    cell: Cell,
    area: Area,
    properties: usize,
}

/// Name of a property, and the number of values if it is a list.
type PropertyHead<'a> = (&'a str, Option<usize>);

/// Value that is no list, so that nothing nests.
#[derive(Serialize, Deserialize)]
enum Value<'a> {
    Text(&'a str),
    Integer(i64),
    Number(f64),
    Bool(bool),
    Colour(&'a str),
    Object(&'a str),
    Cell(Cell),
}

/// Returns why an object cannot be written, if so.
pub(crate) fn fault(object: &MapObject) -> Option<&'static str> {
    let is_list = |value: &PropertyValue| matches!(value, PropertyValue::List(_));
    let nests = |value: &PropertyValue| match value {
        PropertyValue::List(list) => list.iter().any(is_list),
        _ => false,
    };
    let is_infinite = |value: &PropertyValue| match value {
        PropertyValue::Number(number) => !number.is_finite(),
        _ => false,
    };
    if object.properties.values().any(nests) {
        Some("it has a list of lists; expected lists of single values")
    } else if object.properties.values().any(is_infinite) {
        Some("it has a number that is not finite")
    } else if !object.area.contains(object.cell) {
        Some("its cell is not in its area")
    } else {
        None
    }
}

/// Adds the objects that can be written behind the body of a map.
pub(super) fn put(objects: &[MapObject], body: &mut Vec<u8>) -> Result<(), postcard::Error> {
    let objects: Vec<&MapObject> = objects.iter().filter(|it| fault(it).is_none()).collect();
    add(&objects.len(), body)?;
    for object in objects {
        let head = Head {
            id: &object.id,
            class: &object.class,
            name: &object.name,
            layer: &object.layer,
            cell: object.cell,
            area: object.area,
            properties: object.properties.len(),
        };
        add(&head, body)?;
        for (name, value) in &object.properties {
            let (values, count) = match value {
                PropertyValue::List(list) => (list.as_slice(), Some(list.len())),
                value => (std::slice::from_ref(value), None),
            };
            let head: PropertyHead<'_> = (name, count);
            add(&head, body)?;
            for value in values.iter().filter_map(Value::of) {
                add(&value, body)?;
            }
        }
    }
    Ok(())
}

fn add(value: &impl Serialize, body: &mut Vec<u8>) -> Result<(), postcard::Error> {
    body.extend(postcard::to_allocvec(value)?);
    Ok(())
}

/// Decodes the objects of a map, and returns them with the bytes behind them.
pub(super) fn take_all(size: Size, bytes: &[u8]) -> Result<(Vec<MapObject>, &[u8]), BinaryProblem> {
    let (count, mut rest): (usize, _) = take(bytes)?;
    let mut left = VALUES_MAX;
    let mut claim = |count: usize| {
        left = left.checked_sub(count)?;
        Some(())
    };
    let too_many = || wrong(format!("more than {VALUES_MAX} objects and properties"));
    claim(count).ok_or_else(too_many)?;
    // Grows with the bytes that are there, not with the count that the file claims.
    let mut objects: Vec<MapObject> = Vec::new();
    for _ in 0..count {
        let (head, behind): (Head<'_>, _) = take(rest)?;
        rest = behind;
        claim(head.properties).ok_or_else(too_many)?;
        let mut object = object(&head, objects.last());
        for _ in 0..head.properties {
            let ((name, length), behind): (PropertyHead<'_>, _) = take(rest)?;
            rest = behind;
            claim(length.unwrap_or(0)).ok_or_else(too_many)?;
            let mut values = Vec::new();
            for _ in 0..length.unwrap_or(1) {
                let (value, behind): (Value<'_>, _) = take(rest)?;
                rest = behind;
                values.push(value.into_property(size)?);
            }
            let value = match (length, values.pop()) {
                (None, Some(value)) => value,
                (_, last) => {
                    values.extend(last);
                    PropertyValue::List(values)
                }
            };
            object.properties.insert(name.to_owned(), value);
        }
        let is_inside = size.contains(object.area.first()) && size.contains(object.area.last());
        if !is_inside || !object.area.contains(object.cell) {
            return Err(wrong(format!("{} lies outside the map", object.describe())));
        }
        objects.push(object);
    }
    Ok((objects, rest))
}

/// Returns an object without its properties. It shares the name of its layer with the one before.
fn object(head: &Head<'_>, before: Option<&MapObject>) -> MapObject {
    let shared = before.filter(|before| *before.layer == *head.layer);
    MapObject {
        name: head.name.to_owned(),
        layer: shared.map_or_else(|| Arc::from(head.layer), |before| before.layer.clone()),
        area: head.area,
        ..MapObject::new(head.id, head.class, head.cell)
    }
}

fn wrong(reason: String) -> BinaryProblem {
    BinaryProblem::Body { reason }
}

impl<'a> Value<'a> {
    /// Returns a value, unless it is a list.
    fn of(value: &'a PropertyValue) -> Option<Self> {
        Some(match value {
            PropertyValue::Text(text) => Self::Text(text),
            PropertyValue::Integer(number) => Self::Integer(*number),
            PropertyValue::Number(number) => Self::Number(*number),
            PropertyValue::Bool(flag) => Self::Bool(*flag),
            PropertyValue::Colour(text) => Self::Colour(text),
            PropertyValue::Object(id) => Self::Object(id),
            PropertyValue::Cell(cell) => Self::Cell(*cell),
            PropertyValue::List(_) => return None,
        })
    }

    fn into_property(self, size: Size) -> Result<PropertyValue, BinaryProblem> {
        Ok(match self {
            Self::Text(text) => PropertyValue::Text(text.to_owned()),
            Self::Integer(number) => PropertyValue::Integer(number),
            Self::Number(number) if !number.is_finite() => {
                return Err(wrong(format!("the number {number} in a property")));
            }
            Self::Number(number) => PropertyValue::Number(number),
            Self::Bool(flag) => PropertyValue::Bool(flag),
            Self::Colour(text) => PropertyValue::Colour(text.to_owned()),
            Self::Object(id) => PropertyValue::Object(id.to_owned()),
            Self::Cell(cell) if !size.contains(cell) => {
                return Err(wrong(format!(
                    "the cell {cell} in a property is outside the map"
                )));
            }
            Self::Cell(cell) => PropertyValue::Cell(cell),
        })
    }
}

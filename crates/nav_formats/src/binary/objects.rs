//! Objects in binary maps, behind everything else.

use super::{Body, add, undecoded};
use crate::{error::Problem, limit::Parts, object::MapObject, property::PropertyValue};
use nav_grid::{Area, Cell, Size};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

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
pub(super) fn fault(object: &MapObject) -> Option<&'static str> {
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

impl Body<'_> {
    /// Decodes the objects of a map. Memory grows with the bytes that are there, not with the
    /// counts that the file claims.
    pub(super) fn take_objects(&mut self, size: Size) -> Result<Vec<MapObject>, Problem> {
        let mut parts = Parts::default();
        let count: usize = self.take()?;
        parts.take(count)?;
        let mut objects: Vec<MapObject> = Vec::new();
        for _ in 0..count {
            let head: Head<'_> = self.take()?;
            parts.take(head.properties)?;
            // An object shares the name of its layer with the one before.
            let shared = objects.last().filter(|before| *before.layer == *head.layer);
            let mut object = MapObject {
                name: head.name.to_owned(),
                layer: shared.map_or_else(|| Arc::from(head.layer), |before| before.layer.clone()),
                area: head.area,
                ..MapObject::new(head.id, head.class, head.cell)
            };
            for _ in 0..head.properties {
                let (name, length): PropertyHead<'_> = self.take()?;
                let value = match length {
                    None => self.take_value(size)?,
                    Some(length) => {
                        parts.take(length)?;
                        let values = (0..length).map(|_| self.take_value(size));
                        PropertyValue::List(values.collect::<Result<_, _>>()?)
                    }
                };
                object.properties.insert(name.to_owned(), value);
            }
            let is_inside = size.contains(object.area.first()) && size.contains(object.area.last());
            if !is_inside || !object.area.contains(object.cell) {
                return Err(undecoded(format!(
                    "{} lies outside the map",
                    object.describe()
                )));
            }
            objects.push(object);
        }
        Ok(objects)
    }

    fn take_value(&mut self, size: Size) -> Result<PropertyValue, Problem> {
        Ok(match self.take()? {
            Value::Text(text) => PropertyValue::Text(text.to_owned()),
            Value::Integer(number) => PropertyValue::Integer(number),
            Value::Number(number) if !number.is_finite() => {
                return Err(undecoded(format!("the number {number} in a property")));
            }
            Value::Number(number) => PropertyValue::Number(number),
            Value::Bool(flag) => PropertyValue::Bool(flag),
            Value::Colour(text) => PropertyValue::Colour(text.to_owned()),
            Value::Object(id) => PropertyValue::Object(id.to_owned()),
            Value::Cell(cell) if !size.contains(cell) => {
                return Err(undecoded(format!(
                    "the cell {cell} in a property is outside the map"
                )));
            }
            Value::Cell(cell) => PropertyValue::Cell(cell),
        })
    }
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
}

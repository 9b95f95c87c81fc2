//! Objects in binary maps, behind everything else.

use super::{Body, add, undecoded};
use crate::{error::Problem, limit::Parts, object::MapObject, property::PropertyValue};
use nav_grid::{Area, Cell, Size};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Object as a file has it.
#[derive(Serialize, Deserialize)]
struct Object<'a> {
    id: &'a str,
    class: &'a str,
    name: &'a str,
    layer: &'a str,
    cell: Cell,
    area: Area,
    #[serde(borrow)]
    properties: Vec<(&'a str, Property<'a>)>,
}

#[derive(Serialize, Deserialize)]
enum Property<'a> {
    #[serde(borrow)]
    Single(Value<'a>),
    List(Vec<Value<'a>>),
}

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
    for value in object.properties.values() {
        if matches!(value, PropertyValue::List(_)) && Property::of(value).is_none() {
            return Some("it has a list of lists; expected lists of single values");
        }
    }
    if object.has_infinite_number() {
        Some("it has a number that is not finite")
    } else if !object.area.contains(object.cell) {
        Some("its cell is not in its area")
    } else {
        None
    }
}

/// Adds the objects that can be written behind the body of a map.
pub(super) fn put(objects: &[MapObject], body: &mut Vec<u8>) -> Result<(), postcard::Error> {
    let writable = objects.iter().filter(|object| fault(object).is_none());
    add(&writable.clone().count(), body)?;
    for object in writable {
        let properties = object.properties.iter();
        let written = Object {
            id: &object.id,
            class: &object.class,
            name: &object.name,
            layer: &object.layer,
            cell: object.cell,
            area: object.area,
            properties: properties
                .filter_map(|(name, value)| Some((name.as_str(), Property::of(value)?)))
                .collect(),
        };
        add(&written, body)?;
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
            let read: Object<'_> = self.take()?;
            // An object shares the name of its layer with the one before.
            let shared = objects.last().filter(|before| *before.layer == *read.layer);
            let mut object = MapObject {
                name: read.name.to_owned(),
                layer: shared.map_or_else(|| Arc::from(read.layer), |before| before.layer.clone()),
                area: read.area,
                ..MapObject::new(read.id, read.class, read.cell)
            };
            for (name, property) in read.properties {
                parts.take(1)?;
                let value = match property {
                    Property::Single(value) => value.into_property(size)?,
                    Property::List(list) => {
                        parts.take(list.len())?;
                        let values = list.into_iter().map(|it| it.into_property(size));
                        PropertyValue::List(values.collect::<Result<_, _>>()?)
                    }
                };
                object.properties.insert(name.to_owned(), value);
            }
            let is_inside = size.contains(object.area.first()) && size.contains(object.area.last());
            if !is_inside || !object.area.contains(object.cell) {
                let described = object.describe();
                return Err(undecoded(format_args!("{described} lies outside the map")));
            }
            objects.push(object);
        }
        Ok(objects)
    }
}

impl<'a> Property<'a> {
    /// Returns a property, unless it is a list of lists.
    fn of(value: &'a PropertyValue) -> Option<Self> {
        match value {
            PropertyValue::List(list) => list
                .iter()
                .map(Value::of)
                .collect::<Option<_>>()
                .map(Self::List),
            value => Value::of(value).map(Self::Single),
        }
    }
}

impl<'a> Value<'a> {
    fn into_property(self, size: Size) -> Result<PropertyValue, Problem> {
        Ok(match self {
            Self::Text(text) => PropertyValue::Text(text.to_owned()),
            Self::Integer(number) => PropertyValue::Integer(number),
            Self::Number(number) if !number.is_finite() => {
                return Err(undecoded(format_args!("the number {number} in a property")));
            }
            Self::Number(number) => PropertyValue::Number(number),
            Self::Bool(flag) => PropertyValue::Bool(flag),
            Self::Colour(text) => PropertyValue::Colour(text.to_owned()),
            Self::Object(id) => PropertyValue::Object(id.to_owned()),
            Self::Cell(cell) if !size.contains(cell) => {
                let found = format_args!("the cell {cell} in a property is outside the map");
                return Err(undecoded(found));
            }
            Self::Cell(cell) => PropertyValue::Cell(cell),
        })
    }

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

//! Links, which Tiled maps draw as objects.

use super::{
    error::TiledProblem,
    model::{Object, TiledMap, Value},
    options::Options,
    place::{cell, cell_of},
};
use crate::link_numbers::LINK_NUMBERS;
use nav_grid::{Cell, Link, Size};
use std::collections::BTreeMap;

/// Objects of a map by id.
pub(crate) type Ids<'m> = BTreeMap<u32, &'m Object>;

/// Returns the link that an object stands for, if any, and the link back if it has two ways.
pub(crate) fn drawn(
    object: &Object,
    map: &TiledMap<'_>,
    ids: &Ids<'_>,
    options: &Options<'_>,
    size: Size,
) -> Result<[Option<Link>; 2], TiledProblem> {
    // Without its template the class is not known.
    if object.class.is_empty() {
        object.complete()?;
    }
    if !is_link(object, options) {
        return Ok([None; 2]);
    }
    if !object.has_cell {
        let object = object.id;
        return Err(TiledProblem::LinkShape { object });
    }
    let inside = |cell: Option<Cell>, end| {
        let is_inside =
            |cell: &Cell| cell.x < size.width && cell.y < size.height && cell.floor < size.floors;
        cell.filter(is_inside).ok_or(TiledProblem::LinkOutside {
            object: object.id,
            end,
        })
    };
    let from = inside(cell_of(object, map)?, "start")?;
    let to = inside(end(object, map, ids)?, "end")?;
    let both = match object.properties.get("two_way") {
        None => false,
        Some(&Value::Bool(both)) => both,
        other => return Err(property(object, "two_way", other, "a bool")),
    };
    let link = with_numbers(Link::new(from, to), object)?;
    Ok([Some(link), both.then(|| link.reversed())])
}

/// Returns a link with the numbers that an object gives it.
fn with_numbers(mut link: Link, object: &Object) -> Result<Link, TiledProblem> {
    for number in &LINK_NUMBERS {
        let Some(found) = object.properties.get(number.name) else {
            continue;
        };
        let changed = match *found {
            Value::Int(value) => number.put(link, value),
            _ => None,
        };
        let wrong = || property(object, number.name, Some(found), &number.expected());
        link = changed.ok_or_else(wrong)?;
    }
    Ok(link)
}

/// Returns whether an object stands for a link.
pub(crate) fn is_link(object: &Object, options: &Options<'_>) -> bool {
    (options.link.iter()).any(|class| class.eq_ignore_ascii_case(&object.class))
}

/// Returns the id of the object that a link leads to, if it names one.
pub(crate) fn end_id(object: &Object) -> Option<u32> {
    match object.properties.get("to") {
        // Files of old versions have plain numbers.
        Some(&(Value::Object(id) | Value::Int(id))) => u32::try_from(id).ok(),
        _ => None,
    }
}

/// Returns the target of a link, which may be outside the map.
fn end(object: &Object, map: &TiledMap<'_>, ids: &Ids<'_>) -> Result<Option<Cell>, TiledProblem> {
    if let Some(to) = object.properties.get("to") {
        return match end_id(object).and_then(|id| ids.get(&id)) {
            Some(target) => cell_of(target, map),
            None => Err(property(object, "to", Some(to), "an object of the map")),
        };
    }
    let number = |name, default| match object.properties.get(name).or(default) {
        Some(&Value::Int(number)) => Ok(number),
        other => Err(property(object, name, other, "a whole number")),
    };
    let (x, y) = (number("to_x", None)?, number("to_y", None)?);
    let floor = number("to_floor", Some(&object.floor))?;
    Ok(cell(x, y, floor))
}

fn property(
    object: &Object,
    property: &'static str,
    found: Option<&Value>,
    expected: &str,
) -> TiledProblem {
    TiledProblem::Property {
        owner: format!("object {}", object.id),
        property,
        found: Value::describe(found),
        expected: expected.to_owned(),
    }
}

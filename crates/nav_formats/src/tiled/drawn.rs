//! Objects as written maps have them: links, and objects of the game.

use super::{options::Options, picture::TILE};
use crate::{link_numbers::LINK_NUMBERS, object::MapObject, property::PropertyValue};
use nav_grid::{Cell, Grid, Link};
use std::collections::{BTreeMap, BTreeSet};

/// Layer of objects of one floor.
pub(crate) struct Group<'m> {
    pub(crate) name: &'m str,
    pub(crate) floor: u8,
    pub(crate) objects: Vec<Drawn<'m>>,
}

/// Object in pixels.
pub(crate) struct Drawn<'m> {
    pub(crate) id: u32,
    pub(crate) name: &'m str,
    pub(crate) class: &'m str,
    pub(crate) at: [usize; 2],
    pub(crate) shape: Shape,
    pub(crate) properties: Vec<Property<'m>>,
}

/// Shape of an object, with its sides in pixels.
pub(crate) enum Shape {
    Point,
    Rectangle([usize; 2]),
    /// The first tile, with its origin at the lower left.
    Tile([usize; 2]),
}

/// Property of an object.
pub(crate) struct Property<'m> {
    pub(crate) name: &'m str,
    /// Type of Tiled.
    pub(crate) kind: &'static str,
    pub(crate) value: String,
}

impl Property<'_> {
    /// Returns whether the value is text in JSON.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.kind, "string" | "color")
    }
}

/// Returns why an object cannot be written, if so.
pub(crate) fn fault(object: &MapObject) -> Option<&'static str> {
    let links = Options::default().link;
    let texts = object.properties.iter().flat_map(|(name, value)| {
        let text = match value {
            PropertyValue::Text(text) | PropertyValue::Colour(text) => text,
            _ => "",
        };
        [name, text]
    });
    let own = [object.class.as_str(), &object.name, &object.layer];
    let is_finite = |value: &PropertyValue| match value {
        PropertyValue::Number(number) => number.is_finite(),
        _ => true,
    };
    if links.iter().any(|class| object.is_of(class)) {
        Some("its class is that of links; expected another one")
    } else if own.into_iter().chain(texts).any(|text| text.contains('\0')) {
        Some("it has text with a zero; expected none, which XML cannot hold")
    } else if !object.properties.values().all(is_finite) {
        Some("it has a number that is not finite")
    } else if shape(object).is_none() {
        Some("its cell is inside its area; expected the upper left or the lower left cell of it")
    } else {
        None
    }
}

/// Returns the shape of an object, and where it is.
fn shape(object: &MapObject) -> Option<(Shape, [usize; 2])> {
    let (first, last) = (object.area.first(), object.area.last());
    let pixels = |cells: u16| usize::from(cells) * TILE;
    let sides = [last.x - first.x, last.y - first.y].map(|cells| pixels(cells) + TILE);
    let left = pixels(first.x);
    let foot = Cell::new(first.x, last.y).on_floor(first.floor);
    if object.cell == first {
        Some((Shape::Rectangle(sides), [left, pixels(first.y)]))
    } else if object.cell == foot {
        Some((Shape::Tile(sides), [left, pixels(last.y) + TILE]))
    } else {
        None
    }
}

/// Returns the layers of objects of a map: links by floor, then the others in their order.
pub(crate) fn groups<'m>(grid: &'m Grid, objects: &'m [MapObject]) -> Vec<Group<'m>> {
    let writable: Vec<&MapObject> = objects.iter().filter(|it| fault(it).is_none()).collect();
    let mut ids = Ids::of(&writable);
    let mut groups = Vec::new();
    for links in grid
        .links()
        .chunk_by(|one, next| one.from.floor == next.from.floor)
    {
        groups.push(Group {
            name: "links",
            floor: links.first().map_or(0, |link| link.from.floor),
            objects: links.iter().map(|it| link(it, ids.unused())).collect(),
        });
    }
    let is_same_layer = |one: &&MapObject, next: &&MapObject| {
        one.layer == next.layer && one.cell.floor == next.cell.floor
    };
    for objects in writable.chunk_by(is_same_layer) {
        let drawn = objects.iter().filter_map(|object| ids.drawn(object));
        groups.push(Group {
            name: objects.first().map_or("", |object| &object.layer),
            floor: objects.first().map_or(0, |object| object.cell.floor),
            objects: drawn.collect(),
        });
    }
    groups
}

/// Numbers of objects in a written map.
struct Ids<'m> {
    numbers: BTreeMap<&'m str, u32>,
    used: BTreeSet<u32>,
    last: u32,
}

impl<'m> Ids<'m> {
    /// Keeps the ids that are numbers, as those of Tiled are, and gives numbers to others.
    fn of(objects: &[&'m MapObject]) -> Self {
        let mut ids = Self {
            numbers: BTreeMap::new(),
            used: BTreeSet::new(),
            last: 0,
        };
        for object in objects {
            // References to objects that are not there must lead to no other one.
            let referred = object.properties.values().filter_map(|value| match value {
                PropertyValue::Object(id) => number_of(id),
                _ => None,
            });
            ids.used.extend(referred.chain(number_of(&object.id)));
        }
        for object in objects {
            let own = number_of(&object.id);
            let number = own.unwrap_or_else(|| ids.unused());
            ids.numbers.insert(&object.id, number);
        }
        ids
    }

    fn unused(&mut self) -> u32 {
        loop {
            // There are far fewer objects than numbers.
            self.last = self.last.wrapping_add(1);
            if self.used.insert(self.last) {
                return self.last;
            }
        }
    }

    fn drawn(&self, object: &'m MapObject) -> Option<Drawn<'m>> {
        let (shape, at) = shape(object)?;
        let properties = object.properties.iter();
        let properties = properties.filter_map(|(name, value)| {
            let (kind, value) = self.value(value)?;
            Some(Property { name, kind, value })
        });
        Some(Drawn {
            id: self.numbers.get(object.id.as_str()).copied()?,
            name: &object.name,
            class: &object.class,
            at,
            shape,
            properties: properties.collect(),
        })
    }

    /// Returns the type and the text of a value, if Tiled has such values.
    fn value(&self, value: &PropertyValue) -> Option<(&'static str, String)> {
        Some(match value {
            PropertyValue::Text(text) => ("string", text.clone()),
            PropertyValue::Integer(number) => ("int", number.to_string()),
            PropertyValue::Number(number) => ("float", number.to_string()),
            PropertyValue::Bool(flag) => ("bool", flag.to_string()),
            PropertyValue::Colour(text) => ("color", text.clone()),
            PropertyValue::Object(id) => {
                let number = self.numbers.get(id.as_str()).copied();
                let number = number.or_else(|| number_of(id)).unwrap_or(0);
                ("object", number.to_string())
            }
            PropertyValue::Cell(_) | PropertyValue::List(_) => return None,
        })
    }
}

/// Returns the number of an id of Tiled.
fn number_of(id: &str) -> Option<u32> {
    // A zero in front, or a sign, would not be read again.
    id.parse()
        .ok()
        .filter(|number: &u32| number.to_string() == id)
}

/// Returns a link as an object with a number.
fn link(link: &Link, id: u32) -> Drawn<'static> {
    let numbers = LINK_NUMBERS.iter();
    // The cost is always among them.
    let numbers = numbers.filter(|number| number.name == "cost" || number.is_given(link));
    let numbers = numbers.map(|number| (number.name, number.of(link)));
    let end = [
        ("to_floor", u16::from(link.to.floor)),
        ("to_x", link.to.x),
        ("to_y", link.to.y),
    ];
    let property = |(name, value): (&'static str, u16)| Property {
        name,
        kind: "int",
        value: value.to_string(),
    };
    let centre = |index: u16| usize::from(index) * TILE + TILE / 2;
    Drawn {
        id,
        name: "",
        class: "link",
        at: [centre(link.from.x), centre(link.from.y)],
        shape: Shape::Point,
        properties: numbers.chain(end).map(property).collect(),
    }
}

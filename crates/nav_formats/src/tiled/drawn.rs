//! Objects as written maps have them: links, and objects of the game.

use super::part::{Node, Part, layer, part};
use crate::{
    editor::LINK_NUMBERS,
    editor_names::{EditorNames, is_among},
    object::MapObject,
    property::PropertyValue,
};
use nav_grid::{Cell, Grid, Link};
use std::collections::{BTreeMap, BTreeSet};

/// Side of a tile in pixels, as in the picture of the tiles: 16 of them are its side.
pub(super) const TILE: usize = 16;

/// Shape of an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Rectangle,
    /// The first tile, with its origin at the lower left.
    Tile,
}

/// Returns why an object cannot be written, if so.
pub(super) fn fault(object: &MapObject) -> Option<&'static str> {
    let texts = object.properties.iter().flat_map(|(name, value)| {
        let text = match value {
            PropertyValue::Text(text) | PropertyValue::Colour(text) => text,
            _ => "",
        };
        [name, text]
    });
    let own = [object.class.as_str(), &object.name, &object.layer];
    if is_among(&object.class, &EditorNames::tiled().link) {
        Some("its class is that of links; expected another one")
    } else if own.into_iter().chain(texts).any(|text| text.contains('\0')) {
        Some("it has text with a zero; expected none, which XML cannot hold")
    } else if object.has_infinite_number() {
        Some("it has a number that is not finite")
    } else if shape(object).is_none() {
        Some("its cell is inside its area; expected the upper left or the lower left cell of it")
    } else {
        None
    }
}

/// Returns the shape that an object has by its cell and its area.
fn shape(object: &MapObject) -> Option<Shape> {
    let (first, last) = (object.area.first(), object.area.last());
    let foot = Cell::new(first.x, last.y).on_floor(first.floor);
    match object.cell {
        cell if cell == first => Some(Shape::Rectangle),
        cell if cell == foot => Some(Shape::Tile),
        _ => None,
    }
}

/// Returns the layers of objects of a map, links by floor and then the others in their order, and
/// the number that the next object gets in the editor.
pub(super) fn object_layers<'m>(grid: &'m Grid, objects: &'m [MapObject]) -> (Vec<Part<'m>>, i64) {
    let writable: Vec<&MapObject> = objects.iter().filter(|it| fault(it).is_none()).collect();
    let mut ids = Ids::of(&writable);
    let mut layers = Vec::new();
    for links in (grid.links()).chunk_by(|one, next| one.from.floor == next.from.floor) {
        let drawn = links.iter().map(|it| link(it, ids.unused())).collect();
        layers.push(object_layer("links", links[0].from.floor, drawn));
    }
    for objects in
        writable.chunk_by(|one, next| one.layer == next.layer && one.cell.floor == next.cell.floor)
    {
        let drawn = objects.iter().filter_map(|object| ids.object(object));
        let first = objects[0];
        layers.push(object_layer(
            &first.layer,
            first.cell.floor,
            drawn.collect(),
        ));
    }
    let last = ids.used.last().copied().unwrap_or(0);
    (layers, i64::from(last) + 1)
}

fn object_layer<'m>(name: &'m str, floor: u8, objects: Vec<Part<'m>>) -> Part<'m> {
    let mut layer = layer("objectgroup", name, floor);
    let content = part! { "draworder": "topdown", "objects": objects };
    layer.0.extend(content.0);
    layer
}

/// Returns the offset of a column or row in pixels.
fn pixels(cells: u16) -> usize {
    usize::from(cells) * TILE
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

    /// Returns an object that can be written.
    fn object(&self, object: &'m MapObject) -> Option<Part<'m>> {
        let (first, last) = (object.area.first(), object.area.last());
        let [width, height] = [last.x - first.x, last.y - first.y].map(|it| pixels(it) + TILE);
        let id = self.numbers.get(object.id.as_str()).copied()?;
        let properties: Vec<_> = (object.properties.iter())
            .filter_map(|(name, value)| self.property(name, value))
            .collect();
        let mut part = part! {
            "id": id, "name": &object.name, "type": &object.class, "x": pixels(first.x),
            "width": width, "height": height, "rotation": 0_i64, "visible": true,
            "properties": properties,
        };
        part.0.extend(match shape(object)? {
            Shape::Rectangle => part! { "y": pixels(first.y) }.0,
            Shape::Tile => part! { "y": pixels(last.y) + TILE, "gid": 1_i64 }.0,
        });
        Some(part)
    }

    /// Returns a property, if Tiled has such values.
    fn property(&self, name: &'m str, value: &'m PropertyValue) -> Option<Part<'m>> {
        let (kind, value) = match value {
            PropertyValue::Text(text) => ("string", Node::from(text)),
            PropertyValue::Integer(number) => ("int", Node::from(*number)),
            PropertyValue::Number(number) => ("float", Node::from(*number)),
            PropertyValue::Bool(flag) => ("bool", Node::from(*flag)),
            PropertyValue::Colour(text) => ("color", Node::from(text)),
            PropertyValue::Object(id) => {
                let known = self.numbers.get(id.as_str()).copied();
                (
                    "object",
                    Node::from(known.or_else(|| number_of(id)).unwrap_or(0)),
                )
            }
            PropertyValue::Cell(_) | PropertyValue::List(_) => return None,
        };
        Some(part! { "name": name, "type": kind, "value": value })
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
fn link(link: &Link, id: u32) -> Part<'static> {
    let mut numbers = Vec::new();
    for number in &LINK_NUMBERS {
        // The cost is always among them.
        if number.name == "cost" || number.is_given(link) {
            numbers.push((number.name, number.of(link)));
        }
    }
    numbers.push(("to_floor", link.to.floor.into()));
    numbers.extend([("to_x", link.to.x), ("to_y", link.to.y)]);
    let properties: Vec<_> = (numbers.into_iter())
        .map(|(name, value)| part! { "name": name, "type": "int", "value": value })
        .collect();
    let [x, y] = [link.from.x, link.from.y].map(|index| pixels(index) + TILE / 2);
    part! {
        "id": id, "name": "", "type": "link", "x": x, "y": y, "width": 0_i64, "height": 0_i64,
        "rotation": 0_i64, "visible": true, "properties": properties, "point": true,
    }
}

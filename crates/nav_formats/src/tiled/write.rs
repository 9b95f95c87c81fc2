//! Writers of maps for Tiled: one tree, as XML and as JSON.

use super::{
    drawn::object_layers,
    picture::{COLUMNS, PICTURE_NAME, SIDE, TILE},
};
use crate::{cell_layer::CellLayer, object::MapObject};
use nav_grid::{Cell, Grid};
use quick_xml::{
    Writer,
    escape::escape,
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event, attributes::Attribute},
    name::QName,
};
use serde::{
    Serialize, Serializer,
    ser::{Error as _, SerializeMap},
};
use serde_json::value::RawValue;
use std::{fmt::Write as _, io};

/// Object of JSON, element of XML: its fields in the order in which XML needs them.
pub(super) struct Part<'m>(pub(super) Vec<(&'static str, Node<'m>)>);

/// Value of a field.
pub(super) enum Node<'m> {
    Int(i64),
    Float(f64),
    Flag(bool),
    Text(&'m str),
    Parts(Vec<Part<'m>>),
    Tiles(Tiles<'m>),
}

/// Makes a part of fields as JSON writes them.
macro_rules! part {
    ($($key:literal: $node:expr),* $(,)?) => {
        $crate::tiled::write::Part(vec![$(($key, $crate::tiled::write::Node::from($node))),*])
    };
}
pub(super) use part;

macro_rules! nodes {
    ($($of:ty: $node:expr),* $(,)?) => {$(
        impl<'m> From<$of> for Node<'m> {
            fn from(value: $of) -> Self {
                ($node)(value)
            }
        }
    )*};
}

nodes! {
    i64: Self::Int,
    u32: |number: u32| Self::Int(number.into()),
    u16: |number: u16| Self::Int(number.into()),
    usize: |number: usize| Self::Int(number as i64),
    f64: Self::Float,
    bool: Self::Flag,
    &'m str: Self::Text,
    &'m String: |text: &'m String| Self::Text(text),
    Vec<Part<'m>>: Self::Parts,
    Tiles<'m>: Self::Tiles,
}

/// Writes a map in XML, `.tmx`: all floors, costs, exits, terrain classes, sight, links and objects.
///
/// [`read_tmx`](super::read_tmx) with default options returns an equal grid and equal objects. Those with ids
/// that are no numbers, as of `LDtk`, get numbers. Properties that are points or lists are left out, and so are
/// objects that [`Format::write`](crate::Format::write) refuses. Tiled shows the tiles if
/// [`PICTURE`](super::PICTURE) is stored beside the file as [`PICTURE_NAME`].
pub fn write_tmx(grid: &Grid, objects: &[MapObject]) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 1);
    let declaration = Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None));
    let written = (writer.write_event(declaration))
        .and_then(|()| element("map", &map(grid, objects), &mut writer));
    debug_assert!(written.is_ok(), "writing to memory does not fail");
    String::from_utf8(writer.into_inner()).unwrap_or_default()
}

/// Writes a map in JSON, `.tmj`, with the same content as [`write_tmx`].
pub fn write_tmj(grid: &Grid, objects: &[MapObject]) -> String {
    // Writing to memory does not fail.
    serde_json::to_string_pretty(&map(grid, objects)).unwrap_or_default()
}

/// Returns a map.
fn map<'m>(grid: &'m Grid, objects: &'m [MapObject]) -> Part<'m> {
    let mut layers: Vec<Part<'_>> = Vec::new();
    for floor in 0..grid.floors() {
        let mut add = |name, kind| {
            let mut layer = layer("tilelayer", name, floor);
            layer.0.extend(part! {
                "width": grid.width(), "height": grid.height(), "data": Tiles { grid, floor, kind },
            }.0);
            layers.push(layer);
        };
        add("walkable", TileKind::Ground);
        if grid.has_costs() {
            add("cost", TileKind::Costs);
        }
        for layer in CellLayer::ALL.into_iter().filter(|layer| layer.is_in(grid)) {
            let name = match layer {
                CellLayer::Exits => "exits",
                CellLayer::Classes => "terrain",
                CellLayer::Sight => "sight",
            };
            add(name, TileKind::Numbers(layer));
        }
    }
    let (of_objects, next_object) = object_layers(grid, objects);
    layers.extend(of_objects);
    let next_layer = layers.len() + 1;
    for (id, layer) in (1_usize..).zip(&mut layers) {
        layer.0.insert(0, ("id", id.into()));
    }
    let tileset = part! {
        "firstgid": 1_i64, "name": "nav", "tilewidth": TILE, "tileheight": TILE,
        "tilecount": COLUMNS * COLUMNS, "columns": COLUMNS, "margin": 0_i64, "spacing": 0_i64,
        "image": PICTURE_NAME, "imagewidth": SIDE, "imageheight": SIDE,
    };
    part! {
        "type": "map", "version": "1.10", "orientation": "orthogonal", "renderorder": "right-down",
        "width": grid.width(), "height": grid.height(), "tilewidth": TILE, "tileheight": TILE,
        "infinite": false, "nextlayerid": next_layer, "nextobjectid": next_object,
        "tilesets": vec![tileset], "layers": layers,
    }
}

/// Returns a layer of a floor without its content.
pub(super) fn layer<'m>(kind: &'static str, name: &'m str, floor: u8) -> Part<'m> {
    let mut layer = part! {
        "type": kind, "name": name, "opacity": 1_i64, "visible": true, "x": 0_i64, "y": 0_i64,
    };
    if floor > 0 {
        let floor = part! { "name": "floor", "type": "int", "value": u16::from(floor) };
        layer.0.push(("properties", vec![floor].into()));
    }
    layer
}

/// Tiles of a layer.
pub(super) struct Tiles<'m> {
    grid: &'m Grid,
    floor: u8,
    kind: TileKind,
}

/// Meaning of a layer's tiles.
#[derive(Clone, Copy)]
enum TileKind {
    Ground,
    Costs,
    Numbers(CellLayer),
}

impl Tiles<'_> {
    /// Returns the global number of a cell's tile, 0 for none. The first tile has the number 1.
    fn gid(&self, cell: Cell) -> u16 {
        let (number, without) = match self.kind {
            TileKind::Ground => (u8::from(self.grid.is_walkable(cell)), 0),
            TileKind::Costs => (self.grid.cost(cell).max(1), 1),
            TileKind::Numbers(layer) => (layer.number(self.grid, cell), layer.unsaid()),
        };
        if number == without {
            0
        } else {
            u16::from(number) + 1
        }
    }

    /// Returns the numbers of all tiles between commas, each row on a line.
    fn csv(&self) -> String {
        let mut out = String::new();
        for y in 0..self.grid.height() {
            out.push_str(if y > 0 { ",\n" } else { "\n" });
            for x in 0..self.grid.width() {
                let comma = if x == 0 { "" } else { "," };
                let cell = Cell::new(x, y).on_floor(self.floor);
                // Writing to a string does not fail.
                let _ = write!(out, "{comma}{}", self.gid(cell));
            }
        }
        out.push('\n');
        out
    }
}

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, node) in &self.0 {
            map.serialize_entry(key, node)?;
        }
        map.end()
    }
}

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Int(number) => serializer.serialize_i64(*number),
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Parts(parts) => parts.serialize(serializer),
            // Each row on a line, where the pretty printer would have a line for each tile.
            Self::Tiles(tiles) => RawValue::from_string(format!("[{}]", tiles.csv()))
                .map_err(S::Error::custom)?
                .serialize(serializer),
        }
    }
}

/// Writes an element of XML, by the differences between the XML and the JSON of Tiled.
fn element(tag: &str, part: &Part<'_>, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
    let mut start = BytesStart::new(tag);
    let mut image = BytesStart::new("image");
    for (key, node) in &part.0 {
        match (*key, node) {
            // The tag says so.
            ("type", _) if matches!(tag, "map" | "layer" | "objectgroup") => {}
            ("image", node) => attribute(&mut image, "source", node),
            ("imagewidth", node) => attribute(&mut image, "width", node),
            ("imageheight", node) => attribute(&mut image, "height", node),
            ("point", _) | (_, Node::Parts(_) | Node::Tiles(_)) => {}
            (key, node) => attribute(&mut start, key, node),
        }
    }
    writer.write_event(Event::Start(start))?;
    if tag == "tileset" {
        writer.write_event(Event::Empty(image))?;
    }
    for (key, node) in &part.0 {
        match (*key, node) {
            ("point", _) => writer.write_event(Event::Empty(BytesStart::new("point")))?,
            ("properties", Node::Parts(parts)) => {
                writer.write_event(Event::Start(BytesStart::new("properties")))?;
                for part in parts {
                    element("property", part, writer)?;
                }
                writer.write_event(Event::End(BytesEnd::new("properties")))?;
            }
            (key, Node::Parts(parts)) => {
                for part in parts {
                    let tag = match (key, part.0.iter().find(|(key, _)| *key == "type")) {
                        ("tilesets", _) => "tileset",
                        ("objects", _) => "object",
                        (_, Some((_, Node::Text("tilelayer")))) => "layer",
                        _ => "objectgroup",
                    };
                    element(tag, part, writer)?;
                }
            }
            (_, Node::Tiles(tiles)) => {
                let mut data = BytesStart::new("data");
                data.push_attribute(("encoding", "csv"));
                writer.write_event(Event::Start(data))?;
                writer.write_event(Event::Text(BytesText::from_escaped(tiles.csv())))?;
                writer.write_event(Event::End(BytesEnd::new("data")))?;
            }
            _ => {}
        }
    }
    writer.write_event(Event::End(BytesEnd::new(tag)))
}

/// Adds an attribute. Flags are numbers there, except as values of properties.
fn attribute(tag: &mut BytesStart<'_>, key: &str, node: &Node<'_>) {
    let value = match node {
        Node::Int(number) => number.to_string(),
        Node::Float(number) => number.to_string(),
        Node::Flag(flag) if key == "value" => flag.to_string(),
        Node::Flag(flag) => u8::from(*flag).to_string(),
        Node::Text(text) => lines_kept(&escape(*text)),
        Node::Parts(_) | Node::Tiles(_) => return,
    };
    tag.push_attribute(Attribute {
        key: QName(key),
        value: value.into(),
    });
}

/// Returns escaped text with references for line ends and other controls, which a reader may make spaces of.
fn lines_kept(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            // Writing to a string does not fail.
            let _ = write!(out, "&#{};", u32::from(character));
        } else {
            out.push(character);
        }
    }
    out
}

//! Writers of maps for Tiled: one tree, as XML and as JSON.

use super::{
    drawn::{TILE, object_layers},
    part::{Node, Part, TileKind, Tiles, layer, part},
};
use crate::{cell_layer::CellLayer, object::MapObject};
use nav_grid::Grid;
use quick_xml::{
    Writer,
    escape::escape,
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event, attributes::Attribute},
    name::QName,
};
use std::{fmt::Write as _, io};

/// File name of [`PICTURE`] in written maps, in the folder of the map.
pub const PICTURE_NAME: &str = "nav-tiles.png";

/// Picture of the 256 tiles that written maps use, as PNG.
///
/// Tiled opens the maps without it, but then shows no tiles. Tiles 1 to 64 are costs, and a higher
/// cost is darker. Each tile has a spoke for every direction in the set that its number stands for.
pub const PICTURE: &[u8] = include_bytes!("nav-tiles.png");

/// Tiles in a row of the picture, and number of rows: room for 256 tiles.
const COLUMNS: usize = 16;
/// Side of the picture in pixels.
const SIDE: usize = COLUMNS * TILE;

/// Writes a map in XML, `.tmx`: all floors, costs, exits, terrain classes, sight, links and
/// objects.
///
/// [`read_tmx`](super::read_tmx) with default options returns an equal grid and equal objects.
/// Those with ids that are no numbers, as of `LDtk`, get numbers. Properties that are points or
/// lists are left out, and so are objects that [`Format::write`](crate::Format::write) refuses.
/// Tiled shows the tiles if [`PICTURE`](super::PICTURE) is stored beside the file as
/// [`PICTURE_NAME`].
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
        let mut kinds = vec![("walkable", TileKind::Ground)];
        if grid.has_costs() {
            kinds.push(("cost", TileKind::Costs));
        }
        for layer in CellLayer::ALL.into_iter().filter(|layer| layer.is_in(grid)) {
            let name = match layer {
                CellLayer::Exits => "exits",
                CellLayer::Classes => "terrain",
                CellLayer::Sight => "sight",
            };
            kinds.push((name, TileKind::Numbers(layer)));
        }
        for (name, kind) in kinds {
            let mut layer = layer("tilelayer", name, floor);
            layer.0.extend(part! {
                "width": grid.width(), "height": grid.height(), "data": Tiles { grid, floor, kind },
            }.0);
            layers.push(layer);
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

/// Returns escaped text with references for line ends and other controls, which a reader may make
/// spaces of.
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

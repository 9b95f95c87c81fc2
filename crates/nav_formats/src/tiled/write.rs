//! Writers of maps for Tiled.

use super::{
    drawn::{Drawn, Group, Shape, groups},
    picture::{COLUMNS, PICTURE_NAME, SIDE, TILE},
};
use crate::{cell_layer::CellLayer, object::MapObject};
use nav_grid::{Cell, Grid};
use std::{borrow::Cow, fmt::Write as _};

/// Writes a map in XML, `.tmx`: all floors, costs, exits, terrain classes, sight, links and objects.
///
/// [`read_tmx`](super::read_tmx) with default options returns an equal grid and equal objects. Those
/// with ids that are no numbers, as of `LDtk`, get numbers. Properties that are points or lists are
/// left out, and so are objects that [`Format::write`](crate::Format::write) refuses. Tiled shows the
/// tiles if [`picture`](super::picture()) is stored beside the file as [`PICTURE_NAME`].
pub fn write_tmx(grid: &Grid, objects: &[MapObject]) -> String {
    let parts = Parts::of(grid, objects);
    let (width, height) = (grid.width(), grid.height());
    let mut out = String::new();
    // Writing to a string does not fail, here and below.
    let _ = write!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <map version=\"1.10\" orientation=\"orthogonal\" renderorder=\"right-down\" \
         width=\"{width}\" height=\"{height}\" tilewidth=\"{TILE}\" tileheight=\"{TILE}\" \
         infinite=\"0\" nextlayerid=\"{}\" nextobjectid=\"{}\">\n \
         <tileset firstgid=\"1\" name=\"nav\" tilewidth=\"{TILE}\" tileheight=\"{TILE}\" \
         tilecount=\"{}\" columns=\"{COLUMNS}\">\n  \
         <image source=\"{PICTURE_NAME}\" width=\"{SIDE}\" height=\"{SIDE}\"/>\n </tileset>\n",
        parts.layers.len() + parts.groups.len() + 1,
        parts.next_object(),
        COLUMNS * COLUMNS,
    );
    let floor_xml = |floor: u8| match floor {
        0 => String::new(),
        _ => format!(
            "  <properties>\n   <property name=\"floor\" type=\"int\" value=\"{floor}\"/>\n  \
             </properties>\n"
        ),
    };
    let mut id = 0;
    for layer in &parts.layers {
        id += 1;
        let _ = write!(
            out,
            " <layer id=\"{id}\" name=\"{}\" width=\"{width}\" height=\"{height}\">\n{}  \
             <data encoding=\"csv\">\n",
            layer.name,
            floor_xml(layer.floor),
        );
        layer.csv(grid, ",\n", &mut out);
        out.push_str("\n</data>\n </layer>\n");
    }
    for group in &parts.groups {
        id += 1;
        let _ = write!(
            out,
            " <objectgroup id=\"{id}\" name=\"{}\">\n{}",
            escaped(group.name),
            floor_xml(group.floor),
        );
        for object in &group.objects {
            object_xml(object, &mut out);
        }
        out.push_str(" </objectgroup>\n");
    }
    out.push_str("</map>\n");
    out
}

fn object_xml(object: &Drawn<'_>, out: &mut String) {
    let [x, y] = object.at;
    let _ = write!(out, "  <object id=\"{}\"", object.id);
    for (attribute, text) in [("name", object.name), ("type", object.class)] {
        if !text.is_empty() {
            let _ = write!(out, " {attribute}=\"{}\"", escaped(text));
        }
    }
    if matches!(object.shape, Shape::Tile(_)) {
        out.push_str(" gid=\"1\"");
    }
    let _ = write!(out, " x=\"{x}\" y=\"{y}\"");
    if let Shape::Rectangle([width, height]) | Shape::Tile([width, height]) = object.shape {
        let _ = write!(out, " width=\"{width}\" height=\"{height}\"");
    }
    out.push_str(">\n");
    if !object.properties.is_empty() {
        out.push_str("   <properties>\n");
        for property in &object.properties {
            let _ = writeln!(
                out,
                "    <property name=\"{}\" type=\"{}\" value=\"{}\"/>",
                escaped(property.name),
                property.kind,
                escaped(&property.value)
            );
        }
        out.push_str("   </properties>\n");
    }
    if matches!(object.shape, Shape::Point) {
        out.push_str("   <point/>\n");
    }
    out.push_str("  </object>\n");
}

/// Returns a text as the value of an attribute. Lines stay lines.
fn escaped(text: &str) -> Cow<'_, str> {
    let is_special = |it: char| matches!(it, '&' | '<' | '>' | '"' | '\'') || it.is_control();
    if !text.contains(is_special) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_special(character) {
            let _ = write!(out, "&#{};", u32::from(character));
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// Writes a map in JSON, `.tmj`, with the same content as [`write_tmx`].
pub fn write_tmj(grid: &Grid, objects: &[MapObject]) -> String {
    let parts = Parts::of(grid, objects);
    let (width, height) = (grid.width(), grid.height());
    let floor_json = |floor: u8| match floor {
        0 => String::new(),
        _ => format!(
            "\"properties\":[{{\"name\":\"floor\",\"type\":\"int\",\"value\":{floor}}}],\n  "
        ),
    };
    let common = "\"opacity\":1, \"visible\":true, \"x\":0, \"y\":0";
    let mut out = String::from(
        "{ \"type\":\"map\", \"version\":\"1.10\", \"orientation\":\"orthogonal\", \
         \"renderorder\":\"right-down\", \"infinite\":false, \"compressionlevel\":-1,\n",
    );
    let _ = write!(
        out,
        " \"width\":{width}, \"height\":{height}, \"tilewidth\":{TILE}, \"tileheight\":{TILE}, \
         \"nextlayerid\":{}, \"nextobjectid\":{},\n \
         \"tilesets\":[\n {{ \"firstgid\":1, \"name\":\"nav\", \"tilewidth\":{TILE}, \
         \"tileheight\":{TILE}, \"tilecount\":{}, \"columns\":{COLUMNS}, \"margin\":0, \
         \"spacing\":0,\n  \"image\":\"{PICTURE_NAME}\", \"imagewidth\":{SIDE}, \
         \"imageheight\":{SIDE} }}],\n \"layers\":[",
        parts.layers.len() + parts.groups.len() + 1,
        parts.next_object(),
        COLUMNS * COLUMNS,
    );
    let mut id = 0;
    for layer in &parts.layers {
        let comma = if id == 0 { "" } else { "," };
        id += 1;
        let _ = write!(
            out,
            "{comma}\n {{ \"type\":\"tilelayer\", \"id\":{id}, \"name\":\"{}\", \
             \"width\":{width}, \"height\":{height}, {common},\n  {}\"data\":[\n",
            layer.name,
            floor_json(layer.floor),
        );
        layer.csv(grid, ",\n", &mut out);
        out.push_str("] }");
    }
    for group in &parts.groups {
        id += 1;
        let _ = write!(
            out,
            ",\n {{ \"type\":\"objectgroup\", \"id\":{id}, \"name\":{}, \
             \"draworder\":\"topdown\", {common},\n  {}\"objects\":[",
            in_json(group.name),
            floor_json(group.floor),
        );
        for (index, object) in group.objects.iter().enumerate() {
            out.push_str(if index == 0 { "\n" } else { ",\n" });
            object_json(object, &mut out);
        }
        out.push_str("] }");
    }
    out.push_str("]\n}\n");
    out
}

fn object_json(object: &Drawn<'_>, out: &mut String) {
    let [x, y] = object.at;
    let (shape, [width, height]) = match object.shape {
        Shape::Point => ("\"point\":true, ", [0; 2]),
        Shape::Rectangle(sides) => ("", sides),
        Shape::Tile(sides) => ("\"gid\":1, ", sides),
    };
    let _ = write!(
        out,
        "  {{ \"id\":{}, \"name\":{}, \"type\":{}, {shape}\"x\":{x}, \"y\":{y}, \
         \"width\":{width}, \"height\":{height}, \"rotation\":0, \"visible\":true,\n   \
         \"properties\":[",
        object.id,
        in_json(object.name),
        in_json(object.class),
    );
    for (index, property) in object.properties.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let value = if property.is_text() {
            Cow::Owned(in_json(&property.value))
        } else {
            Cow::Borrowed(property.value.as_str())
        };
        let _ = write!(
            out,
            "{comma}{{\"name\":{},\"type\":\"{}\",\"value\":{value}}}",
            in_json(property.name),
            property.kind
        );
    }
    out.push_str("] }");
}

/// Returns a text as a string of JSON.
fn in_json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Layers of a map, ordered by id.
struct Parts<'g> {
    layers: Vec<Layer>,
    groups: Vec<Group<'g>>,
}

impl<'g> Parts<'g> {
    fn of(grid: &'g Grid, objects: &'g [MapObject]) -> Self {
        let mut layers = Vec::new();
        for floor in 0..grid.floors() {
            let mut add = |name, tiles| layers.push(Layer { name, floor, tiles });
            add("walkable", Tiles::Ground);
            if grid.has_costs() {
                add("cost", Tiles::Costs);
            }
            for layer in CellLayer::ALL.into_iter().filter(|layer| layer.is_in(grid)) {
                let name = match layer {
                    CellLayer::Exits => "exits",
                    CellLayer::Classes => "terrain",
                    CellLayer::Sight => "sight",
                };
                add(name, Tiles::Numbers(layer));
            }
        }
        let groups = groups(grid, objects);
        Self { layers, groups }
    }

    /// Returns the number that the next object gets in the editor.
    fn next_object(&self) -> u64 {
        let objects = self.groups.iter().flat_map(|group| &group.objects);
        let last = objects.map(|object| object.id).max();
        u64::from(last.unwrap_or(0)) + 1
    }
}

/// Layer of tiles.
struct Layer {
    name: &'static str,
    floor: u8,
    tiles: Tiles,
}

/// The meaning of a layer's tiles.
#[derive(Clone, Copy)]
enum Tiles {
    Ground,
    Costs,
    Numbers(CellLayer),
}

impl Tiles {
    /// Returns the global number of a cell's tile, 0 for none. The first tile has the number 1.
    fn gid(self, grid: &Grid, cell: Cell) -> u16 {
        let (number, without) = match self {
            Self::Ground => (u8::from(grid.is_walkable(cell)), 0),
            Self::Costs => (grid.cost(cell).max(1), 1),
            Self::Numbers(layer) => (layer.number(grid, cell), layer.unsaid()),
        };
        if number == without {
            0
        } else {
            u16::from(number) + 1
        }
    }
}

impl Layer {
    fn csv(&self, grid: &Grid, row_end: &str, out: &mut String) {
        for y in 0..grid.height() {
            if y > 0 {
                out.push_str(row_end);
            }
            for x in 0..grid.width() {
                let comma = if x == 0 { "" } else { "," };
                let cell = Cell::new(x, y).on_floor(self.floor);
                let _ = write!(out, "{comma}{}", self.tiles.gid(grid, cell));
            }
        }
    }
}

//! Writers of maps for Tiled.

use super::picture::{COLUMNS, PICTURE_NAME, SIDE, TILE};
use crate::cell_layer::CellLayer;
use crate::link_numbers::LINK_NUMBERS;
use nav_grid::{Cell, Grid, Link};
use std::fmt::Write as _;

/// Writes a map in XML, `.tmx`: all floors, costs, exits, terrain
/// classes, sight and links.
///
/// [`read_tmx`](super::read_tmx) with default options returns an equal grid. Tiled shows the tiles
/// if [`picture`](super::picture()) is stored beside the file as [`PICTURE_NAME`].
pub fn write_tmx(grid: &Grid) -> String {
    let parts = Parts::of(grid);
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
        grid.links().len() + 1,
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
    let mut object = 0;
    for group in &parts.groups {
        id += 1;
        let _ = write!(
            out,
            " <objectgroup id=\"{id}\" name=\"links\">\n{}",
            floor_xml(group.floor),
        );
        for link in group.links {
            object += 1;
            let (x, y) = centre(link.from);
            let _ = writeln!(
                out,
                "  <object id=\"{object}\" type=\"link\" x=\"{x}\" y=\"{y}\">\n   <properties>"
            );
            for (name, value) in properties(link) {
                let _ = writeln!(
                    out,
                    "    <property name=\"{name}\" type=\"int\" value=\"{value}\"/>"
                );
            }
            out.push_str("   </properties>\n   <point/>\n  </object>\n");
        }
        out.push_str(" </objectgroup>\n");
    }
    out.push_str("</map>\n");
    out
}

/// Writes a map in JSON, `.tmj`, with the same content as [`write_tmx`].
pub fn write_tmj(grid: &Grid) -> String {
    let parts = Parts::of(grid);
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
        grid.links().len() + 1,
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
    let mut object = 0;
    for group in &parts.groups {
        id += 1;
        let _ = write!(
            out,
            ",\n {{ \"type\":\"objectgroup\", \"id\":{id}, \"name\":\"links\", \
             \"draworder\":\"topdown\", {common},\n  {}\"objects\":[",
            floor_json(group.floor),
        );
        for (index, link) in group.links.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            object += 1;
            let (x, y) = centre(link.from);
            let _ = write!(
                out,
                "{comma}\n  {{ \"id\":{object}, \"name\":\"\", \"type\":\"link\", \"point\":true, \
                 \"x\":{x}, \"y\":{y}, \"width\":0, \"height\":0, \"rotation\":0, \
                 \"visible\":true,\n   \"properties\":["
            );
            for (index, (name, value)) in properties(link).enumerate() {
                let comma = if index == 0 { "" } else { ", " };
                let _ = write!(
                    out,
                    "{comma}{{\"name\":\"{name}\",\"type\":\"int\",\"value\":{value}}}"
                );
            }
            out.push_str("] }");
        }
        out.push_str("] }");
    }
    out.push_str("]\n}\n");
    out
}

/// Layers of a map, ordered by id.
struct Parts<'g> {
    layers: Vec<Layer>,
    groups: Vec<Group<'g>>,
}

impl<'g> Parts<'g> {
    fn of(grid: &'g Grid) -> Self {
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
        let groups = (grid.links())
            .chunk_by(|one, next| one.from.floor == next.from.floor)
            .filter_map(|links| {
                let floor = links.first()?.from.floor;
                Some(Group { floor, links })
            })
            .collect();
        Self { layers, groups }
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

/// Links of a floor.
struct Group<'g> {
    floor: u8,
    links: &'g [Link],
}

/// Returns the centre of a cell in pixels.
fn centre(cell: Cell) -> (usize, usize) {
    let pixel = |index: u16| usize::from(index) * TILE + TILE / 2;
    (pixel(cell.x), pixel(cell.y))
}

/// Returns the properties of a link, by name. The cost is always among them.
fn properties(link: &Link) -> impl Iterator<Item = (&'static str, u16)> {
    let numbers = LINK_NUMBERS.iter();
    let numbers = numbers.filter(|number| number.name == "cost" || number.is_given(link));
    let numbers = numbers.map(|number| (number.name, number.of(link)));
    let end = [
        ("to_floor", u16::from(link.to.floor)),
        ("to_x", link.to.x),
        ("to_y", link.to.y),
    ];
    numbers.chain(end)
}

//! Tree of a written map, which XML and JSON are made of.

use crate::cell_layer::CellLayer;
use nav_grid::{Cell, Grid};
use serde::{
    Serialize, Serializer,
    ser::{Error as _, SerializeMap},
};
use serde_json::value::RawValue;
use std::fmt::Write as _;

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
        $crate::tiled::part::Part(vec![$(($key, $crate::tiled::part::Node::from($node))),*])
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
    pub(super) grid: &'m Grid,
    pub(super) floor: u8,
    pub(super) kind: TileKind,
}

/// Meaning of a layer's tiles.
#[derive(Clone, Copy)]
pub(super) enum TileKind {
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
    pub(super) fn csv(&self) -> String {
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

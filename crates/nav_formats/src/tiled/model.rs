//! Model of a Tiled map: the parts of XML and JSON maps that are used here.

use super::left_out::LeftOut;
use crate::files::MissingFile;
use std::{borrow::Cow, collections::BTreeMap};

/// Map as read: nothing is decoded, and only the syntax was checked.
pub(crate) struct TiledMap<'a> {
    /// Offset of the map in the file, if known. Layers and objects have one too.
    pub(crate) offset: Option<usize>,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) tile_width: u32,
    pub(crate) tile_height: u32,
    pub(crate) infinite: bool,
    pub(crate) orientation: String,
    pub(crate) tilesets: Vec<Tileset>,
    pub(crate) layers: Vec<TileLayer<'a>>,
    pub(crate) objects: Vec<Object>,
    pub(crate) left_out: LeftOut,
}

/// Tiles that share a range of global numbers.
pub(crate) struct Tileset {
    pub(crate) first_gid: u32,
    pub(crate) name: String,
    /// Path of the file with the tiles, if they are in another one.
    pub(crate) source: Option<String>,
    /// Property `cost` of the tiles that have one.
    pub(crate) costs: BTreeMap<u32, Value>,
    /// Size of a tile in pixels, 0 if not known.
    pub(crate) tile_size: [u32; 2],
    /// Attribute `objectalignment`, empty if there is none.
    pub(crate) alignment: String,
    /// The tileset is in a file that the reader did not get.
    pub(crate) missing: Option<MissingFile>,
    pub(crate) left_out: LeftOut,
}

/// Layer of tiles, taken out of its groups.
pub(crate) struct TileLayer<'a> {
    pub(crate) offset: Option<usize>,
    pub(crate) name: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) walkable: Option<Value>,
    pub(crate) floor: Value,
    /// Whether Tiled shows the layer elsewhere, by an offset of it or of a group around it.
    pub(crate) shifted: bool,
    pub(crate) data: Data<'a>,
}

/// Object of any object layer, taken out of its groups.
pub(crate) struct Object {
    pub(crate) offset: Option<usize>,
    pub(crate) id: u32,
    pub(crate) class: String,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// Degrees clockwise around the origin.
    pub(crate) rotation: f64,
    /// Global number of the tile that a tile object shows, without flags.
    pub(crate) gid: Option<u32>,
    /// Whether the object is a point, a rectangle or a tile.
    pub(crate) has_cell: bool,
    pub(crate) floor: Value,
    /// Whether Tiled shows the object elsewhere, by an offset of its layer.
    pub(crate) shifted: bool,
    /// File of the template that the object has values from.
    pub(crate) template: Option<String>,
    pub(crate) properties: Properties,
}

/// Tiles of a layer as the file stores them.
pub(crate) enum Data<'a> {
    /// Numbers separated by commas.
    Csv(&'a [u8]),
    /// Numbers from the JSON parser.
    Numbers(Vec<u32>),
    /// Numbers of four bytes in Base64.
    Base64 {
        text: Cow<'a, [u8]>,
        compression: String,
    },
    /// Unknown encoding.
    Unknown(String),
}

impl Data<'_> {
    /// Returns whether few bytes may stand for many tiles.
    pub(crate) fn is_compressed(&self) -> bool {
        matches!(self, Self::Base64 { compression, .. } if !compression.is_empty())
    }
}

/// Value of a custom property.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    /// Whole number, or id of an object.
    Int(i64),
    Bool(bool),
    /// Value of any other type.
    Other,
}

impl Value {
    pub(crate) fn describe(value: Option<Self>) -> String {
        match value {
            None => "missing".to_owned(),
            Some(Self::Int(number)) => number.to_string(),
            Some(Self::Bool(flag)) => flag.to_string(),
            Some(Self::Other) => "of another type".to_owned(),
        }
    }
}

/// Flags in the upper bits of a tile number, for mirrored and turned tiles.
pub(crate) const FLAGS: u32 = 0xf000_0000;

pub(crate) type Properties = BTreeMap<String, Value>;

/// What a layer has from the groups around it.
#[derive(Clone, Copy)]
pub(crate) struct Around {
    pub(crate) floor: Value,
    pub(crate) shifted: bool,
}

impl Around {
    /// Surroundings of the layers on top.
    pub(crate) const MAP: Self = Self {
        floor: Value::Int(0),
        shifted: false,
    };

    /// Returns what holds in a layer with these properties and this offset in pixels.
    pub(crate) fn inside(self, properties: &Properties, offset: [f64; 2]) -> Self {
        Self {
            floor: properties.get("floor").copied().unwrap_or(self.floor),
            shifted: self.shifted || offset != [0.0, 0.0],
        }
    }
}

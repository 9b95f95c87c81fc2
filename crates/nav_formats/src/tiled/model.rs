//! Model of a Tiled map: the parts of XML and JSON maps that are used here.

use super::{
    error::TiledProblem,
    left_out::{LeftOut, OF_TILES},
};
use crate::{files::MissingFile, quote::quoted};
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
    /// Tilesets of the templates that objects are made from.
    pub(crate) template_tilesets: Vec<Tileset>,
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
    /// Values of tiles, by property and tile: those in [`OF_TILES`].
    pub(crate) values: BTreeMap<&'static str, BTreeMap<u32, Value>>,
    /// Size of a tile in pixels, 0 if not known.
    pub(crate) tile_size: [u32; 2],
    /// Attribute `objectalignment`, empty if there is none.
    pub(crate) alignment: String,
    /// The tileset is in a file that the reader did not get.
    pub(crate) missing: Option<MissingFile>,
    pub(crate) left_out: LeftOut,
}

impl Tileset {
    /// Stores the properties of a tile that are in use, and notes the others.
    pub(crate) fn add_tile(&mut self, id: u32, mut properties: Properties) {
        let name = &self.name;
        (self.left_out).note_properties(&properties, OF_TILES, || {
            format!("tile {id} of '{}'", quoted(name))
        });
        for &property in OF_TILES {
            if let Some(value) = properties.remove(property) {
                self.values.entry(property).or_default().insert(id, value);
            }
        }
    }
}

/// Layer of tiles, taken out of its groups.
pub(crate) struct TileLayer<'a> {
    pub(crate) offset: Option<usize>,
    pub(crate) name: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) properties: Properties,
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
    pub(crate) width: Option<f64>,
    pub(crate) height: Option<f64>,
    /// Degrees clockwise around the origin.
    pub(crate) rotation: Option<f64>,
    /// Global number of the tile that a tile object shows, without flags.
    pub(crate) gid: Option<u32>,
    /// Index in [`TiledMap::template_tilesets`] if the tile is that of a template.
    pub(crate) template_tileset: Option<usize>,
    /// Whether the object is a point, a rectangle or a tile.
    pub(crate) has_cell: bool,
    pub(crate) floor: Value,
    /// Whether Tiled shows the object elsewhere, by an offset of its layer.
    pub(crate) shifted: bool,
    /// Path of the template that the object has values from.
    pub(crate) template: Option<String>,
    /// The template is in a file that the reader did not get.
    pub(crate) missing: Option<MissingFile>,
    pub(crate) properties: Properties,
}

impl Object {
    /// Refuses an object whose template is missing.
    pub(crate) fn complete(&self) -> Result<(), TiledProblem> {
        match &self.missing {
            None => Ok(()),
            Some(file) => Err(TiledProblem::MissingTemplate {
                object: self.id,
                file: file.clone(),
            }),
        }
    }
}

/// Template: an object, and the tileset of its tile if it has one.
pub(crate) struct Template {
    pub(crate) object: Object,
    pub(crate) tileset: Option<Tileset>,
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
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// Whole number, or id of an object.
    Int(i64),
    Bool(bool),
    /// Start of a text.
    Text(String),
    /// Value of any other type.
    Other,
}

impl Value {
    /// Returns the value of a text. The rest of a long one is dropped: no value in use is as long,
    /// and errors cut it shorter.
    pub(crate) fn text(text: &str) -> Self {
        Self::Text(start_of(text))
    }

    pub(crate) fn describe(value: Option<&Self>) -> String {
        match value {
            None => "missing".to_owned(),
            Some(Self::Int(number)) => number.to_string(),
            Some(Self::Bool(flag)) => flag.to_string(),
            Some(Self::Text(text)) => format!("'{}'", quoted(text)),
            Some(Self::Other) => "of another type".to_owned(),
        }
    }
}

/// Returns the start of a text of which only short ones mean something. Otherwise many references to
/// one file would each copy a long text of it.
pub(crate) fn start_of(text: &str) -> String {
    // More than `quote` prints.
    const CHARACTERS_MAX: usize = 50;
    text.chars().take(CHARACTERS_MAX).collect()
}

/// Flags in the upper bits of a tile number, for mirrored and turned tiles.
pub(crate) const FLAGS: u32 = 0xf000_0000;

pub(crate) type Properties = BTreeMap<String, Value>;

/// Properties that a layer inherits from the groups around it.
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
    pub(crate) fn inside(&self, properties: &Properties, offset: [f64; 2]) -> Self {
        Self {
            floor: properties.get("floor").unwrap_or(&self.floor).clone(),
            shifted: self.shifted || offset != [0.0, 0.0],
        }
    }
}

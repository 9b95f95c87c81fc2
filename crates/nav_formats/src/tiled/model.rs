//! Model of a Tiled map: the parts of XML and JSON maps that are used here.

use super::{
    error::TiledProblem,
    left_out::{LeftOut, OF_TILES},
};
use crate::{files::MissingFile, quote::quoted};
use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

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
    /// Classes of tiles that have one.
    pub(crate) classes: BTreeMap<u32, String>,
    /// Size of a tile in pixels, 0 if not known.
    pub(crate) tile_size: [u32; 2],
    /// Attribute `objectalignment`, empty if there is none.
    pub(crate) alignment: String,
    /// The tileset is in a file that the reader did not get.
    pub(crate) missing: Option<MissingFile>,
    pub(crate) left_out: LeftOut,
}

impl Tileset {
    /// Stores the class and the properties of a tile that are in use, and notes others.
    pub(crate) fn add_tile(&mut self, id: u32, class: String, mut properties: Properties) {
        if !class.is_empty() {
            self.classes.insert(id, class);
        }
        let name = &self.name;
        (self.left_out).note_properties(&properties, OF_TILES, || {
            format!("tile {id} of '{}'", quoted(name))
        });
        for &property in OF_TILES {
            if let Some(value) = properties.remove(property) {
                let values = self.values.entry(property).or_default();
                values.insert(id, value.cut_short());
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
    /// Whether the layer or a group around it says that it has nothing to read.
    pub(crate) ignored: bool,
    pub(crate) data: Data<'a>,
}

/// Object of any object layer, taken out of its groups.
pub(crate) struct Object {
    pub(crate) offset: Option<usize>,
    pub(crate) id: u32,
    pub(crate) class: String,
    pub(crate) name: String,
    /// Name of its layer.
    pub(crate) layer: Arc<str>,
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
    /// Whether its layer says that it has nothing to read.
    pub(crate) ignored: bool,
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
    Int(i64),
    /// Finite number.
    Number(f64),
    Bool(bool),
    Text(String),
    /// Colour as text, empty if there is none.
    Colour(String),
    /// Id of an object, 0 for none.
    Object(i64),
    /// Value of any other type.
    Other,
}

impl Value {
    /// Returns the value of a property in XML, by the name of its type.
    pub(crate) fn of_text(kind: &str, text: &str) -> Self {
        let parsed = match kind {
            "int" => text.parse().ok().map(Self::Int),
            "object" => text.parse().ok().map(Self::Object),
            "bool" => text.parse().ok().map(Self::Bool),
            "float" => (text.parse().ok())
                .filter(|number: &f64| number.is_finite())
                .map(Self::Number),
            "color" => Some(Self::Colour(text.to_owned())),
            "string" | "file" => Some(Self::Text(text.to_owned())),
            _ => None,
        };
        parsed.unwrap_or(Self::Other)
    }

    /// Returns a value of JSON as one of a type. JSON has fewer types than properties.
    pub(crate) fn of_json(kind: &str, value: Self) -> Self {
        match (kind, value) {
            ("object", Self::Int(id)) => Self::Object(id),
            ("float", Self::Int(number)) => Self::Number(number as f64),
            ("color", Self::Text(text)) => Self::Colour(text),
            (_, value) => value,
        }
    }

    /// Returns the value with the start of its text only. Outside of objects no text in use is as
    /// long, and errors cut it shorter.
    pub(crate) fn cut_short(self) -> Self {
        match self {
            Self::Text(text) => Self::Text(start_of(&text)),
            Self::Colour(text) => Self::Colour(start_of(&text)),
            other => other,
        }
    }

    /// Returns how many bytes of text the value has.
    pub(crate) fn text_length(&self) -> usize {
        match self {
            Self::Text(text) | Self::Colour(text) => text.len(),
            _ => 0,
        }
    }

    pub(crate) fn describe(value: Option<&Self>) -> String {
        match value {
            None => "missing".to_owned(),
            Some(Self::Int(number)) => number.to_string(),
            Some(Self::Bool(flag)) => flag.to_string(),
            Some(Self::Text(text)) => format!("'{}'", quoted(text)),
            Some(Self::Object(id)) => format!("object {id}"),
            Some(Self::Number(_) | Self::Colour(_) | Self::Other) => "of another type".to_owned(),
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
    pub(crate) ignored: bool,
}

impl Around {
    /// Surroundings of the layers on top.
    pub(crate) const MAP: Self = Self {
        floor: Value::Int(0),
        shifted: false,
        ignored: false,
    };

    /// Returns what holds in a layer with this name, these properties and this offset in pixels.
    pub(crate) fn inside(
        &self,
        name: &str,
        properties: &Properties,
        offset: [f64; 2],
    ) -> Result<Self, TiledProblem> {
        let ignored = match properties.get(NAV) {
            None => false,
            Some(Value::Text(text)) if text.eq_ignore_ascii_case(IGNORE) => true,
            other => {
                return Err(TiledProblem::Property {
                    owner: format!("layer '{}'", quoted(name)),
                    property: NAV,
                    found: Value::describe(other),
                    expected: format!("the text '{IGNORE}'"),
                });
            }
        };
        let floor = properties.get("floor").cloned().map(Value::cut_short);
        Ok(Self {
            floor: floor.unwrap_or_else(|| self.floor.clone()),
            shifted: self.shifted || offset != [0.0, 0.0],
            ignored: self.ignored || ignored,
        })
    }
}

/// Property of a layer that says what this reader makes of it, and its only value.
const NAV: &str = "nav";
const IGNORE: &str = "ignore";

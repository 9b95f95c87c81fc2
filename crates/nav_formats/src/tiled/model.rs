//! Model of a Tiled map: the parts of its JSON that are used here. XML is read as if it were JSON.

use super::de::parse_xml;
use crate::{
    editor::{Value, parse_json},
    error::{ParseError, refuse},
    files::MissingFile,
    limit::Parts,
    quote::quoted,
    warning::Names,
};
use nav_grid::map::text::skip_mark;
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, SeqAccess, Visitor},
};
use std::{borrow::Cow, collections::BTreeMap, fmt};

#[derive(Deserialize)]
#[serde(expecting = "a map")]
pub(super) struct Map<'a> {
    /// Offset in the file, if it is in XML. Layers and objects have one, too.
    #[serde(rename = "@offset")]
    pub(super) offset: Option<usize>,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) tilewidth: u32,
    pub(super) tileheight: u32,
    pub(super) orientation: String,
    #[serde(default)]
    pub(super) infinite: bool,
    #[serde(default)]
    pub(super) tilesets: Vec<Tileset>,
    #[serde(default, borrow)]
    pub(super) layers: Vec<Layer<'a>>,
    #[serde(default, deserialize_with = "properties")]
    pub(super) properties: Properties,
}

/// Tiles that share a range of global numbers.
#[derive(Default, Deserialize)]
#[serde(default, expecting = "a tileset")]
pub(super) struct Tileset {
    #[serde(rename = "firstgid")]
    pub(super) first_gid: Option<u32>,
    pub(super) name: String,
    /// Path of the file with the tiles, if they are in another one.
    pub(super) source: Option<String>,
    /// Size of a tile in pixels, 0 if not known.
    pub(super) tilewidth: u32,
    pub(super) tileheight: u32,
    pub(super) objectalignment: String,
    pub(super) tiles: Vec<Tile>,
}

#[derive(Deserialize)]
#[serde(expecting = "a tile")]
pub(super) struct Tile {
    pub(super) id: u32,
    #[serde(default, rename = "type", alias = "class")]
    pub(super) class: String,
    /// Collision shapes.
    pub(super) objectgroup: Option<IgnoredAny>,
    #[serde(default, deserialize_with = "properties")]
    pub(super) properties: Properties,
}

/// Layer of any kind.
#[derive(Default, Deserialize)]
#[serde(default, expecting = "a layer")]
pub(super) struct Layer<'a> {
    #[serde(rename = "@offset")]
    pub(super) offset: Option<usize>,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) width: u32,
    pub(super) height: u32,
    #[serde(borrow)]
    pub(super) data: Data<'a>,
    pub(super) encoding: String,
    pub(super) compression: String,
    pub(super) offsetx: f64,
    pub(super) offsety: f64,
    #[serde(borrow)]
    pub(super) layers: Vec<Self>,
    pub(super) objects: Vec<Object>,
    #[serde(deserialize_with = "properties")]
    pub(super) properties: Properties,
    /// Properties that hold in the layer, its own or those of the groups around it.
    #[serde(skip)]
    pub(super) around: Around,
}

#[derive(Default, Deserialize)]
#[serde(default, expecting = "an object")]
pub(super) struct Object {
    #[serde(rename = "@offset")]
    pub(super) offset: Option<usize>,
    pub(super) id: u32,
    #[serde(rename = "type", alias = "class")]
    pub(super) class: String,
    pub(super) name: String,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: Option<f64>,
    pub(super) height: Option<f64>,
    /// Degrees clockwise around the origin.
    pub(super) rotation: Option<f64>,
    /// Global number of the tile that a tile object shows, with flags.
    pub(super) gid: Option<u32>,
    /// Path of the template that the object has values from.
    pub(super) template: Option<String>,
    ellipse: Option<IgnoredAny>,
    capsule: Option<IgnoredAny>,
    polygon: Option<IgnoredAny>,
    polyline: Option<IgnoredAny>,
    text: Option<IgnoredAny>,
    #[serde(deserialize_with = "properties")]
    pub(super) properties: Properties,
    /// Index among the tilesets of templates, if the tile is that of a template.
    #[serde(skip)]
    pub(super) template_tileset: Option<usize>,
    /// The template is in a file that the reader did not get.
    #[serde(skip)]
    pub(super) missing: Option<MissingFile>,
}

impl Object {
    /// Returns whether the object is a point, a rectangle or a tile.
    pub(super) fn has_cell(&self) -> bool {
        let others = [
            &self.ellipse,
            &self.capsule,
            &self.polygon,
            &self.polyline,
            &self.text,
        ];
        others.into_iter().all(Option::is_none)
    }

    /// Gives the object the shape of its template, if that has no cell.
    pub(super) fn take_shape(&mut self, template: &Self) {
        if !template.has_cell() {
            self.ellipse = Some(IgnoredAny);
        }
    }
}

/// Template: an object, and the tileset of its tile if it has one.
#[derive(Deserialize)]
#[serde(expecting = "a template")]
pub(super) struct Template {
    pub(super) object: Object,
    pub(super) tileset: Option<Tileset>,
}

/// Properties that a layer inherits from the groups around it.
#[derive(Clone)]
pub(super) struct Around {
    pub(super) floor: Value,
    /// Whether Tiled shows the layer elsewhere, by an offset of it or of a group around it.
    pub(super) is_shifted: bool,
    /// Whether the layer or a group around it says that it has nothing to read.
    pub(super) is_ignored: bool,
}

impl Default for Around {
    /// Returns what holds in the layers on top.
    fn default() -> Self {
        Self {
            floor: Value::Int(0),
            is_shifted: false,
            is_ignored: false,
        }
    }
}

/// Custom properties by name.
pub(super) type Properties = BTreeMap<String, Value>;

#[derive(Deserialize)]
#[serde(expecting = "a property")]
struct Property {
    name: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    value: Value,
}

/// Reads a list of properties.
fn properties<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Properties, D::Error> {
    let list: Vec<Property> = Vec::deserialize(deserializer)?;
    Ok((list.into_iter())
        .map(|it| (it.name, of_type(&it.kind, it.value)))
        .collect())
}

/// Returns a value of JSON as one of a type. JSON has fewer types than properties.
fn of_type(kind: &str, value: Value) -> Value {
    match (kind, value) {
        // Tiled writes unset colours and references so.
        ("color", Value::Text(text)) if text.is_empty() => Value::Null,
        ("object", Value::Int(0)) => Value::Null,
        ("color", Value::Text(text)) => Value::Colour(text),
        ("object", Value::Int(id)) => {
            u32::try_from(id).map_or(Value::Other, |id| Value::Reference(id.to_string()))
        }
        ("float", Value::Int(number)) => Value::Number(number as f64),
        // Classes and lists.
        (_, Value::Null | Value::Reference(_) | Value::Point(..) | Value::List(_)) => Value::Other,
        (_, value) => value,
    }
}

/// Custom properties that mean something on a layer of tiles.
pub(super) const OF_LAYERS: &[&str] = &["floor", "nav", "walkable", "terrain", "sight"];
/// Custom properties that mean something on a group, or on a layer of objects.
pub(super) const OF_GROUPS: &[&str] = &["floor", "nav"];
/// Custom properties that mean something on a tile.
pub(super) const OF_TILES: &[&str] = &["cost", "terrain", "sight"];
/// Custom properties that mean something anywhere.
const ALL: &[&str] = &[
    "floor", "nav", "walkable", "blocked", "cost", "exits", "terrain", "sight",
];

/// Notes properties that mean something elsewhere, or would in another case of letters. Games have
/// properties of their own, so others are no mistake.
pub(super) fn note_unknown(
    properties: &Properties,
    known: &[&str],
    unknown: &mut Names,
    owner: impl Fn() -> String,
) {
    for name in properties.keys() {
        let is_known = known.contains(&name.as_str());
        let resembles = ALL.iter().any(|it| it.eq_ignore_ascii_case(name));
        if resembles && !is_known {
            unknown.add(format_args!("property '{}' of {}", quoted(name), owner()));
        }
    }
}

/// Tiles of a layer: an array of numbers, or text.
#[derive(Default)]
pub(super) enum Data<'a> {
    #[default]
    Missing,
    Numbers(Vec<u32>),
    Text(Cow<'a, str>),
}

impl<'de: 'a, 'a> Deserialize<'de> for Data<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Tiles;
        impl<'de> Visitor<'de> for Tiles {
            type Value = Data<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of tiles or text in Base64")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Data::Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Data::Text(Cow::Owned(text.to_owned())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut numbers = Vec::new();
                while let Some(number) = seq.next_element()? {
                    numbers.push(number);
                }
                Ok(Data::Numbers(numbers))
            }
        }
        deserializer.deserialize_any(Tiles)
    }
}

/// Kind of a file in JSON.
#[derive(Deserialize)]
#[serde(expecting = "a file of Tiled")]
struct Kind<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
}

/// Reads a file in JSON whose type must be `root`.
///
/// # Errors
///
/// The JSON is invalid, has too many parts, or is another kind of file.
pub(super) fn of_json<'a, T: Deserialize<'a>>(
    bytes: &'a [u8],
    root: &'static str,
) -> Result<T, ParseError> {
    // A parsed part takes far more memory than the two brackets that it may be written with.
    let parts = bytes.split(|&byte| byte == b'{').count() - 1;
    Parts::default().take(parts)?;
    let Kind { kind } = parse_json(bytes)?;
    if kind != root {
        refuse!(Value, "'{}' on top; expected '{root}'", quoted(kind));
    }
    parse_json(bytes)
}

/// Reads a file in XML or JSON. The ending `.json` is usual for all kinds, so that only the content
/// tells.
///
/// # Errors
///
/// As [`of_json`] and [`parse_xml`].
pub(super) fn of_any<T: for<'a> Deserialize<'a>>(
    bytes: &[u8],
    root: &'static str,
) -> Result<T, ParseError> {
    let bytes = skip_mark(bytes);
    if bytes.trim_ascii_start().starts_with(b"{") {
        of_json(bytes, root)
    } else {
        parse_xml(bytes, root)
    }
}

//! Maps in JSON, which the `tiled` crate does not read.

use super::{
    error::{TiledError, TiledProblem},
    left_out::{LeftOut, OF_GROUPS, OF_LAYERS},
    model::{
        Around, Data, FLAGS, Object, Properties, Template, TileLayer, TiledMap, Tileset, Value,
        start_of,
    },
    scan::ELEMENTS_MAX,
};
use crate::{json, quote::quoted};
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use std::{borrow::Cow, collections::BTreeMap, fmt, sync::Arc};

#[derive(Deserialize)]
struct JsonMap<'a> {
    #[serde(rename = "type")]
    kind: String,
    width: u32,
    height: u32,
    tilewidth: u32,
    tileheight: u32,
    orientation: String,
    #[serde(default)]
    infinite: bool,
    #[serde(default)]
    tilesets: Vec<JsonTileset>,
    #[serde(default, borrow)]
    layers: Vec<JsonLayer<'a>>,
    #[serde(default)]
    properties: Vec<JsonProperty>,
}

#[derive(Deserialize)]
struct JsonTileset {
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(default = "one")]
    firstgid: u32,
    #[serde(default)]
    name: String,
    source: Option<String>,
    #[serde(default)]
    tilewidth: u32,
    #[serde(default)]
    tileheight: u32,
    #[serde(default)]
    objectalignment: String,
    #[serde(default)]
    tiles: Vec<JsonTile>,
}

#[derive(Deserialize)]
struct JsonTemplate {
    #[serde(rename = "type")]
    kind: String,
    object: JsonObject,
    tileset: Option<JsonTileset>,
}

fn one() -> u32 {
    1
}

#[derive(Deserialize)]
struct JsonTile {
    id: u32,
    #[serde(default, rename = "type", alias = "class")]
    class: String,
    objectgroup: Option<IgnoredAny>,
    #[serde(default)]
    properties: Vec<JsonProperty>,
}

#[derive(Deserialize)]
struct JsonProperty {
    name: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default = "other")]
    value: Value,
}

fn other() -> Value {
    Value::Other
}

#[derive(Deserialize)]
struct JsonLayer<'a> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    width: u32,
    #[serde(default)]
    height: u32,
    #[serde(default, borrow)]
    data: JsonData<'a>,
    #[serde(default)]
    encoding: String,
    #[serde(default)]
    compression: String,
    #[serde(default)]
    offsetx: f64,
    #[serde(default)]
    offsety: f64,
    #[serde(default, borrow)]
    layers: Vec<JsonLayer<'a>>,
    #[serde(default)]
    objects: Vec<JsonObject>,
    #[serde(default)]
    properties: Vec<JsonProperty>,
}

#[derive(Deserialize)]
struct JsonObject {
    #[serde(default)]
    id: u32,
    #[serde(default, rename = "type", alias = "class")]
    class: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    x: f64,
    #[serde(default)]
    y: f64,
    width: Option<f64>,
    height: Option<f64>,
    rotation: Option<f64>,
    gid: Option<u32>,
    template: Option<String>,
    ellipse: Option<IgnoredAny>,
    capsule: Option<IgnoredAny>,
    polygon: Option<IgnoredAny>,
    polyline: Option<IgnoredAny>,
    text: Option<IgnoredAny>,
    #[serde(default)]
    properties: Vec<JsonProperty>,
}

/// Tiles of a layer: an array of numbers, or text in Base64.
#[derive(Default)]
enum JsonData<'a> {
    #[default]
    Missing,
    Numbers(Vec<u32>),
    Text(Cow<'a, str>),
}

impl<'de: 'a, 'a> Deserialize<'de> for JsonData<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Tiles;
        impl<'de> Visitor<'de> for Tiles {
            type Value = JsonData<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of tiles or text in Base64")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(JsonData::Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(JsonData::Text(Cow::Owned(text.to_owned())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut numbers = Vec::new();
                while let Some(number) = seq.next_element()? {
                    numbers.push(number);
                }
                Ok(JsonData::Numbers(numbers))
            }
        }
        deserializer.deserialize_any(Tiles)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the value of a property")
            }

            fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
                Ok(Value::Bool(flag))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
                Ok(Value::Int(number))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
                Ok(i64::try_from(number).map_or(Value::Other, Value::Int))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
                Ok(Value::Number(number))
            }

            fn visit_str<E>(self, text: &str) -> Result<Value, E> {
                Ok(Value::Text(text.to_owned()))
            }

            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Other)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Value::Other)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Value::Other)
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// Reads the parts of a map that are used here.
pub(crate) fn read(bytes: &[u8]) -> Result<TiledMap<'_>, TiledError> {
    let map: JsonMap<'_> = parse(bytes)?;
    if map.kind != "map" {
        return Err(root(&map.kind, "map"));
    }
    let mut walk = JsonWalk::default();
    (walk.left_out).note_properties(&properties(map.properties), &[], || "the map".to_owned());
    walk.layers(map.layers, &Around::MAP)
        .map_err(TiledProblem::anywhere)?;
    let JsonWalk {
        layers,
        objects,
        left_out,
    } = walk;
    Ok(TiledMap {
        offset: None,
        width: map.width,
        height: map.height,
        tile_width: map.tilewidth,
        tile_height: map.tileheight,
        infinite: map.infinite,
        orientation: map.orientation,
        tilesets: map.tilesets.into_iter().map(tileset).collect(),
        template_tilesets: Vec::new(),
        layers,
        objects,
        left_out,
    })
}

/// Reads an external tileset.
pub(crate) fn read_tileset(bytes: &[u8]) -> Result<Tileset, TiledError> {
    let read: JsonTileset = parse(bytes)?;
    match read.kind.as_deref() {
        Some("tileset") => Ok(tileset(read)),
        other => Err(root(other.unwrap_or_default(), "tileset")),
    }
}

/// Reads a template.
pub(crate) fn read_template(bytes: &[u8]) -> Result<Template, TiledError> {
    let read: JsonTemplate = parse(bytes)?;
    if read.kind != "template" {
        return Err(root(&read.kind, "template"));
    }
    Ok(Template {
        object: read.object.into_object(&Arc::from(""), &Around::MAP),
        tileset: read.tileset.map(tileset),
    })
}

fn parse<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, TiledError> {
    // A parsed element takes far more memory than the two brackets that it may be written with.
    let max = ELEMENTS_MAX;
    if bytes.split(|&byte| byte == b'{').count() > max + 1 {
        return Err(TiledProblem::TooManyElements { max }.anywhere());
    }
    json::parse(bytes).map_err(|(position, found)| {
        let language = "JSON";
        TiledProblem::Syntax { language, found }.at(Some(position))
    })
}

fn root(found: &str, expected: &'static str) -> TiledError {
    let found = quoted(found);
    TiledProblem::Root { found, expected }.anywhere()
}

fn tileset(read: JsonTileset) -> Tileset {
    let mut tileset = Tileset {
        first_gid: read.firstgid,
        name: read.name,
        source: read.source,
        values: BTreeMap::new(),
        classes: BTreeMap::new(),
        tile_size: [read.tilewidth, read.tileheight],
        alignment: start_of(&read.objectalignment),
        missing: None,
        left_out: LeftOut::default(),
    };
    let mut has_shapes = false;
    for tile in read.tiles {
        has_shapes |= tile.objectgroup.is_some();
        tileset.add_tile(tile.id, tile.class, properties(tile.properties));
    }
    if has_shapes {
        let name = quoted(&tileset.name);
        (tileset.left_out.collision_shapes).add(format_args!("'{name}'"));
    }
    tileset
}

fn properties(read: Vec<JsonProperty>) -> Properties {
    let value = |it: JsonProperty| (it.name, Value::of_json(&it.kind, it.value));
    read.into_iter().map(value).collect()
}

/// Walk through layers and groups in the order of the file.
#[derive(Default)]
struct JsonWalk<'a> {
    layers: Vec<TileLayer<'a>>,
    objects: Vec<Object>,
    left_out: LeftOut,
}

impl<'a> JsonWalk<'a> {
    // Recurses as deep as the parser did, which has a limit of 128.
    fn layers(&mut self, layers: Vec<JsonLayer<'a>>, around: &Around) -> Result<(), TiledProblem> {
        for layer in layers {
            let properties = properties(layer.properties);
            let offset = [layer.offsetx, layer.offsety];
            let inside = around.inside(&layer.name, &properties, offset)?;
            let kind = layer.kind.as_str();
            let known = if kind == "tilelayer" {
                OF_LAYERS
            } else {
                OF_GROUPS
            };
            if !inside.ignored {
                let owner = || format!("layer '{}'", quoted(&layer.name));
                self.left_out.note_properties(&properties, known, owner);
            }
            match kind {
                "tilelayer" => self.layers.push(TileLayer {
                    offset: None,
                    name: layer.name,
                    width: layer.width,
                    height: layer.height,
                    properties,
                    floor: inside.floor,
                    shifted: inside.shifted,
                    ignored: inside.ignored,
                    data: data(layer.data, &layer.encoding, layer.compression),
                }),
                "objectgroup" => {
                    let name = Arc::from(layer.name);
                    let objects = layer.objects.into_iter();
                    let objects = objects.map(|object| object.into_object(&name, &inside));
                    self.objects.extend(objects);
                }
                "group" => self.layers(layer.layers, &inside)?,
                _ if inside.ignored => {}
                other => {
                    let name = quoted(&layer.name);
                    let other = match other {
                        "imagelayer" => "image layer".to_owned(),
                        other => quoted(other),
                    };
                    (self.left_out.layers).add(format_args!("{other} '{name}'"));
                }
            }
        }
        Ok(())
    }
}

impl JsonObject {
    fn into_object(self, layer: &Arc<str>, around: &Around) -> Object {
        let other = [
            self.ellipse,
            self.capsule,
            self.polygon,
            self.polyline,
            self.text,
        ];
        Object {
            offset: None,
            id: self.id,
            class: self.class,
            name: self.name,
            layer: layer.clone(),
            x: self.x,
            y: self.y,
            width: self.width,
            height: self.height,
            rotation: self.rotation,
            gid: self.gid.map(|bits| bits & !FLAGS),
            template_tileset: None,
            has_cell: other.iter().all(Option::is_none),
            floor: around.floor.clone(),
            shifted: around.shifted,
            ignored: around.ignored,
            template: self.template,
            missing: None,
            properties: properties(self.properties),
        }
    }
}

fn data<'a>(read: JsonData<'a>, encoding: &str, compression: String) -> Data<'a> {
    match (read, encoding) {
        (JsonData::Numbers(numbers), "" | "csv") => Data::Numbers(numbers),
        (JsonData::Text(text), "base64") => Data::Base64 {
            text: match text {
                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
            },
            compression,
        },
        (JsonData::Missing, _) => Data::Unknown("nothing".to_owned()),
        (_, encoding) => Data::Unknown(format!("{encoding} {compression}")),
    }
}

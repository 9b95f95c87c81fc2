//! Model of a project: the parts of its JSON that are used here.
//!
//! `LDtk` always writes the fields without a default. Requiring them keeps the memory for an element
//! within a few times its text.

use crate::quote::quoted;
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use std::{borrow::Cow, fmt};

#[derive(Deserialize)]
pub(super) struct Project {
    pub(super) defs: Definitions,
    pub(super) levels: Vec<Level>,
    /// Worlds of a project with several of them, whose own list of levels is empty.
    #[serde(default)]
    pub(super) worlds: Vec<World>,
}

#[derive(Deserialize)]
pub(super) struct World {
    pub(super) levels: Vec<Level>,
}

#[derive(Deserialize)]
pub(super) struct Definitions {
    pub(super) layers: Vec<LayerDefinition>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LayerDefinition {
    pub(super) uid: i64,
    pub(super) int_grid_values: Vec<ValueDefinition>,
    /// Whether a tag of the layer says that it has nothing to read.
    #[serde(rename = "uiFilterTags", default, deserialize_with = "has_ignore_tag")]
    pub(super) is_ignored: bool,
}

/// Tag of layers that have nothing to read.
pub(super) const IGNORE: &str = "nav_ignore";

/// Returns whether a list of tags has [`IGNORE`]. No tag is kept.
fn has_ignore_tag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    struct Tags;
    impl<'de> Visitor<'de> for Tags {
        type Value = bool;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of tags")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<bool, A::Error> {
            let mut is_ignored = false;
            while let Some(tag) = seq.next_element::<Cow<'_, str>>()? {
                is_ignored |= tag.eq_ignore_ascii_case(IGNORE);
            }
            Ok(is_ignored)
        }
    }
    deserializer.deserialize_seq(Tags)
}

/// Returns whether the name of a field's type is that of colours, or of lists of them.
fn is_colour<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let kind = Cow::<'_, str>::deserialize(deserializer)?;
    Ok(matches!(kind.as_ref(), "Color" | "Array<Color>"))
}

#[derive(Deserialize)]
pub(super) struct ValueDefinition {
    pub(super) value: i64,
    pub(super) identifier: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Level {
    pub(super) identifier: String,
    /// Path of the file with the layers, if they are in another one.
    #[serde(default)]
    pub(super) external_rel_path: Option<String>,
    /// Layers, the uppermost first.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) layer_instances: Option<Vec<Layer>>,
}

#[derive(Deserialize)]
pub(super) struct Layer {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    #[serde(rename = "__type")]
    pub(super) kind: String,
    #[serde(rename = "__cWid")]
    pub(super) width: i64,
    #[serde(rename = "__cHei")]
    pub(super) height: i64,
    #[serde(rename = "__gridSize")]
    pub(super) grid_size: i64,
    #[serde(rename = "__pxTotalOffsetX", default)]
    pub(super) offset_x: i64,
    #[serde(rename = "__pxTotalOffsetY", default)]
    pub(super) offset_y: i64,
    #[serde(rename = "layerDefUid")]
    pub(super) definition: i64,
    #[serde(rename = "intGridCsv")]
    pub(super) values: Vec<i32>,
    #[serde(rename = "entityInstances")]
    pub(super) entities: Vec<Entity>,
}

#[derive(Deserialize)]
pub(super) struct Entity {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    pub(super) iid: String,
    /// Column and row in the grid of its own layer.
    #[serde(rename = "__grid")]
    pub(super) grid: [i64; 2],
    /// Where in its box the entity is: 0 is left or top, 1 is right or bottom.
    #[serde(rename = "__pivot", default)]
    pub(super) pivot: [f64; 2],
    pub(super) px: [i64; 2],
    /// Sides in pixels.
    #[serde(default)]
    pub(super) width: i64,
    #[serde(default)]
    pub(super) height: i64,
    #[serde(rename = "fieldInstances")]
    pub(super) fields: Vec<Field>,
}

#[derive(Deserialize)]
pub(super) struct Field {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    #[serde(rename = "__type", default, deserialize_with = "is_colour")]
    pub(super) is_colour: bool,
    #[serde(rename = "__value")]
    pub(super) value: Value,
}

/// Greatest length of a list that is read. A guess, far above a patrol's stops.
///
/// Values take more than their text while a list grows, so that a limit on each list bounds the memory
/// for all.
const LIST_MAX: usize = 1000;

/// Value of a field.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A field that was left empty.
    Null,
    Int(i64),
    Number(f64),
    Bool(bool),
    Text(String),
    /// Reference to an entity by its `iid`.
    Entity(String),
    /// Column and row.
    Point(i64, i64),
    /// Up to [`LIST_MAX`] values.
    List(Vec<Self>),
    /// Value of any other type.
    Other,
}

impl Value {
    /// Returns the number of values in it.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::List(list) => 1 + list.len(),
            _ => 1,
        }
    }

    pub(super) fn describe(value: Option<&Self>) -> String {
        match value {
            None | Some(Self::Null) => "missing".to_owned(),
            Some(Self::Int(number)) => number.to_string(),
            Some(Self::Bool(flag)) => flag.to_string(),
            Some(Self::Entity(_)) => "a reference".to_owned(),
            Some(Self::Point(x, y)) => format!("the point {x},{y}"),
            Some(Self::Text(text)) => format!("'{}'", quoted(text)),
            Some(Self::List(_)) => "a list".to_owned(),
            Some(Self::Number(number)) => number.to_string(),
            Some(Self::Other) => "of another type".to_owned(),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value of a field")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
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

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while list.len() < LIST_MAX {
            let Some(value) = seq.next_element()? else {
                list.shrink_to_fit();
                return Ok(Value::List(list));
            };
            list.push(value);
        }
        if seq.next_element::<IgnoredAny>()?.is_none() {
            return Ok(Value::List(list));
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let (mut entity, mut x, mut y) = (None, None, None);
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            match key.as_ref() {
                "entityIid" => entity = Some(map.next_value::<String>()?),
                "cx" => x = Some(map.next_value::<i64>()?),
                "cy" => y = Some(map.next_value::<i64>()?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(match (entity, x, y) {
            (Some(entity), ..) => Value::Entity(entity),
            (None, Some(x), Some(y)) => Value::Point(x, y),
            _ => Value::Other,
        })
    }
}

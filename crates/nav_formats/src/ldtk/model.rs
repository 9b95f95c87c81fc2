//! Model of a project: the parts of its JSON that are used here.
//!
//! `LDtk` always writes the fields without a default. Requiring them keeps the memory for an element
//! within a few times its text.

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use std::fmt;

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
    #[serde(rename = "fieldInstances")]
    pub(super) fields: Vec<Field>,
}

#[derive(Deserialize)]
pub(super) struct Field {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    #[serde(rename = "__value")]
    pub(super) value: Value,
}

/// Value of a field.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A field that was left empty.
    Null,
    Int(i64),
    Bool(bool),
    /// Reference to an entity by its `iid`.
    Entity(String),
    /// Column and row.
    Point(i64, i64),
    /// Value of any other type.
    Other,
}

impl Value {
    pub(super) fn describe(value: Option<&Self>) -> String {
        match value {
            None | Some(Self::Null) => "missing".to_owned(),
            Some(Self::Int(number)) => number.to_string(),
            Some(Self::Bool(flag)) => flag.to_string(),
            Some(Self::Entity(_)) => "a reference".to_owned(),
            Some(Self::Point(x, y)) => format!("the point {x},{y}"),
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

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Other)
    }

    fn visit_str<E>(self, _: &str) -> Result<Value, E> {
        Ok(Value::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let (mut entity, mut x, mut y) = (None, None, None);
        while let Some(key) = map.next_key::<std::borrow::Cow<'_, str>>()? {
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

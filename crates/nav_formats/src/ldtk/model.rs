//! Model of a project: the parts of its JSON that are used here.
//!
//! `LDtk` always writes the fields without a default. Requiring them keeps the memory for an
//! element within a few times its text.

use crate::editor::Value;
use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};
use std::{borrow::Cow, fmt};

#[derive(Deserialize)]
#[serde(expecting = "a project of LDtk")]
pub(super) struct Project {
    pub(super) defs: Definitions,
    pub(super) levels: Vec<Level>,
    /// Worlds of a project with several of them, whose own list of levels is empty.
    #[serde(default)]
    pub(super) worlds: Vec<World>,
}

#[derive(Deserialize)]
#[serde(expecting = "a world")]
pub(super) struct World {
    pub(super) levels: Vec<Level>,
}

#[derive(Deserialize)]
#[serde(expecting = "definitions")]
pub(super) struct Definitions {
    pub(super) layers: Vec<LayerDefinition>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "the definition of a layer")]
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
#[serde(expecting = "the definition of a value")]
pub(super) struct ValueDefinition {
    pub(super) value: i64,
    pub(super) identifier: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "a level")]
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
#[serde(expecting = "a layer")]
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
#[serde(expecting = "an entity")]
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
#[serde(expecting = "a field")]
pub(super) struct Field {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    #[serde(rename = "__type", default, deserialize_with = "is_colour")]
    pub(super) is_colour: bool,
    #[serde(rename = "__value")]
    pub(super) value: Value,
}

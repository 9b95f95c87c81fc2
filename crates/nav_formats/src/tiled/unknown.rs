//! Custom properties that mean nothing where they are, for warnings.

use super::model::Properties;
use crate::{quote::quoted, warning::Names};

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

/// Notes properties that mean something elsewhere, or would in another case of letters. Games have properties
/// of their own, so others are no mistake.
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

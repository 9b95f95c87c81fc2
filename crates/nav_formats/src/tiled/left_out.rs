//! Parts of a map that are not read, for warnings.

use super::{
    links,
    model::{Object, Properties, TiledMap},
    options::Options,
};
use crate::{
    link_numbers::LINK_NUMBERS,
    quote::quoted,
    warning::{Names, Warning},
};

/// Custom properties that mean something on a layer.
pub(crate) const OF_LAYERS: &[&str] = &["floor", "nav", "walkable", "terrain", "sight"];
/// Custom properties that mean something on a group, or on a layer of objects.
pub(crate) const OF_GROUPS: &[&str] = &["floor", "nav"];
/// Custom properties that mean something on a tile.
pub(crate) const OF_TILES: &[&str] = &["cost", "terrain", "sight"];
/// Custom properties that mean something anywhere.
const ALL: &[&str] = &[
    "floor", "nav", "walkable", "blocked", "cost", "exits", "terrain", "sight",
];

/// Parts that a reader saw and left out.
#[derive(Default)]
pub(crate) struct LeftOut {
    /// Layers that have no tiles, as `image layer 'sky'`.
    pub(crate) layers: Names,
    pub(crate) properties: Names,
    pub(crate) collision_shapes: Names,
}

impl LeftOut {
    /// Notes properties that mean something elsewhere, or would in another case of letters. Games
    /// have properties of their own, so others are no mistake.
    pub(crate) fn note_properties(
        &mut self,
        properties: &Properties,
        known: &[&str],
        owner: impl Fn() -> String,
    ) {
        for name in properties.keys() {
            let is_known = known.contains(&name.as_str());
            let resembles = ALL.iter().any(|it| it.eq_ignore_ascii_case(name));
            if resembles && !is_known {
                self.properties
                    .add(format_args!("property '{}' of {}", quoted(name), owner()));
            }
        }
    }
}

/// Returns the warnings of a map. `decoration` are its layers of tiles without a meaning, `shifted`
/// those with one that Tiled shows elsewhere, and `objects` what was said of objects.
pub(crate) fn warnings(
    map: TiledMap<'_>,
    decoration: Names,
    mut shifted: Names,
    objects: Vec<Warning>,
    options: &Options<'_>,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut properties = map.left_out.properties;
    let mut shapes = Names::default();
    let mut missing = Vec::new();
    for tileset in map.tilesets.into_iter().chain(map.template_tilesets) {
        properties.append(tileset.left_out.properties);
        shapes.append(tileset.left_out.collision_shapes);
        missing.extend(tileset.missing);
    }
    for object in &map.objects {
        if object.shifted {
            shifted.add(format_args!("object {}", object.id));
        }
        if links::is_link(object, options) {
            note_unknown(object, &mut properties);
        }
    }

    let mut layers = decoration;
    layers.append(map.left_out.layers);
    warnings.extend(layers.some().map(|layers| Warning::Layers {
        layers,
        hint: "a layer's name or its bool property 'walkable' gives it one, and its string property \
               'nav' with the value 'ignore' silences this",
    }));
    warnings.extend(objects);
    let shifted = shifted.some();
    warnings.extend(shifted.map(|parts| Warning::Shifted { parts }));
    let properties = properties.some();
    warnings.extend(properties.map(|properties| Warning::Properties { properties }));
    let shapes = shapes.some();
    warnings.extend(shapes.map(|tilesets| Warning::CollisionShapes { tilesets }));
    warnings.extend(missing.into_iter().map(Warning::File));
    warnings
}

/// Notes the properties of a link that mean nothing there. A link is for this reader alone, so any
/// of them is likely a slip.
fn note_unknown(object: &Object, properties: &mut Names) {
    let has_end = object.properties.contains_key("to");
    for name in object.properties.keys() {
        let is_known = match name.as_str() {
            "to" | "two_way" => true,
            // The object wins.
            "to_x" | "to_y" | "to_floor" => !has_end,
            name => LINK_NUMBERS.iter().any(|number| number.name == name),
        };
        if !is_known {
            properties.add(format_args!(
                "property '{}' of object {}",
                quoted(name),
                object.id
            ));
        }
    }
}

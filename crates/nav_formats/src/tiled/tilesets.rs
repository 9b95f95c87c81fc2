//! Tilesets: external ones, and what their tiles mean.

use super::model::{self, Layer, OF_TILES, Object, note_unknown, of_any};
use crate::{
    editor::{NoPlace, Value},
    error::{ParseError, Problem, refuse},
    files::{Files, MissingFile},
    limit::{EXTERNAL_MAX, Parts, parts_of_text},
    quote::quoted,
    warning::Names,
};
use nav_grid::Cell;
use std::collections::BTreeMap;

/// Tiles that share a range of global numbers.
#[derive(Default)]
pub(super) struct Tileset {
    pub(super) first_gid: u32,
    /// Name, or the path of an external one.
    pub(super) name: String,
    /// Values of tiles, by property and tile: those in [`OF_TILES`].
    values: BTreeMap<&'static str, BTreeMap<u32, Value>>,
    /// Classes of tiles that have one.
    classes: BTreeMap<u32, String>,
    /// Size of a tile in pixels, 0 if not known.
    pub(super) tile_size: [u32; 2],
    pub(super) alignment: String,
    /// The tileset is in a file that the reader did not get.
    pub(super) missing: Option<MissingFile>,
    /// Properties of tiles that mean nothing there.
    pub(super) unknown: Names,
    pub(super) has_collision_shapes: bool,
}

impl Tileset {
    /// Keeps the classes and the properties of tiles that are in use, and notes others.
    fn of(read: model::Tileset) -> Self {
        let mut tileset = Self {
            first_gid: read.first_gid.unwrap_or(1),
            tile_size: [read.tilewidth, read.tileheight],
            alignment: start_of(&read.objectalignment),
            name: read.name,
            ..Self::default()
        };
        for mut tile in read.tiles {
            tileset.has_collision_shapes |= tile.objectgroup.is_some();
            let (id, name) = (tile.id, &tileset.name);
            note_unknown(&tile.properties, OF_TILES, &mut tileset.unknown, || {
                format!("tile {id} of '{}'", quoted(name))
            });
            for &property in OF_TILES {
                if let Some(value) = tile.properties.remove(property) {
                    let values = tileset.values.entry(property).or_default();
                    values.insert(id, cut_short(value));
                }
            }
            if !tile.class.is_empty() {
                tileset.classes.insert(id, tile.class);
            }
        }
        tileset
    }

    /// Returns how many parts of a file it has.
    fn parts(&self) -> usize {
        let values = self.values.values().map(BTreeMap::len);
        let classes = self
            .classes
            .values()
            .map(|class| parts_of_text(class.len()));
        values.chain(classes).sum()
    }

    /// Returns whether any tile has a property.
    pub(super) fn says(&self, property: Property) -> bool {
        self.values.contains_key(property.name)
    }
}

/// Returns a value with the start of its text only. On tiles and layers no text in use is as long,
/// and errors cut it shorter.
pub(super) fn cut_short(value: Value) -> Value {
    match value {
        Value::Text(text) => Value::Text(start_of(&text)),
        Value::Colour(text) => Value::Colour(start_of(&text)),
        other => other,
    }
}

/// Returns the start of a text of which only short ones mean something. Otherwise many references
/// to one file would each copy a long text of it.
fn start_of(text: &str) -> String {
    // More than `quote` prints.
    const CHARACTERS_MAX: usize = 50;
    text.chars().take(CHARACTERS_MAX).collect()
}

/// Opens tilesets. A file that is missing only matters if a tile needs its tileset.
///
/// # Errors
///
/// There are too many files, or one is invalid; all together have too many parts.
pub(super) fn open(
    read: Vec<model::Tileset>,
    files: &Files<'_>,
) -> Result<Vec<Tileset>, ParseError> {
    let mut tilesets = Vec::new();
    let mut opened = 0;
    let mut parts = Parts::default();
    for read in read {
        let Some(source) = read.source.clone() else {
            tilesets.push(Tileset::of(read));
            continue;
        };
        opened += 1;
        if opened > EXTERNAL_MAX {
            refuse!(TooMuch, "more than {EXTERNAL_MAX} external tilesets");
        }
        let mut tileset = match files.get(&source) {
            Ok(bytes) => {
                let of_file = of_any(&bytes, "tileset");
                Tileset::of(of_file.map_err(|error| Problem::in_file(&source, error))?)
            }
            Err(missing) => Tileset {
                missing: Some(missing),
                ..Tileset::of(model::Tileset::default())
            },
        };
        // Together no more than one map may have, however often a file is named.
        parts.take(tileset.parts())?;
        tileset.first_gid = read.first_gid.unwrap_or(1);
        tileset.name = source;
        tilesets.push(tileset);
    }
    Ok(tilesets)
}

/// Tilesets of a map, and those of the templates that its objects are made from.
pub(super) struct Tilesets {
    /// By their first numbers.
    pub(super) of_map: Vec<Tileset>,
    pub(super) of_templates: Vec<Tileset>,
}

impl Tilesets {
    /// Returns the tileset of a tile, if there is one.
    fn of_tile(&self, gid: u32) -> Option<&Tileset> {
        let above = self.of_map.partition_point(|it| it.first_gid <= gid);
        self.of_map.get(above.checked_sub(1)?)
    }

    /// Returns the tileset of a tile object's tile, if there is one.
    ///
    /// # Errors
    ///
    /// Its file is missing.
    pub(super) fn of_object(&self, object: &Object, gid: u32) -> Result<Option<&Tileset>, NoPlace> {
        let tileset = match object.template_tileset {
            None => self.of_tile(gid),
            Some(index) => self.of_templates.get(index),
        };
        match tileset.and_then(|tileset| tileset.missing.as_ref()) {
            Some(file) => Err(NoPlace::Tileset(file.clone())),
            None => Ok(tileset),
        }
    }

    /// Returns the class of a tile object's tile, if it has one.
    pub(super) fn class(&self, object: &Object, gid: u32) -> Option<&String> {
        let tileset = self.of_object(object, gid).ok()??;
        tileset.classes.get(&gid.checked_sub(tileset.first_gid)?)
    }
}

/// Property of tiles and of layers, and the numbers that its values mean.
#[derive(Clone, Copy)]
pub(super) struct Property {
    /// Name, one of [`OF_TILES`].
    pub(super) name: &'static str,
    /// Greatest number.
    pub(super) max: u8,
    /// Words for the numbers from 0 on; none if the values are numbers themselves.
    pub(super) words: &'static [&'static str],
}

impl Property {
    /// Returns the number that a value means; `owner` has the value.
    pub(super) fn number(
        self,
        value: &Value,
        owner: impl FnOnce() -> String,
    ) -> Result<u8, Problem> {
        let number = match value {
            Value::Int(number) if self.words.is_empty() => u8::try_from(*number).ok(),
            Value::Text(text) => (self.words.iter().zip(0..))
                .find_map(|(word, number)| word.eq_ignore_ascii_case(text).then_some(number)),
            _ => None,
        };
        number.filter(|number| *number <= self.max).ok_or_else(|| {
            let expected = if self.words.is_empty() {
                format!("an int from 0 to {}", self.max)
            } else {
                format!("one of the words {}", self.words.join(", "))
            };
            wrong(&owner(), self.name, value, &expected)
        })
    }
}

/// Returns the problem of a property that is not what is expected.
pub(super) fn wrong(owner: &str, property: &str, value: &Value, expected: &str) -> Problem {
    let found = Value::describe(Some(value));
    Problem::Value(format!(
        "{owner}: property '{property}' is {found}; expected {expected}"
    ))
}

/// Tile in a cell of a layer.
pub(super) struct TileAt<'m> {
    pub(super) tilesets: &'m Tilesets,
    pub(super) layer: &'m Layer<'m>,
    pub(super) cell: Cell,
    pub(super) gid: u32,
}

impl TileAt<'_> {
    /// Returns the tileset, if the map has any, and the tile's number in it.
    pub(super) fn local(&self) -> Result<(Option<&Tileset>, u32), Problem> {
        match self.tilesets.of_tile(self.gid) {
            Some(tileset) => Ok((Some(tileset), self.gid - tileset.first_gid)),
            None if self.tilesets.of_map.is_empty() => Ok((None, self.gid.saturating_sub(1))),
            None => Err(self.wrong(format_args!("tile {} belongs to no tileset", self.gid))),
        }
    }

    /// Returns the number that the tile means in a layer named after a property: its value, or the
    /// tile's number in its tileset if no tile there has a value.
    pub(super) fn number(&self, property: Property) -> Result<u8, Problem> {
        let (tileset, id) = self.local()?;
        let Some(tileset) = tileset else {
            return self.in_range(property, id.into());
        };
        if let Some(file) = &tileset.missing {
            let layer = quoted(&self.layer.name);
            let user = format_args!("layer '{layer}' needs its tileset");
            return Err(Problem::missing(user, file));
        }
        let Some(values) = tileset.values.get(property.name) else {
            return self.in_range(property, id.into());
        };
        match values.get(&id) {
            Some(value) => self.number_of(property, tileset, id, value),
            None => Err(self.wrong(format_args!(
                "tile {id} of tileset '{}' has no property '{}', as others of the tileset have",
                quoted(&tileset.name),
                property.name
            ))),
        }
    }

    /// Returns the number that the tile has by a value of its own, if it has one.
    pub(super) fn own_number(&self, property: Property) -> Result<Option<u8>, Problem> {
        let Some(tileset) = self.tilesets.of_tile(self.gid) else {
            return Ok(None);
        };
        let id = self.gid - tileset.first_gid;
        match tileset.values.get(property.name).and_then(|it| it.get(&id)) {
            Some(value) => self.number_of(property, tileset, id, value).map(Some),
            None => Ok(None),
        }
    }

    fn number_of(
        &self,
        property: Property,
        tileset: &Tileset,
        id: u32,
        value: &Value,
    ) -> Result<u8, Problem> {
        match value {
            // Of a number, the cell tells more than the tileset.
            &Value::Int(number) if property.words.is_empty() => self.in_range(property, number),
            other => property.number(other, || {
                format!("tile {id} of tileset '{}'", quoted(&tileset.name))
            }),
        }
    }

    /// Checks the number that the tile means.
    pub(super) fn in_range(&self, property: Property, found: i64) -> Result<u8, Problem> {
        let Property { name, max, .. } = property;
        let number = u8::try_from(found).ok().filter(|number| *number <= max);
        number.ok_or_else(|| {
            self.wrong(format_args!(
                "{name} {found} is out of range; expected 0 to {max}"
            ))
        })
    }

    fn wrong(&self, found: std::fmt::Arguments<'_>) -> Problem {
        let layer = quoted(&self.layer.name);
        Problem::Value(format!("layer '{layer}', cell {}: {found}", self.cell))
    }
}

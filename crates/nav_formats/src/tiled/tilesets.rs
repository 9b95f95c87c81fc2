//! Tilesets: external ones, and what their tiles mean.

use super::{
    error::{TiledError, TiledProblem},
    model::{Object, TileLayer, TiledMap, Tileset, Value},
    scan::{ELEMENTS_MAX, elements},
    tmj, tmx,
};
use crate::{files::Files, quote::quoted};
use nav_grid::{Cell, map::text::skip_mark};
use std::collections::BTreeMap;

/// External tilesets that a map may have. A guess, far above what an editor can show: each of them
/// makes the reader ask for a file.
const EXTERNAL_MAX: usize = 256;

/// Reads the external tilesets of a list.
///
/// A file that is missing only matters if a tile needs its tileset.
pub(crate) fn open(tilesets: &mut [Tileset], files: &Files<'_>) -> Result<(), TiledError> {
    let mut opened = 0;
    let mut values = 0;
    for tileset in tilesets.iter_mut() {
        let Some(source) = tileset.source.take() else {
            continue;
        };
        opened += 1;
        if opened > EXTERNAL_MAX {
            let (kind, max) = ("external tilesets", EXTERNAL_MAX);
            return Err(TiledProblem::TooManyFiles { kind, max }.anywhere());
        }
        match files.get(&source) {
            Ok(bytes) => {
                let first_gid = tileset.first_gid;
                *tileset = read(&bytes).map_err(|error| {
                    let path = quoted(&source);
                    let error = Box::new(error);
                    TiledProblem::InFile { path, error }.anywhere()
                })?;
                tileset.first_gid = first_gid;
                // Together no more than one map may have, however often a file is named.
                values += tileset.values.values().map(BTreeMap::len).sum::<usize>();
                values += tileset
                    .classes
                    .values()
                    .map(|class| elements(class.len()))
                    .sum::<usize>();
                if values > ELEMENTS_MAX {
                    let max = ELEMENTS_MAX;
                    return Err(TiledProblem::TooManyElements { max }.anywhere());
                }
            }
            Err(missing) => tileset.missing = Some(missing),
        }
        tileset.name = source;
    }
    Ok(())
}

fn read(bytes: &[u8]) -> Result<Tileset, TiledError> {
    let bytes = skip_mark(bytes);
    // The ending `.json` is usual too, so that only the content tells the language.
    if bytes.trim_ascii_start().starts_with(b"{") {
        tmj::read_tileset(bytes)
    } else {
        tmx::read_tileset(bytes)
    }
}

impl Tileset {
    /// Refuses a tileset whose file is missing. `user` is what needs it.
    pub(crate) fn needed(&self, user: impl FnOnce() -> String) -> Result<&Self, TiledProblem> {
        match &self.missing {
            None => Ok(self),
            Some(file) => Err(TiledProblem::MissingTileset {
                user: user(),
                file: file.clone(),
            }),
        }
    }
}

/// Returns the tileset of a tile, if there is one.
pub(crate) fn of_tile(tilesets: &[Tileset], gid: u32) -> Option<&Tileset> {
    let above = tilesets.partition_point(|tileset| tileset.first_gid <= gid);
    tilesets.get(above.checked_sub(1)?)
}

/// Returns the tileset of a tile object's tile, if there is one.
pub(crate) fn of_object<'m>(
    map: &'m TiledMap<'_>,
    object: &Object,
    gid: u32,
) -> Option<&'m Tileset> {
    match object.template_tileset {
        None => of_tile(&map.tilesets, gid),
        Some(index) => map.template_tilesets.get(index),
    }
}

/// Gives tile objects without a class that of their tile.
pub(crate) fn pass_classes(map: &mut TiledMap<'_>) -> Result<(), TiledError> {
    let mut objects = std::mem::take(&mut map.objects);
    let mut copied = 0;
    for object in objects.iter_mut().filter(|object| object.class.is_empty()) {
        let Some(gid) = object.gid else {
            continue;
        };
        let tileset = of_object(map, object, gid);
        let class = tileset.and_then(|it| it.classes.get(&gid.checked_sub(it.first_gid)?));
        if let Some(class) = class {
            copied += elements(class.len());
            if copied > ELEMENTS_MAX {
                let max = ELEMENTS_MAX;
                return Err(TiledProblem::TooManyElements { max }.anywhere());
            }
            object.class.clone_from(class);
        }
    }
    map.objects = objects;
    Ok(())
}

/// Returns the tileset of a tile in a layer, if the map has any, and the tile's number in it.
pub(crate) fn local<'t>(
    tilesets: &'t [Tileset],
    layer: &TileLayer<'_>,
    cell: Cell,
    gid: u32,
) -> Result<(Option<&'t Tileset>, u32), TiledProblem> {
    match of_tile(tilesets, gid) {
        Some(tileset) => Ok((Some(tileset), gid - tileset.first_gid)),
        None if tilesets.is_empty() => Ok((None, gid.saturating_sub(1))),
        None => Err(TiledProblem::UnknownTile {
            layer: quoted(&layer.name),
            cell,
            gid,
        }),
    }
}

/// Property of tiles and of layers, and the numbers that its values mean.
#[derive(Clone, Copy)]
pub(crate) struct Property {
    /// Name, one of [`OF_TILES`](super::left_out::OF_TILES).
    pub(crate) name: &'static str,
    /// Greatest number.
    pub(crate) max: u8,
    /// Words for the numbers from 0 on; none if the values are numbers themselves.
    pub(crate) words: &'static [&'static str],
}

impl Property {
    /// Returns the number that a value means; `owner` has the value.
    pub(crate) fn number(
        self,
        value: &Value,
        owner: impl FnOnce() -> String,
    ) -> Result<u8, TiledProblem> {
        let number = match value {
            Value::Int(number) if self.words.is_empty() => u8::try_from(*number).ok(),
            Value::Text(text) => (self.words.iter().zip(0..))
                .find_map(|(word, number)| word.eq_ignore_ascii_case(text).then_some(number)),
            _ => None,
        };
        number
            .filter(|number| *number <= self.max)
            .ok_or_else(|| TiledProblem::Property {
                owner: owner(),
                property: self.name,
                found: Value::describe(Some(value)),
                expected: if self.words.is_empty() {
                    format!("an int from 0 to {}", self.max)
                } else {
                    format!("one of the words {}", self.words.join(", "))
                },
            })
    }

    /// Returns the number that a tile means in a layer named after the property: its value, or the
    /// tile's number in its tileset if no tile there has a value.
    pub(crate) fn of_tile(
        self,
        tilesets: &[Tileset],
        layer: &TileLayer<'_>,
        cell: Cell,
        gid: u32,
    ) -> Result<u8, TiledProblem> {
        let (tileset, id) = local(tilesets, layer, cell, gid)?;
        if let Some(tileset) = tileset {
            tileset.needed(|| format!("layer '{}'", quoted(&layer.name)))?;
        }
        let values = tileset.and_then(|tileset| Some((tileset, tileset.values.get(self.name)?)));
        let Some((tileset, values)) = values else {
            return in_range(layer, cell, self.name, i64::from(id), self.max);
        };
        match values.get(&id) {
            Some(value) => self.number_of(tileset, layer, cell, (id, value)),
            None => Err(TiledProblem::NoProperty {
                layer: quoted(&layer.name),
                cell,
                tile: id,
                tileset: quoted(&tileset.name),
                property: self.name,
            }),
        }
    }

    /// Returns the number that a tile has by a value of its own, if it has one.
    pub(crate) fn said_by_tile(
        self,
        tilesets: &[Tileset],
        layer: &TileLayer<'_>,
        cell: Cell,
        gid: u32,
    ) -> Result<Option<u8>, TiledProblem> {
        let Some(tileset) = of_tile(tilesets, gid) else {
            return Ok(None);
        };
        let id = gid - tileset.first_gid;
        match tileset.values.get(self.name).and_then(|it| it.get(&id)) {
            Some(value) => self.number_of(tileset, layer, cell, (id, value)).map(Some),
            None => Ok(None),
        }
    }

    fn number_of(
        self,
        tileset: &Tileset,
        layer: &TileLayer<'_>,
        cell: Cell,
        (id, value): (u32, &Value),
    ) -> Result<u8, TiledProblem> {
        match value {
            // Of a number, the cell tells more than the tileset.
            &Value::Int(number) if self.words.is_empty() => {
                in_range(layer, cell, self.name, number, self.max)
            }
            other => self.number(other, || {
                format!("tile {id} of tileset '{}'", quoted(&tileset.name))
            }),
        }
    }
}

/// Checks the number that a tile means.
pub(crate) fn in_range(
    layer: &TileLayer<'_>,
    cell: Cell,
    what: &'static str,
    found: i64,
    max: u8,
) -> Result<u8, TiledProblem> {
    match u8::try_from(found) {
        Ok(value) if value <= max => Ok(value),
        _ => Err(TiledProblem::TileValue {
            layer: quoted(&layer.name),
            cell,
            what,
            found,
            max,
        }),
    }
}

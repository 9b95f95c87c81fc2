//! Reader of projects: finds the level and its file, and makes its map.

use super::{
    entities, grid_layers,
    model::{Definitions, Layer, LayerDefinition, Level, Project},
};
use crate::{
    editor::parse_json,
    editor_names::EditorNames,
    error::{ParseError, Problem, refuse},
    files::ReadOptions,
    map_file::MapFile,
    quote::quoted,
    warning::Names,
};
use nav_grid::map::text::skip_mark;
use std::collections::BTreeMap;

/// Reads a level of a project.
///
/// What is left out without an error is in [`MapFile::warnings`].
///
/// # Errors
///
/// [`ParseError`] if
///
/// - the file is no project, or the file of its level is missing or invalid,
/// - there is no such level, or there are several and none was chosen,
/// - no value of its layers has a meaning, or layers differ in size,
/// - a value or link is invalid, or there are more than 50,000 entities and values.
///
/// Only invalid JSON has a position; other sentences name a level, layer or entity instead.
///
/// # Complexity
///
/// O(bytes). Takes at most 16 times the file and 64 MiB of memory.
pub fn read(bytes: &[u8], options: &ReadOptions<'_>) -> Result<MapFile, ParseError> {
    let project: Project = parse_json(skip_mark(bytes))?;
    let mut levels = project.levels;
    levels.extend(project.worlds.into_iter().flat_map(|world| world.levels));
    let level = choose(levels, options)?;
    let name = quoted(&level.identifier);
    let layers = match (level.layer_instances, level.external_rel_path) {
        (None, Some(path)) => of_file(&name, &path, options)?,
        (layers, _) => layers,
    };
    let Some(layers) = layers else {
        refuse!(
            Value,
            "level '{name}' has no layers; expected them in it or in a file that it names"
        );
    };
    let default = EditorNames::ldtk();
    let names = options.names.as_ref().unwrap_or(&default);
    Ok(to_map(&name, layers, &project.defs, names)?)
}

/// Returns the layers of a level that is in a file of its own.
fn of_file(
    level: &str,
    path: &str,
    options: &ReadOptions<'_>,
) -> Result<Option<Vec<Layer>>, ParseError> {
    let bytes = options.files.get(path).map_err(|file| {
        Problem::missing(format_args!("level '{level}' is in another file"), &file)
    })?;
    let read: Result<Level, _> = parse_json(skip_mark(&bytes));
    let of_file = read.map_err(|error| Problem::in_file(path, error))?;
    Ok(of_file.layer_instances)
}

/// Returns the level that the options name, or the only one.
fn choose(levels: Vec<Level>, options: &ReadOptions<'_>) -> Result<Level, Problem> {
    let mut names = Names::default();
    for level in &levels {
        names.add(format_args!("'{}'", quoted(&level.identifier)));
    }
    let count = levels.len();
    for level in levels {
        let is_wanted = match &options.level {
            Some(wanted) => level.identifier == *wanted,
            None => count == 1,
        };
        if is_wanted {
            return Ok(level);
        }
    }
    match options.level.as_ref().map(quoted) {
        _ if count == 0 => refuse!(Value, "the project has no level; expected at least one"),
        Some(wanted) => refuse!(
            Value,
            "there is no level '{wanted}'; expected one of {names}"
        ),
        None => refuse!(
            Value,
            "the project has the levels {names}; expected one of them, chosen by its name"
        ),
    }
}

/// Creates the map of a level.
fn to_map(
    level: &str,
    mut layers: Vec<Layer>,
    definitions: &Definitions,
    names: &EditorNames,
) -> Result<MapFile, Problem> {
    let by_uid: BTreeMap<i64, &LayerDefinition> =
        (definitions.layers.iter()).map(|it| (it.uid, it)).collect();
    layers.retain(|layer| {
        let definition = by_uid.get(&layer.definition);
        definition.is_none_or(|definition| !definition.is_ignored)
    });
    let read = grid_layers::read(level, &layers, &by_uid, names)?;
    let items = entities::items(layers, read.cell_side)?;
    let map = read.left_out.map(read.grid, items, names, &entities::LDTK);
    map.map_err(|(problem, _)| problem)
}

//! Reader of projects: finds the level and its file.

use super::{
    layers,
    model::{Level, Project},
    options::Options,
    problem::LdtkProblem,
};
use crate::{
    error::{ParseError, Position, Problem},
    json,
    map_file::MapFile,
    quote::quoted,
    warning::Names,
};
use nav_grid::map::text::skip_mark;
use serde::Deserialize;

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
/// - a value or link is invalid.
///
/// Only invalid JSON has a position; other sentences name a level, layer or entity instead.
///
/// # Complexity
///
/// O(bytes). Takes at most 16 times the file and 64 MiB of memory.
pub fn read(bytes: &[u8], options: &Options<'_>) -> Result<MapFile, ParseError> {
    let project: Project = parse(skip_mark(bytes))?;
    let mut levels: Vec<Level> = project.levels;
    levels.extend(project.worlds.into_iter().flat_map(|world| world.levels));
    let level = choose(levels, options).map_err(anywhere)?;
    let name = quoted(&level.identifier);
    let layers = match (level.layer_instances, level.external_rel_path) {
        (Some(layers), _) => layers,
        (None, None) => return Err(anywhere(LdtkProblem::NoLayers { level: name })),
        (None, Some(path)) => {
            let bytes = options.files.get(&path).map_err(|file| {
                let level = name.clone();
                anywhere(LdtkProblem::MissingLevel { level, file })
            })?;
            let external: Level = parse(skip_mark(&bytes)).map_err(|error| {
                let path = quoted(&path);
                let error = Box::new(error);
                anywhere(LdtkProblem::InFile { path, error })
            })?;
            let no_layers = || {
                anywhere(LdtkProblem::NoLayers {
                    level: name.clone(),
                })
            };
            external.layer_instances.ok_or_else(no_layers)?
        }
    };
    layers::to_map(&name, layers, &project.defs, options).map_err(anywhere)
}

/// Returns the level that the options name, or the only one.
fn choose(levels: Vec<Level>, options: &Options<'_>) -> Result<Level, LdtkProblem> {
    let mut names = Names::default();
    for level in &levels {
        names.add(format_args!("'{}'", quoted(&level.identifier)));
    }
    let count = levels.len();
    let mut levels = levels.into_iter();
    let found = match &options.level {
        Some(wanted) => levels.find(|level| level.identifier == *wanted),
        None if count > 1 => return Err(LdtkProblem::SeveralLevels { levels: names }),
        None => levels.next(),
    };
    found.ok_or_else(|| match &options.level {
        Some(wanted) if count > 0 => LdtkProblem::UnknownLevel {
            found: quoted(wanted),
            levels: names,
        },
        _ => LdtkProblem::NoLevel,
    })
}

fn parse<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, ParseError> {
    json::parse(bytes).map_err(|(position, found)| ParseError {
        position,
        problem: Problem::Ldtk(LdtkProblem::Syntax { found }),
    })
}

fn anywhere(problem: LdtkProblem) -> ParseError {
    ParseError {
        position: Position::Unknown,
        problem: Problem::Ldtk(problem),
    }
}

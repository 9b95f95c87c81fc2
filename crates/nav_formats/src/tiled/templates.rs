//! Templates of objects, which are in files of their own.

use super::{
    error::{TiledError, TiledProblem},
    model::{Object, Template, TiledMap},
    scan::{ELEMENTS_MAX, elements},
    tmj, tmx,
};
use crate::{
    files::{Files, MissingFile},
    quote::quoted,
};
use nav_grid::map::text::skip_mark;
use std::collections::BTreeMap;

/// Templates that a map may have. A guess, far above what a map is made with: each of them makes the
/// reader ask for a file.
const FILES_MAX: usize = 256;

/// Gives the objects of a map what they have from their templates.
///
/// An object has all that its template has and it does not have itself. A template that is missing
/// only matters if the object may be a link, or an end of one.
pub(crate) fn open(map: &mut TiledMap<'_>, files: &Files<'_>) -> Result<(), TiledError> {
    let mut opened = BTreeMap::new();
    let mut elements = 0;
    for object in &mut map.objects {
        let Some(path) = object.template.take() else {
            continue;
        };
        if !opened.contains_key(&path) {
            if opened.len() == FILES_MAX {
                let (kind, max) = ("templates", FILES_MAX);
                return Err(TiledProblem::TooManyFiles { kind, max }.anywhere());
            }
            let template = read(&path, files)?.map(|mut template| {
                let index = template.tileset.take().map(|mut tileset| {
                    tileset.source = tileset.source.map(|source| beside(&path, &source));
                    map.template_tilesets.push(tileset);
                    map.template_tilesets.len() - 1
                });
                template.object.template_tileset = index;
                template.object
            });
            opened.insert(path.clone(), template);
        }
        match opened.get(&path) {
            Some(Ok(template)) => {
                elements += length(template);
                if elements > ELEMENTS_MAX {
                    let max = ELEMENTS_MAX;
                    return Err(TiledProblem::TooManyElements { max }.anywhere());
                }
                fill(object, template);
            }
            Some(Err(missing)) => object.missing = Some(missing.clone()),
            None => {}
        }
    }
    Ok(())
}

/// Reads a template. The inner error is that it is missing.
fn read(path: &str, files: &Files<'_>) -> Result<Result<Template, MissingFile>, TiledError> {
    let bytes = match files.get(path) {
        Ok(bytes) => bytes,
        Err(missing) => return Ok(Err(missing)),
    };
    let bytes = skip_mark(&bytes);
    // The ending `.json` is usual too, so that only the content tells the language.
    let read = if bytes.trim_ascii_start().starts_with(b"{") {
        tmj::read_template(bytes)
    } else {
        tmx::read_template(bytes)
    };
    read.map(Ok).map_err(|error| {
        let (path, error) = (quoted(path), Box::new(error));
        TiledProblem::InFile { path, error }.anywhere()
    })
}

/// Returns how many elements an object copies from its template.
fn length(template: &Object) -> usize {
    let properties = template.properties.iter();
    let text: usize = (properties.map(|(name, value)| name.len() + value.text_length())).sum();
    template.properties.len() + elements(template.class.len() + template.name.len() + text)
}

/// Gives an object what it has from its template.
fn fill(object: &mut Object, template: &Object) {
    if object.class.is_empty() {
        object.class.clone_from(&template.class);
    }
    if object.name.is_empty() {
        object.name.clone_from(&template.name);
    }
    object.width = object.width.or(template.width);
    object.height = object.height.or(template.height);
    object.rotation = object.rotation.or(template.rotation);
    if object.gid.is_none() && template.gid.is_some() {
        object.gid = template.gid;
        object.template_tileset = template.template_tileset;
    }
    object.has_cell &= template.has_cell;
    for (name, value) in &template.properties {
        let own = object.properties.entry(name.clone());
        own.or_insert_with(|| value.clone());
    }
}

/// Returns the path of a file that another file names, from the map's folder: `sets/a.tsx` for
/// `../sets/a.tsx` in `doors/b.tx`.
fn beside(file: &str, path: &str) -> String {
    if path.starts_with('/') || path.contains(':') {
        return path.to_owned();
    }
    let mut folders: Vec<&str> = file.split('/').collect();
    folders.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if folders.last().is_some_and(|last| *last != "..") => {
                folders.pop();
            }
            part => folders.push(part),
        }
    }
    folders.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_beside_a_file() {
        for (file, path, expected) in [
            ("b.tx", "a.tsx", "a.tsx"),
            ("doors/b.tx", "a.tsx", "doors/a.tsx"),
            ("doors/b.tx", "../sets/./a.tsx", "sets/a.tsx"),
            ("../doors/b.tx", "../../a.tsx", "../../a.tsx"),
            ("doors/b.tx", "/a.tsx", "/a.tsx"),
            ("doors/b.tx", "C:/a.tsx", "C:/a.tsx"),
            ("/doors/b.tx", "../a.tsx", "/a.tsx"),
        ] {
            assert_eq!(beside(file, path), expected, "{path} in {file}");
        }
    }
}

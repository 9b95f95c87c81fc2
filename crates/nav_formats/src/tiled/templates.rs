//! Templates of objects, which are in files of their own.

use super::model::{self, Object, Template, of_any};
use crate::{
    editor::Value,
    error::{ParseError, Problem, refuse},
    files::{Files, MissingFile},
    limit::{EXTERNAL_MAX, Parts, parts_of_text},
};
use std::collections::{BTreeMap, btree_map::Entry};

/// Gives objects what they have from their templates, and returns the tilesets of these.
///
/// An object has all that its template has and it does not have itself. A template that is missing
/// only matters if the object may be a link, or an end of one.
///
/// # Errors
///
/// There are too many files, or one is invalid; objects copy too much.
pub(super) fn open<'m>(
    objects: impl Iterator<Item = &'m mut Object>,
    files: &Files<'_>,
) -> Result<Vec<model::Tileset>, ParseError> {
    let mut opened: BTreeMap<String, Result<Object, MissingFile>> = BTreeMap::new();
    let mut tilesets = Vec::new();
    let mut parts = Parts::default();
    for object in objects {
        let Some(path) = object.template.take() else {
            continue;
        };
        let count = opened.len();
        let template = match opened.entry(path) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(_) if count == EXTERNAL_MAX => {
                refuse!(TooMuch, "more than {EXTERNAL_MAX} templates");
            }
            Entry::Vacant(place) => {
                let template = read(place.key(), files, &mut tilesets)?;
                place.insert(template)
            }
        };
        match template {
            Ok(template) => {
                parts.take(parts_of(template))?;
                fill(object, template);
            }
            Err(missing) => object.missing = Some(missing.clone()),
        }
    }
    Ok(tilesets)
}

/// Reads a template, and adds its tileset to a list if it has one. The inner error is that it is
/// missing.
fn read(
    path: &str,
    files: &Files<'_>,
    tilesets: &mut Vec<model::Tileset>,
) -> Result<Result<Object, MissingFile>, ParseError> {
    let bytes = match files.get(path) {
        Ok(bytes) => bytes,
        Err(missing) => return Ok(Err(missing)),
    };
    let template: Template =
        of_any(&bytes, "template").map_err(|error| Problem::in_file(path, error))?;
    let mut object = template.object;
    if let Some(mut tileset) = template.tileset {
        tileset.source = tileset.source.map(|source| beside(path, &source));
        object.template_tileset = Some(tilesets.len());
        tilesets.push(tileset);
    }
    Ok(Ok(object))
}

/// Returns how many parts an object copies from its template.
fn parts_of(template: &Object) -> usize {
    let mut text = template.class.len() + template.name.len();
    for (name, value) in &template.properties {
        text += name.len();
        if let Value::Text(value) | Value::Colour(value) = value {
            text += value.len();
        }
    }
    template.properties.len() + parts_of_text(text)
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
    object.take_shape(template);
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

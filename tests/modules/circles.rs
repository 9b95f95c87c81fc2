//! Circles: two modules at the top of a crate of which each uses the other.

use crate::{assert_none, workspace::packages, workspace::rust_files};
use std::{collections::BTreeSet, fs};

/// The circles that are there. Lines may only go.
const KNOWN: &[&str] = &[
    "bevy_chase: components, occupancy",
    "bevy_chase: components, state",
    "bevy_chase: diagnostics, systems",
    "bevy_chase: links, occupancy",
    "bevy_chase: links, systems",
    "bevy_chase: occupancy, systems",
    "bevy_chase: shared, systems",
];

/// Returns the first name of a path, or of each path of a list in braces.
fn first_names(path: &str) -> Vec<&str> {
    let (mut depth, mut names) = (0, Vec::new());
    for part in path.split_inclusive(['{', '}', ',', ';']) {
        let word = |sign: char| sign == '_' || sign.is_alphanumeric();
        let name = part.trim().split(|sign| !word(sign)).next();
        names.extend(name.filter(|name| depth < 2 && !name.is_empty()));
        depth += i32::from(part.ends_with('{')) - i32::from(part.ends_with('}'));
        if depth == 0 || !path.starts_with('{') {
            break;
        }
    }
    names
}

/// Returns the names at the top of the crate that a file uses which is `depth` modules below it.
/// Comments do not count, and neither does a module of tests.
fn used(text: &str, depth: usize) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let code = code.lines().filter(|line| !line.trim().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n");
    let up = "super::".repeat(depth);
    let paths = code.split("crate::").skip(1).chain(code.split(&up).skip(1));
    paths.flat_map(first_names).map(str::to_owned).collect()
}

/// Returns the module from which the first file of a crate exports a name, or the name itself if
/// that is a module.
fn owner(name: String, root: &str) -> String {
    let is_word = |text: &str| {
        text.split(|sign: char| sign != '_' && !sign.is_alphanumeric())
            .any(|word| word == name)
    };
    let mut exports = root
        .split("pub use ")
        .skip(1)
        .filter_map(|text| text.split(';').next());
    let export = exports.find(|export| is_word(export));
    let is_module = root.contains(&format!("mod {name};"));
    export
        .filter(|_| !is_module)
        .and_then(|export| first_names(export).first().map(ToString::to_string))
        .unwrap_or(name)
}

#[test]
fn circles_of_modules() {
    let mut uses = BTreeSet::new();
    for package in packages() {
        let src = package.folder.join("src");
        let root = fs::read_to_string(src.join("lib.rs")).unwrap_or_default();
        for (name, path) in rust_files(&src) {
            let name = name.trim_end_matches(".rs").trim_end_matches("/mod");
            let module: Vec<&str> = name.split('/').collect();
            if module != ["lib"] && !module.contains(&"tests") {
                let used = used(&fs::read_to_string(path).unwrap(), module.len());
                let used = used.into_iter().map(|name| owner(name, &root));
                uses.extend(used.map(|other| (&package.name, module[0].to_owned(), other)));
            }
        }
    }
    let circles = uses.iter().filter(|(name, one, other)| {
        one < other && uses.contains(&(*name, other.clone(), one.clone()))
    });
    let circles = circles.map(|(name, one, other)| format!("{name}: {one}, {other}"));
    let new = circles.filter(|circle| !KNOWN.contains(&circle.as_str()));
    assert_none(
        "each of two modules uses the other",
        &new.collect::<Vec<_>>(),
    );
}

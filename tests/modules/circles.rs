//! Circles: two modules at the top of a crate of which each names the other.

use crate::{
    assert_none,
    workspace::{packages, rust_files},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// The circles that are there. Lines may only go.
const KNOWN: &[&str] = &[];

/// Returns the name at the beginning of a path.
fn first_name(path: &str) -> &str {
    let is_end = |sign: char| sign != '_' && !sign.is_alphanumeric();
    path.trim_start().split(is_end).next().unwrap_or_default()
}

/// Returns the name at the beginning of a path, or of each path of a list in braces.
fn first_names(path: &str) -> Vec<String> {
    let Some(list) = path.strip_prefix('{') else {
        return vec![first_name(path).to_owned()];
    };
    let (mut depth, mut outer) = (0, String::new());
    for sign in list.chars() {
        match sign {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            _ if depth == 0 => outer.push(sign),
            _ => {}
        }
    }
    outer
        .split(',')
        .map(|path| first_name(path).to_owned())
        .collect()
}

/// Returns the names at the top of the crate that a file uses, `depth` modules below it. Comments
/// do not count, and neither does a module of tests at the end.
fn used(text: &str, depth: usize) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let code = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n");
    let up = "super::".repeat(depth);
    let paths = code.split("crate::").skip(1).chain(code.split(&up).skip(1));
    paths.flat_map(first_names).collect()
}

/// Returns the modules whose items the first file of a crate exports, by the names of the items.
fn exports(text: &str) -> BTreeMap<&str, &str> {
    let statements = text.split("pub use ").skip(1);
    let statements = statements.filter_map(|statement| statement.split(';').next());
    let names = statements.flat_map(|statement| {
        let names = statement.split(|sign: char| sign != '_' && !sign.is_alphanumeric());
        names.map(move |name| (name, first_name(statement)))
    });
    names.collect()
}

#[test]
fn circles_of_modules() {
    let mut uses = BTreeSet::new();
    for package in packages() {
        let src = package.folder.join("src");
        let root = fs::read_to_string(src.join("lib.rs")).unwrap_or_default();
        let exports = exports(&root);
        for (name, path) in rust_files(&src) {
            let name = name.trim_end_matches(".rs").trim_end_matches("/mod");
            let module: Vec<&str> = name.split('/').collect();
            if module == ["lib"] || module.contains(&"tests") {
                continue;
            }
            for other in used(&fs::read_to_string(path).unwrap(), module.len()) {
                let other = exports
                    .get(other.as_str())
                    .map_or(other.clone(), ToString::to_string);
                uses.insert((&package.name, module[0].to_owned(), other));
            }
        }
    }
    let circles = uses.iter().filter(|(name, one, other)| {
        one < other && uses.contains(&(*name, other.clone(), one.clone()))
    });
    let circles = circles.map(|(name, one, other)| format!("{name}: {one}, {other}"));
    let new: Vec<String> = circles
        .filter(|circle| !KNOWN.contains(&circle.as_str()))
        .collect();
    assert_none("each of two modules uses the other", &new);
}

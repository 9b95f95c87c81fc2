//! Checks of the sources: layers of crates, circles of modules, sizes of files, unsafe code, names
//! in documents, decisions, and plain English.
//!
//! The checks read text and `cargo metadata`, so they need no compiler and no parser.

mod circles;
mod decisions;
mod documents;
mod labels;
mod pages;
mod prose;
mod workspace;

use std::{collections::BTreeSet, fs};
use workspace::{Package, package, packages, root, rust_files};

/// The crates of this workspace, from the bottom up. A crate may depend only on crates of lower
/// rows.
const LAYERS: &[&[&str]] = &[
    &["heap_meter", "nav_cli", "nav_grid", "nav_protocol"],
    &["bevy_chase", "mapgen", "nav_client", "nav_formats"],
    &["nav_behaviour", "nav_judge"],
    &["nav_sync", "nav_testing", "nav_trace"],
    &["nav_drawn", "nav_sim", "nav_zones"],
    &["nav_server"],
    &["chase", "nav_lab", "zones"],
    &["nav_examples", "nav_tests"],
    &["nav_fuzz"],
];

/// The dependencies that `nav_grid` may have. It must stay free of an engine, of threads and of
/// random numbers.
const DEPENDENCIES_OF_THE_CORE: [&str; 2] = ["serde", "thiserror"];

/// The only sources with unsafe code, each with an argument beside it why it is sound.
const UNSAFE_FILES: [&str; 2] = [
    "crates/heap_meter/src/lib.rs",
    "crates/nav_grid/src/bits.rs",
];

/// The most lines of a file, so that it covers one concept. A guess that has held for all files so
/// far.
const LINES_MAX: usize = 500;

/// Folders at the root of the workspace that have Rust files.
const FOLDERS: [&str; 5] = ["benches", "crates", "examples", "fuzz", "tests"];

/// Fails with all findings, one to a line; passes if there are none.
fn assert_none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n{}\n", found.join("\n"));
}

/// Returns all Rust files of the workspace with their text.
fn all_files() -> impl Iterator<Item = (String, String)> {
    let files = FOLDERS.into_iter().flat_map(|folder| {
        let files = rust_files(&root().join(folder)).into_iter();
        files.map(move |(name, path)| (format!("{folder}/{name}"), path))
    });
    files.map(|(name, path)| (name, fs::read_to_string(path).unwrap()))
}

/// Returns the dependencies of a crate that are in `layers`, but in no lower row.
fn upward(name: &str, dependencies: &BTreeSet<String>, layers: &[&[&str]]) -> Vec<String> {
    let row = |name: &str| layers.iter().position(|row| row.contains(&name));
    let Some(own) = row(name) else {
        return vec![format!("{name}: is in no row of LAYERS")];
    };
    let upward = dependencies
        .iter()
        .filter(|other| row(other).is_some_and(|other| other >= own));
    upward
        .map(|other| format!("{name}: depends on {other}"))
        .collect()
}

#[test]
fn layers_of_crates() {
    let found = packages().iter();
    let found: Vec<String> = found
        .flat_map(
            |Package {
                 name, dependencies, ..
             }| upward(name, dependencies, LAYERS),
        )
        .collect();
    assert_none("crates may depend on those of lower rows only", &found);
}

#[test]
fn upward_dependency_is_found() {
    let rows: &[&[&str]] = &[&["low"], &["middle", "beside"], &["high"]];
    let uses = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    let none: [&str; 0] = [];
    assert_eq!(upward("middle", &uses(&["low", "serde"]), rows), none);
    let found = upward("middle", &uses(&["beside", "high", "low"]), rows);
    let expected = ["middle: depends on beside", "middle: depends on high"];
    assert_eq!(found, expected);
    assert_eq!(upward("new", &uses(&[]), rows).len(), 1);
}

#[test]
fn dependencies_of_the_core() {
    let dependencies = package("nav_grid").dependencies.iter();
    let others = dependencies.filter(|name| !DEPENDENCIES_OF_THE_CORE.contains(&name.as_str()));
    let others: Vec<String> = others.cloned().collect();
    assert_none("nav_grid depends on more than it may", &others);
}

#[test]
fn length_of_files() {
    let files = all_files().map(|(name, text)| (name, text.lines().count()));
    let long = files.filter(|(_, lines)| *lines > LINES_MAX);
    let long: Vec<String> = long
        .map(|(name, lines)| format!("{name} has {lines} lines"))
        .collect();
    assert_none(&format!("at most {LINES_MAX} lines make a file"), &long);
}

/// A file without a `mod` is neither compiled nor tested, and no compiler reports it.
#[test]
fn undeclared_files() {
    let mut found = Vec::new();
    for Package { folder, roots, .. } in packages() {
        for (_, path) in rust_files(&folder.join("src")) {
            let stem = path.file_stem().unwrap().to_str().unwrap();
            if roots.contains(&path) {
                continue;
            }
            let place = path.parent().unwrap();
            let (place, name) = if stem == "mod" {
                let name = place.file_name().unwrap().to_str().unwrap();
                (place.parent().unwrap(), name)
            } else {
                (place, stem)
            };
            let beside = rust_files(place).into_iter();
            let mut beside = beside.filter(|(name, _)| !name.contains('/'));
            let around = place.with_extension("rs");
            let declares = |file: &std::path::Path| {
                let text = fs::read_to_string(file).unwrap_or_default();
                text.contains(&format!("mod {name};"))
            };
            if !beside.any(|(_, file)| file != path && declares(&file)) && !declares(&around) {
                found.push(path.display().to_string());
            }
        }
    }
    assert_none("no `mod` leads to these files", &found);
}

#[test]
fn unsafe_code_with_an_argument() {
    // The words are joined here, so that this file does not contain them.
    let (word, argument) = (["unsafe", " "].concat(), ["// ", "SAFETY: "].concat());
    let mut found = Vec::new();
    let mut with = BTreeSet::new();
    for (name, text) in all_files() {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (number, line) in lines.iter().enumerate() {
            let is_code = !line.starts_with("//") && line.contains(&word);
            // An implementation of an unsafe trait function promises no more than the trait does.
            if !is_code || line.starts_with(&format!("{word}fn ")) {
                continue;
            }
            with.insert(name.clone());
            let before = lines[..number].iter().rev();
            let mut comment = before.take_while(|line| line.starts_with("//"));
            if !comment.any(|line| line.starts_with(&argument)) {
                found.push(format!("{name}, line {}: {line}", number + 1));
            }
        }
    }
    assert_none("nothing says why this is sound", &found);
    let with: Vec<&str> = with.iter().map(String::as_str).collect();
    assert_eq!(with, UNSAFE_FILES, "these files have it, and no others");
}

#[test]
fn files_that_documents_name() {
    let mut found = Vec::new();
    for (path, text) in documents::documents() {
        let name = path.strip_prefix(root()).unwrap().display();
        let missing = documents::missing_files(&text, path.parent().unwrap());
        found.extend(missing.iter().map(|file| format!("{name}: {file}")));
    }
    assert_none("these files are not there", &found);
}

#[test]
fn headings_that_documents_link_to() {
    let mut found = Vec::new();
    for (path, text) in documents::documents() {
        let name = path.strip_prefix(root()).unwrap().display();
        let missing = documents::missing_anchors(&text, path.parent().unwrap());
        found.extend(missing.iter().map(|link| format!("{name}: {link}")));
    }
    assert_none("these headings are not there", &found);
}

/// A page is in the book if its summary names it, and its code compiles if `tests/lib.rs` includes
/// it.
#[test]
fn pages_of_the_book() {
    let folder = root().join("docs/book/src");
    let summary = fs::read_to_string(folder.join("SUMMARY.md")).unwrap();
    let tested = fs::read_to_string(root().join("tests/lib.rs")).unwrap();
    let mut found = Vec::new();
    for (path, text) in documents::documents() {
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.parent() != Some(folder.as_path()) || name == "SUMMARY.md" {
            continue;
        }
        if !summary.contains(&format!("({name})")) {
            found.push(format!("{name} is not in SUMMARY.md"));
        }
        let is_tested = tested.contains(&format!("\"docs/book/src/{name}\""));
        if is_tested != text.contains("```rust") {
            found.push(format!(
                "{name}: pages in tests/lib.rs are the ones with Rust in them"
            ));
        }
        let mut lines = text.lines().skip(1).filter(|line| !line.is_empty());
        if !lines
            .next()
            .is_some_and(|line| line.starts_with("After this page you "))
        {
            found.push(format!(
                "{name} does not begin with what a reader can do after it"
            ));
        }
    }
    assert_none("pages of the book", &found);
}

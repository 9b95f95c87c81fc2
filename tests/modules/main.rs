//! The structure of the workspace: which modules and crates use which, read from the sources, and
//! what documents say about them.
//!
//! Use means that the code of a file names what another file defines: in a `use` line, a path, a
//! type, a macro. Names are followed through imports and re-exports to the file that defines them,
//! and a re-export is no use by the file that it stands in. Tests inside the sources, comments and
//! strings do not count.
//!
//! What cannot be seen from names: methods that are called on a value, and what macros make.
//! `planted.rs` has a small crate for each way of naming things, with a fault that must be found.

mod circles;
mod documents;
mod planted;
mod sources;
mod uses;
mod workspace;

use circles::{Graph, circles};
use sources::{Sources, rust_files};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};
use workspace::{Package, package, packages, root};

/// The crates of this workspace and, for each, those of them that it may depend on. Each stands
/// after all that it may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("nav_grid", &[]),
    ("nav_formats", &["nav_grid"]),
    ("mapgen", &["nav_grid"]),
    ("heap_meter", &[]),
    ("nav_judge", &["nav_grid", "nav_formats", "heap_meter"]),
    ("nav", &["nav_grid"]),
    ("nav_protocol", &[]),
    ("nav_client", &["nav_protocol"]),
    ("nav_sync", &["nav_grid", "nav", "nav_protocol"]),
    ("nav_zones", &["nav_grid", "nav"]),
    (
        "chase",
        &[
            "nav_grid",
            "nav_formats",
            "mapgen",
            "nav",
            "nav_protocol",
            "nav_sync",
            "nav_client",
        ],
    ),
    (
        "zones",
        &["nav_grid", "nav_formats", "nav", "nav_zones", "chase"],
    ),
    (
        "nav_lab",
        &["nav_grid", "nav_formats", "mapgen", "nav", "chase"],
    ),
    (
        "nav_fuzz",
        &[
            "nav_grid",
            "nav_formats",
            "heap_meter",
            "nav_judge",
            "nav",
            "nav_protocol",
            "nav_client",
            "chase",
        ],
    ),
    (
        "nav_examples",
        &["nav_grid", "nav_formats", "mapgen", "nav"],
    ),
    ("nav_tests", &["nav_grid", "nav_formats", "mapgen", "nav"]),
];

/// The only sources with unsafe code, each with an argument beside it why it is sound.
const UNSAFE_FILES: [&str; 2] = [
    "crates/heap_meter/src/lib.rs",
    "crates/nav_grid/src/bits/wide.rs",
];

/// Lines that a file of a crate may have, so that it is about one thing.
const LINES_MAX: usize = 500;

/// Public names at the root of `nav_grid`: those that a first user needs.
const ROOT_NAMES_MAX: usize = 35;

/// Lines of the file that adds the plugin's parts to an app.
const PLUGIN_LINES_MAX: usize = 80;

/// Fails with all that was found, one to a line; passes if that is nothing.
fn assert_none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n{}\n", found.join("\n"));
}

/// What a check finds in each crate, with the name of the crate before it.
fn of_all(find: impl Fn(&Package) -> Vec<String>) -> Vec<String> {
    let with_name = |package: &Package| -> Vec<String> {
        let found = find(package).into_iter();
        found.map(|it| format!("{}: {it}", package.name)).collect()
    };
    packages().iter().flat_map(with_name).collect()
}

/// Which file of a crate uses which.
fn file_graph(sources: &Sources) -> Graph {
    let name = |file: usize| sources.files[file].clone();
    let uses = uses::uses(sources).into_iter();
    uses.map(|(user, used)| {
        let used = used.into_iter().map(|(used, names)| (name(used), names));
        (name(user), used.collect())
    })
    .collect()
}

/// Which module below the root of a crate, with all in it, uses which.
fn folder_graph(sources: &Sources) -> Graph {
    let top = |file: &String| {
        let top = file.split('/').next().unwrap_or_default();
        top.strip_suffix(".rs").unwrap_or(top).to_owned()
    };
    let mut folders = Graph::new();
    for (user, used) in &file_graph(sources) {
        for (used, names) in used {
            if top(user) != top(used) {
                let all = folders.entry(top(user)).or_default();
                all.entry(top(used)).or_default().extend(names.clone());
            }
        }
    }
    folders
}

/// Types and traits that several modules define, each with their files.
fn twice_defined(sources: &Sources) -> Vec<String> {
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for module in &sources.modules {
        for name in &module.types {
            let files = places.entry(name).or_default();
            files.push(&sources.files[module.file]);
        }
    }
    places.retain(|_, files| files.len() > 1);
    let line = |(name, files): (&str, Vec<&str>)| format!("{name}: {}", files.join(", "));
    places.into_iter().map(line).collect()
}

#[test]
fn no_circle_of_modules() {
    let found = of_all(|package| circles(&file_graph(&package.sources)));
    assert_none(
        "these files cannot be understood one without the other",
        &found,
    );
}

#[test]
fn no_circle_of_folders() {
    let found = of_all(|package| circles(&folder_graph(&package.sources)));
    assert_none("these folders are not layers", &found);
}

#[test]
fn no_type_name_for_two_things() {
    let found = of_all(|package| twice_defined(&package.sources));
    assert_none("one word means one thing in a crate", &found);
}

#[test]
fn no_crate_depends_on_one_above_it() {
    let names: BTreeSet<&str> = packages().iter().map(|package| &*package.name).collect();
    let found = of_all(|package| {
        let Some((_, may_use)) = MAY_USE.iter().find(|(name, _)| *name == package.name) else {
            return vec!["has no line in MAY_USE".to_owned()];
        };
        let inside = (package.dependencies.iter()).filter(|name| names.contains(name.as_str()));
        inside
            .filter(|name| !may_use.contains(&name.as_str()))
            .map(|name| format!("depends on {name}"))
            .collect()
    });
    assert_none("crates may depend on what MAY_USE says", &found);
}

#[test]
fn no_dependency_of_the_core_but_two() {
    let allowed = ["serde", "thiserror"];
    let dependencies = package("nav_grid").dependencies.iter();
    let others: Vec<String> = (dependencies.filter(|name| !allowed.contains(&name.as_str())))
        .cloned()
        .collect();
    assert_none("nav_grid depends on more than thiserror and serde", &others);
}

#[test]
fn no_crowd_of_names_at_the_root_of_the_core() {
    let names = uses::root_names(&package("nav_grid").sources);
    let list: Vec<&str> = names.iter().map(String::as_str).collect();
    assert!(
        names.len() <= ROOT_NAMES_MAX,
        "nav_grid has {} names at its root, at most {ROOT_NAMES_MAX} are for a first user:\n{}\n",
        names.len(),
        list.join(", ")
    );
}

#[test]
fn no_plugin_that_does_the_work_of_its_parts() {
    let file = package("nav").folder.join("src/plugin.rs");
    let lines = fs::read_to_string(file).unwrap().lines().count();
    assert!(
        lines < PLUGIN_LINES_MAX,
        "plugin.rs of nav has {lines} lines, and less than {PLUGIN_LINES_MAX} add its parts"
    );
}

#[test]
fn no_file_about_many_things() {
    let found = of_all(|package| {
        let files = rust_files(&package.folder.join("src")).into_iter();
        let lines = files.map(|(name, path)| {
            let lines = fs::read_to_string(path).unwrap().lines().count();
            (name, lines)
        });
        lines
            .filter(|(_, lines)| *lines > LINES_MAX)
            .map(|(name, lines)| format!("{name} has {lines} lines"))
            .collect()
    });
    assert_none(&format!("at most {LINES_MAX} lines make a file"), &found);
}

#[test]
fn no_unsafe_code_without_a_written_argument() {
    // Put together, so that this file does not have it.
    let (word, argument) = (["unsafe", " "].concat(), ["// ", "SAFETY: "].concat());
    let mut found = Vec::new();
    let mut with = BTreeSet::new();
    for folder in ["crates", "examples", "fuzz", "tests"] {
        for (name, path) in rust_files(&root().join(folder)) {
            let name = format!("{folder}/{name}");
            let text = fs::read_to_string(path).unwrap();
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            for (number, line) in lines.iter().enumerate() {
                let is_code = !line.starts_with("//") && line.contains(&word);
                // What a trait makes unsafe to call promises no more than the trait does.
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
    }
    assert_none("nothing says why this is sound", &found);
    let with: Vec<&str> = with.iter().map(String::as_str).collect();
    assert_eq!(with, UNSAFE_FILES, "these files have it, and no others");
}

/// The checks above see only what the root of a crate leads to.
#[test]
fn no_file_that_nobody_declares() {
    let found = of_all(|package| {
        let files = rust_files(&package.folder.join("src")).into_iter();
        files
            .map(|(name, _)| name)
            .filter(|name| name != "main.rs")
            .filter(|name| !package.sources.files.contains(name))
            .filter(|name| !package.sources.test_files.contains(name))
            .collect()
    });
    assert_none("no `mod` leads to these files", &found);
}

/// The checks above see only what they can follow.
#[test]
fn no_path_that_leads_nowhere() {
    let found = of_all(|package| uses::lost(&package.sources));
    assert_none("what these name is not found", &found);
    let edges: usize = uses::uses(&package("nav_grid").sources).len();
    assert!(edges > 100, "so many files use others: {edges}");
}

#[test]
fn no_document_that_names_a_file_that_is_gone() {
    let mut found = Vec::new();
    for (path, text) in documents::documents() {
        let name = path.strip_prefix(root()).unwrap().display();
        let missing = documents::missing_files(&text, path.parent().unwrap());
        found.extend(missing.iter().map(|file| format!("{name}: {file}")));
    }
    assert_none("these files are not there", &found);
}

#[test]
fn no_decision_that_names_a_type_that_is_gone() {
    let all = packages().iter();
    let known = all.flat_map(|package| documents::known_types(&package.sources));
    let known: BTreeSet<String> = known.collect();
    let mut found = Vec::new();
    for (path, text) in documents::documents() {
        let name = path.file_name().unwrap().display();
        if path
            .parent()
            .is_some_and(|folder| folder.ends_with("decisions"))
            && path.file_stem().is_some_and(|stem| stem != "README")
        {
            let missing = documents::missing_types(&text, &known);
            found.extend(missing.iter().map(|it| format!("{name}: {it}")));
        }
    }
    assert_none("these types are not there", &found);
}

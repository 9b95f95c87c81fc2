//! The crates of this workspace, as cargo lists them.

use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

/// A package of the workspace.
pub struct Package {
    /// Its name.
    pub name: String,
    /// The folder of its manifest.
    pub folder: PathBuf,
    /// The names of its dependencies except for tests and builds, optional ones included.
    pub dependencies: BTreeSet<String>,
    /// The first file of each of its targets.
    pub roots: BTreeSet<PathBuf>,
}

/// Returns the folder of the workspace.
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap()
}

/// Returns all packages of the workspace.
pub fn packages() -> &'static [Package] {
    static PACKAGES: LazyLock<Vec<Package>> = LazyLock::new(read);
    &PACKAGES
}

/// Returns the package of a name.
pub fn package(name: &str) -> &'static Package {
    let found = packages().iter().find(|package| package.name == name);
    found.unwrap_or_else(|| panic!("there is no package {name}"))
}

fn read() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo metadata: {errors}");
    let workspace: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = workspace["packages"].as_array().unwrap();
    packages.iter().map(describe).collect()
}

fn describe(package: &Value) -> Package {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let targets = package["targets"].as_array().unwrap();
    let dependencies = package["dependencies"].as_array().unwrap();
    let manifest = text(&package["manifest_path"]);
    Package {
        name: text(&package["name"]),
        folder: Path::new(&manifest).parent().unwrap().to_owned(),
        dependencies: (dependencies.iter())
            // The kind of a dependency that is neither for tests nor for builds is null.
            .filter(|dependency| dependency["kind"].is_null())
            .map(|dependency| text(&dependency["name"]))
            .collect(),
        roots: (targets.iter())
            .map(|target| PathBuf::from(text(&target["src_path"])))
            .collect(),
    }
}

/// Returns all Rust files below a folder, in order: their paths from it, and in full.
pub fn rust_files(folder: &Path) -> Vec<(String, PathBuf)> {
    files(folder, "rs")
}

/// Returns all files with an ending below a folder, in order: their paths from it, and in full.
pub fn files(folder: &Path, ending: &str) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut folders = Vec::new();
    if folder.exists() {
        folders.push(folder.to_owned());
    }
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == ending) {
                let name = path.strip_prefix(folder).unwrap();
                let words: Vec<_> = name.iter().map(|part| part.to_str().unwrap()).collect();
                found.push((words.join("/"), path));
            }
        }
    }
    found.sort();
    found
}

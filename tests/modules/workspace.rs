//! The crates of this workspace, as cargo lists them.

use crate::sources::Sources;
use serde_json::Value;
use std::{
    collections::BTreeSet,
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
    /// The names of its dependencies but for those of tests and builds, optional ones included.
    pub dependencies: BTreeSet<String>,
    /// The sources of its library.
    pub sources: Sources,
}

/// The folder of the workspace.
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap()
}

/// All packages of the workspace.
pub fn packages() -> &'static [Package] {
    static PACKAGES: LazyLock<Vec<Package>> = LazyLock::new(read);
    &PACKAGES
}

/// The package of a name.
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
    let is_library = |target: &&Value| target["kind"][0] == "lib";
    let library = (package["targets"].as_array().unwrap().iter())
        .find(is_library)
        .unwrap();
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
        sources: Sources::read(Path::new(&text(&library["src_path"]))),
    }
}

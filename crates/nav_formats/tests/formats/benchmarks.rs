//! The `MovingAI` benchmarks. They are not part of the project, and may lie beside it.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// All benchmark files with an extension, at least one; `None`, with a line that says so, where
/// there is no folder of them.
pub fn files(extension: &str) -> Option<Vec<PathBuf>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(folder) = crates
        .ancestors()
        .nth(3)
        .map(|above| above.join("shared/benchmarks/movingai"))
        .filter(|folder| folder.is_dir())
    else {
        println!("skipped: no folder shared/benchmarks/movingai beside the workspace");
        return None;
    };
    let files = files_below(&folder, extension);
    assert!(!files.is_empty());
    Some(files)
}

fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    files
}

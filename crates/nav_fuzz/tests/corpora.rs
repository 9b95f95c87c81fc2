//! The saved inputs of fuzz targets, and the seeds of corpora, through the functions that the
//! targets run.

use heap_meter::Meter;
use nav_fuzz::{Target, seeds};
use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::{Path, PathBuf},
};

#[global_allocator]
static METER: Meter = Meter;

/// Returns the files of a folder in `fuzz/`, in order, or none if the folder is missing.
fn files(folder: &str, target: Target) -> Vec<PathBuf> {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let Ok(entries) = fs::read_dir(fuzz.join(folder).join(target.name())) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort_unstable();
    files
}

/// Runs a target; a failure names its input.
fn run(target: Target, name: &str, bytes: &[u8]) -> bool {
    match catch_unwind(AssertUnwindSafe(|| target.run(bytes))) {
        Ok(meant_something) => meant_something,
        Err(panic) => {
            println!("the input of {} is {name}", target.name());
            resume_unwind(panic)
        }
    }
}

/// Runs all saved inputs of a target.
fn run_all(target: Target) {
    for (number, seed) in seeds(target).iter().enumerate() {
        let name = format!("seed {number}");
        assert!(run(target, &name, seed), "{name} means nothing");
    }
    let corpus = files("corpus", target);
    let mut understood = 0;
    for file in corpus.iter().chain(&files("crashers", target)) {
        let bytes = fs::read(file).unwrap();
        understood += usize::from(run(target, &file.display().to_string(), &bytes));
    }
    assert!(
        understood >= 4,
        "of {} inputs {understood} are understood: the corpus is out of date",
        corpus.len()
    );
}

#[test]
fn maps() {
    run_all(Target::Maps);
}

#[test]
fn files_beside_maps() {
    run_all(Target::Files);
}

#[test]
fn scenes() {
    run_all(Target::Scenes);
}

#[test]
fn scenarios() {
    run_all(Target::Scenarios);
}

#[test]
fn saves() {
    run_all(Target::Saves);
}

#[test]
fn traces() {
    run_all(Target::Traces);
}

#[test]
fn frames() {
    run_all(Target::Frames);
}

#[test]
fn queries() {
    run_all(Target::Queries);
}

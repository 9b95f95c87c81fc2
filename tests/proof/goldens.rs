//! The golden digests: equal for any number of threads, and complete.
//!
//! Task pools are made once in a process. So each number of threads gets a process of its own, the
//! program `golden`. `.ci/portable` runs it in release, on a processor without AVX2 and on another
//! architecture. docs/book/src/determinism.md says what is promised, and CONTRIBUTING.md when
//! digests are minted.

use nav_tests::{
    golden::{SCENES, Table, play},
    sample,
};
use std::{collections::BTreeSet, process::Command};

fn golden(arguments: &str) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_golden"))
        .args(arguments.split_whitespace())
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

#[test]
fn one_thread() {
    let (equal, said) = golden("--threads 1");
    assert!(equal, "{said}");
    assert_eq!(said.lines().count(), SCENES.len(), "{said}");
}

#[test]
fn several_threads() {
    for threads in sample([4, 2, 8], 3) {
        let (equal, said) = golden(&format!("--threads {threads}"));
        assert!(equal, "{threads}: {said}");
    }
}

#[test]
fn table_lists_every_scene() {
    let table = Table::written_down().unwrap();
    let written: BTreeSet<&str> = table.scenes().collect();
    let scenes: BTreeSet<&str> = SCENES.iter().map(|scene| scene.name).collect();
    let advice = "mint the table again: cargo run -p nav_tests --bin golden -- mint";
    assert_eq!(written, scenes, "{advice}");
}

#[test]
fn difference_names_scene_and_tick() {
    let table = Table::written_down().unwrap();
    let mut digests = play(&SCENES[0], &nav_tests::run_on_one_thread);
    assert_eq!(table.compare(SCENES[0].name, &digests), Ok(()));
    digests[19] ^= 1;
    let wrong = table.compare(SCENES[0].name, &digests).unwrap_err();
    let words = format!("{}: the digest after tick 20 is", SCENES[0].name);
    assert!(wrong.to_string().starts_with(&words), "{wrong}");
}

#[test]
fn bad_arguments() {
    for (arguments, words) in [
        ("nowhere", "there is no scene \"nowhere\""),
        ("ticks nowhere", "there is no scene \"nowhere\""),
        ("--threads 0", "a number of at least 1"),
        ("--threads", "a number of at least 1"),
    ] {
        let (succeeds, said) = golden(arguments);
        assert!(!succeeds && said.contains(words), "{arguments}: {said}");
    }
}

//! Decisions: each has a date and a status, names its place in the code, and is named there.

use crate::{all_files, assert_none, documents, workspace::root};
use std::{collections::BTreeSet, fs};

/// The beginning of the line with the status of a decision, before its date.
const STATUS: &str = "Accepted ";

/// The beginning of the path of a decision, as comments name it.
const FOLDER: &str = "docs/decisions/";

/// Returns the decisions in order: the name of each file, and its text.
fn decisions() -> Vec<(String, String)> {
    let files = documents::documents().into_iter();
    let decisions = files.filter(|(path, _)| {
        path.parent().is_some_and(|it| it.ends_with("decisions")) && !path.ends_with("README.md")
    });
    let named = decisions.map(|(path, text)| {
        let name = path.file_name().unwrap().to_str().unwrap();
        (name.to_owned(), text)
    });
    named.collect()
}

/// Returns whether a text is a day such as `2026-11-22`.
fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [4, 2, 2] && parts.concat().chars().all(|sign| sign.is_ascii_digit())
}

/// Returns the faults of the first lines of the decision with a number.
fn faults_of_head(number: usize, name: &str, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().take(3).collect();
    let [title, "", status] = lines[..] else {
        return vec![format!("{name}: no title, empty line and status")];
    };
    let mut faults = Vec::new();
    if !name.starts_with(&format!("{number:04}-")) || !title.starts_with(&format!("# {number}. ")) {
        faults.push(format!("{name}: its number is not {number}"));
    }
    let day = status.strip_prefix(STATUS);
    if !day.is_some_and(|day| day.strip_suffix('.').is_some_and(is_day)) {
        faults.push(format!(
            "{name}: \"{status}\" is no \"{STATUS}2026-11-22.\""
        ));
    }
    if !text.contains("**Rejected.**") {
        faults.push(format!("{name}: nothing was rejected"));
    }
    faults
}

/// Returns the decisions that the comments of a source name: the number before the path, and the
/// file.
fn named_decisions(text: &str) -> Vec<(&str, &str)> {
    let comments = text
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("//"));
    let paths = comments.filter_map(|line| line.split_once(FOLDER));
    let named = paths.map(|(before, path)| {
        let before = before.trim_end_matches([':', ' ', '`']);
        let number = before.rsplit(' ').next().unwrap_or_default();
        (number, path.trim_end_matches(['.', '`']))
    });
    named.collect()
}

#[test]
fn heads_of_decisions() {
    let decisions = decisions();
    let heads = (1..).zip(&decisions);
    let found = heads.flat_map(|(number, (name, text))| faults_of_head(number, name, text));
    assert_none("heads of decisions", &found.collect::<Vec<_>>());
}

#[test]
fn decisions_in_the_code() {
    let (mut found, mut named) = (Vec::new(), BTreeSet::new());
    // This file names decisions that are not there.
    let sources = all_files().filter(|(name, _)| !name.starts_with("tests/modules/"));
    for (source, text) in sources {
        for (number, name) in named_decisions(&text) {
            let has_number = number
                .parse()
                .is_ok_and(|it: u16| name.starts_with(&format!("{it:04}-")));
            if !has_number || !root().join(FOLDER).join(name).is_file() {
                found.push(format!("{source}: no decision {number} is {FOLDER}{name}"));
            }
            named.insert(name.to_owned());
        }
    }
    let unnamed = decisions()
        .into_iter()
        .filter(|(name, _)| !named.contains(name));
    found.extend(unnamed.map(|(name, _)| format!("{name}: no comment in the code names it")));
    assert_none("decisions and the code", &found);
}

#[test]
fn types_that_decisions_name() {
    let sources = all_files().filter(|(name, _)| name.contains("/src/"));
    let known: BTreeSet<String> = sources
        .flat_map(|(_, text)| documents::words_of_code(&text))
        .collect();
    let mut found = Vec::new();
    for (name, text) in decisions() {
        let missing = documents::missing_types(&text, &known);
        found.extend(missing.iter().map(|it| format!("{name}: {it}")));
    }
    assert_none("these types are not there", &found);
}

#[test]
fn decisions_in_their_list() {
    let list = fs::read_to_string(root().join(FOLDER).join("README.md")).unwrap();
    let unlisted = decisions()
        .into_iter()
        .filter(|(name, _)| !list.contains(&format!("({name})")));
    let unlisted: Vec<String> = unlisted.map(|(name, _)| name).collect();
    assert_none("decisions that the list lacks", &unlisted);
}

#[test]
fn faulty_head_is_found() {
    let good = "# 7. A title\n\nAccepted 2026-11-22.\n\n**Rejected.**";
    let none: [&str; 0] = [];
    assert_eq!(faults_of_head(7, "0007-a.md", good), none);
    assert_eq!(faults_of_head(8, "0007-a.md", good).len(), 1);
    let undated = good.replace("2026-11-22", "last year");
    assert_eq!(faults_of_head(7, "0007-a.md", &undated).len(), 1);
    assert_eq!(faults_of_head(7, "0007-a.md", "# 7. A title").len(), 1);
}

#[test]
fn named_decision_is_found() {
    let text = "/// A heap.\n// Decision 7: docs/decisions/0007-a.md\nlet a = \"docs/decisions/0008-b.md\";";
    assert_eq!(named_decisions(text), [("7", "0007-a.md")]);
}

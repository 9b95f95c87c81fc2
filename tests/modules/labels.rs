//! Labels: documentation begins with a noun phrase, or with a verb in the third person for a
//! function.

use crate::{all_files, assert_none};

/// Words that begin no label.
const NO_LABELS: [&str; 10] = [
    "Who", "Whoever", "Whom", "Whose", "Has", "What", "If", "When", "Says", "Tells",
];

/// Returns the first lines of documentation that are no labels, with the numbers of the lines.
fn without_label(text: &str) -> Vec<(usize, &str)> {
    let is_doc = |line: &str| line.starts_with("///") || line.starts_with("//!");
    let mut is_first = true;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        let word = line.split_whitespace().nth(1).unwrap_or_default();
        if is_doc(line) && is_first && NO_LABELS.contains(&word) {
            found.push((number, line));
        }
        is_first = !is_doc(line);
    }
    found
}

#[test]
fn first_lines_are_labels() {
    let mut found = Vec::new();
    for (name, text) in all_files().filter(|(name, _)| name.contains("/src/")) {
        let lines = without_label(&text);
        found.extend(
            lines
                .iter()
                .map(|(number, line)| format!("{name}, line {number}: {line}")),
        );
    }
    assert_none("documentation does not begin with a label", &found);
}

#[test]
fn missing_label_is_found() {
    let text = "//! Says it.\n\n/// The field.\n/// What it is.\na: u8,\n/// What it is.\nb: u8,";
    let lines = ["//! Says it.", "/// What it is."];
    assert_eq!(without_label(text), [(1, lines[0]), (6, lines[1])]);
}

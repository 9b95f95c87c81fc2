//! Labels: the first line of documentation is a noun phrase, or a verb in the third person for a function.

use crate::{all_files, assert_none};

/// Words that begin no label.
const NO_LABELS: [&str; 8] = [
    "Who", "Whoever", "Whom", "Whose", "Has", "What", "If", "When",
];

/// Returns the first lines of documentation of public items that are no labels.
fn without_label(name: &str, text: &str) -> Vec<String> {
    let (mut first, mut open) = (None, 0);
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if let Some(doc) = line.strip_prefix("///") {
            first.get_or_insert((number, doc.trim()));
        } else if open > 0 || line.starts_with("#[") {
            // An attribute stands between the documentation and its item.
            open += line.matches('[').count();
            open -= line.matches(']').count();
        } else if let Some((number, doc)) = first.take()
            && line.starts_with("pub ")
            && NO_LABELS.contains(&doc.split(' ').next().unwrap_or_default())
        {
            found.push(format!("{name}, line {number}: {doc}"));
        }
    }
    found
}

#[test]
fn first_lines_are_labels() {
    let sources = all_files().filter(|(name, _)| name.contains("/src/"));
    let found: Vec<String> = sources
        .flat_map(|(name, text)| without_label(&name, &text))
        .collect();
    assert_none("a noun phrase or a verb comes first", &found);
}

#[test]
fn missing_label_is_found() {
    let text =
        "/// What it is.\n#[cfg_attr(\n  all(a[0])\n)]\npub fn f() {}\n/// If so.\nfn g() {}";
    assert_eq!(without_label("a.rs", text), ["a.rs, line 1: What it is."]);
}

//! The files and types that documents name.

use crate::workspace::root;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Folders at the root of the workspace whose files documents name in full.
const FOLDERS: [&str; 8] = [
    ".ci/",
    "assets/",
    "benches/",
    "clients/",
    "crates/",
    "docs/",
    "examples/",
    "tests/",
];

/// The beginning of the paragraph in which a decision names its place in the code.
const IN_THE_CODE: &str = "**In the code.**";

/// Returns the documents at the root of the workspace, in `docs` and in `clients`, each with its
/// text.
pub fn documents() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![
        root().to_owned(),
        root().join("docs"),
        root().join("clients"),
    ];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && folder != root() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

/// Returns the files and folders that a text in `folder` names in code or links to, and that are
/// missing.
pub fn missing_files(text: &str, folder: &Path) -> Vec<String> {
    let named = code(text).filter(|code| {
        let is_path = !code.contains(|sign: char| sign.is_whitespace() || "*<>{}".contains(sign));
        is_path && FOLDERS.iter().any(|folder| code.starts_with(folder))
    });
    let named = named.map(|name| (name, root().join(name)));
    let links = links(text).filter(|link| !link.contains(':'));
    let links = links.map(|link| {
        let file = link.split('#').next().unwrap_or_default();
        (link, folder.join(file))
    });
    let missing = named.chain(links).filter(|(_, path)| !path.exists());
    missing.map(|(name, _)| name.to_owned()).collect()
}

/// The links of a text to headings that documents do not have. `folder` is that of the text.
pub fn missing_anchors(text: &str, folder: &Path) -> Vec<String> {
    let missing = links(text).filter(|link| {
        let Some((file, anchor)) = link.split_once('#').filter(|_| !link.contains(':')) else {
            return false;
        };
        if file.is_empty() {
            return !anchors(text).contains(anchor);
        }
        let document = folder.join(file);
        let is_document = document.extension().is_some_and(|ending| ending == "md");
        // `missing_files` reports files that are not there.
        let text = fs::read_to_string(document);
        is_document && text.is_ok_and(|text| !anchors(&text).contains(anchor))
    });
    missing.map(str::to_owned).collect()
}

/// The anchors of the headings of a text, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let blocks = text.split("```").step_by(2);
    for heading in blocks
        .flat_map(str::lines)
        .filter(|line| line.starts_with('#'))
    {
        let anchor: String = heading
            .trim_start_matches('#')
            .trim()
            .chars()
            .filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign))
            .map(|sign| if sign == ' ' { '-' } else { sign })
            .flat_map(char::to_lowercase)
            .collect();
        let repeated = (1..).map(|number| format!("{anchor}-{number}"));
        let mut names = std::iter::once(anchor.clone()).chain(repeated);
        found.extend(names.find(|name| !found.contains(name)));
    }
    found
}

/// Returns the types that a decision names as its place in the code, and that are not in `known`.
pub fn missing_types<'a>(text: &'a str, known: &BTreeSet<String>) -> Vec<&'a str> {
    let Some((_, where_it_is)) = text.split_once(IN_THE_CODE) else {
        return vec!["it does not say where it is in the code"];
    };
    let is_type = |code: &&str| {
        code.starts_with(|sign: char| sign.is_ascii_uppercase())
            && code.chars().all(|sign| sign.is_ascii_alphanumeric())
    };
    code(where_it_is)
        .filter(is_type)
        .filter(|name| !known.contains(*name))
        .collect()
}

/// Returns the words of a source that could be types or variants. Words of comments are left out.
pub fn words_of_code(text: &str) -> BTreeSet<String> {
    let lines = text.lines().map(str::trim);
    let code = lines.filter(|line| !line.starts_with("//"));
    let words = code.flat_map(|line| line.split(|sign: char| !sign.is_ascii_alphanumeric()));
    let types = words.filter(|word| word.starts_with(|sign: char| sign.is_ascii_uppercase()));
    types.map(str::to_owned).collect()
}

/// Returns the texts between single backticks, outside of blocks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let blocks = text.split("```").step_by(2);
    blocks.flat_map(|text| text.split('`').skip(1).step_by(2))
}

/// Returns the targets of links.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let after = text.split("](").skip(1);
    after.filter_map(|rest| rest.split(')').next())
}

#[test]
fn missing_file() {
    let text = "See `tests/lib.rs`, `crates/gone/src/a.rs`, `lib.rs`, `crates/*/src`, [a](gone.md),
[b](Cargo.toml#anchor), [c](https://example.org/x).
```text
`crates/in_a_block`
```
`docs/gone/`";
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let expected = ["crates/gone/src/a.rs", "docs/gone/", "gone.md"];
    assert_eq!(missing_files(text, folder), expected);
}

#[test]
fn missing_heading() {
    let text = "# Some `code`, twice

[a](#some-code-twice), [b](#gone), [c](#in-a-block), [d](#again-1), [e](#again-2)
```text
# In a block
```
## Again
## Again";
    let text = format!("{text}\n[f](../README.md#quick-start), [g](../README.md#gone)");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let expected = ["#gone", "#in-a-block", "#again-2", "../README.md#gone"];
    assert_eq!(missing_anchors(&text, folder), expected);
}

#[test]
fn missing_type() {
    let known = words_of_code("// Gone\npub struct Grid;\nenum Set { Step }");
    let text = "`Before`\n\n**In the code.** `Grid`, the set `Step`, `Gone`, `lower`, `a/B.rs`.";
    assert_eq!(missing_types(text, &known), ["Gone"]);
    assert_eq!(missing_types("`Gone`", &known).len(), 1);
}

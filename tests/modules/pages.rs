//! The code of the book's pages: that it runs, and that names in tables have paths.

use crate::{assert_none, documents::documents};
use std::{collections::BTreeSet, fs};

/// A server that runs until it is stopped: the only code that a document may show without running
/// it.
const ENDLESS: &str = "app.run();";

/// Returns the blocks of Rust code of a text, each with what follows `rust` in its first line.
fn blocks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let blocks = text
        .split("\n```")
        .step_by(2)
        .zip(text.split("\n```").skip(1).step_by(2));
    blocks.filter_map(|(_, block)| block.strip_prefix("rust")?.split_once('\n'))
}

/// Returns the beginnings of blocks that no test runs, although they end.
fn not_run(text: &str) -> Vec<&str> {
    let idle = blocks(text).filter(|&(how, code)| {
        let is_run = !["no_run", "ignore", "compile_fail", "should_panic"]
            .iter()
            .any(|it| how.contains(it));
        !(is_run || how == ",no_run" && code.contains(ENDLESS))
    });
    idle.map(|(_, code)| code.lines().next().unwrap_or_default())
        .collect()
}

/// Returns the types that the tables of a page name in their last column.
fn types_in_tables(text: &str) -> BTreeSet<&str> {
    let rows = text.lines().filter(|line| line.starts_with('|'));
    // A bar in code is written as `\|`.
    let cells = rows.filter_map(|row| row.trim_end_matches('|').rsplit(" | ").next());
    let codes = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let words = codes.flat_map(|code| {
        // What follows `::` belongs to the type before it.
        let first = code.split("::").next().unwrap_or_default();
        first.split(|sign: char| !sign.is_ascii_alphanumeric())
    });
    words
        .filter(|word| word.starts_with(|sign: char| sign.is_ascii_uppercase()))
        .collect()
}

#[test]
fn code_of_documents_runs() {
    let found = documents().into_iter().flat_map(|(path, text)| {
        let idle = not_run(&text).into_iter();
        idle.map(|code| format!("{}: {code}", path.display()))
            .collect::<Vec<_>>()
    });
    assert_none(
        "only endless servers may be `no_run`",
        &found.collect::<Vec<_>>(),
    );
}

#[test]
fn idle_block_is_found() {
    let text = "a\n```rust\nb();\n```\n```rust,no_run\nc();\n```\n```rust,no_run\napp.run();\n```\n```rust,ignore\nd();\n```\n";
    assert_eq!(not_run(text), ["c();", "d();"]);
}

/// The block compiles, so each name has the path that it says.
#[test]
fn types_of_migration_have_paths() {
    let page = documents()
        .into_iter()
        .find(|(path, _)| path.ends_with("book/src/migration.md"));
    let (path, _) = page.expect("the page is there");
    let text = fs::read_to_string(path).unwrap();
    let (_, paths) = blocks(&text).next().expect("a block of paths");
    let words: BTreeSet<&str> = paths
        .split(|sign: char| !sign.is_ascii_alphanumeric())
        .collect();
    let types = types_in_tables(&text);
    assert!(types.contains("StepCosts") && types.len() > 20, "{types:?}");
    // Variants after their type, without its name.
    let variants = ["Euclidean", "EuclideanSquared", "Strict"];
    let missing = types
        .into_iter()
        .filter(|name| !words.contains(name) && !variants.contains(name));
    let missing: Vec<String> = missing.map(str::to_owned).collect();
    assert_none("types without a path in the first block", &missing);
}

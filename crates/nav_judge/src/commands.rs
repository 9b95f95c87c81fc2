//! Commands in documents.

use std::{fs, path::Path};

/// Returns the commands of a program in the documents of this project, each as its words.
///
/// Documents are the ones at the root of the workspace, and the pages of the book. Their blocks of
/// `sh` show commands, one a line. `starts` has how a line begins, and the words that this stands
/// for: `("cargo serve", "chase serve")`.
///
/// # Panics
///
/// If the documents cannot be read, or show no such command.
pub fn shown_commands(starts: &[(&str, &str)]) -> Vec<Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in [root.clone(), root.join("docs/book/src")] {
        for entry in fs::read_dir(folder).expect("a folder with documents") {
            let path = entry.expect("a document").path();
            if path.extension().is_some_and(|ending| ending == "md") {
                let text = fs::read_to_string(path).expect("a document");
                found.extend(commands(&text, starts));
            }
        }
    }
    assert!(!found.is_empty(), "no document shows such a command");
    found
}

fn commands(text: &str, starts: &[(&str, &str)]) -> Vec<Vec<String>> {
    let blocks = (text.split("```sh\n").skip(1)).filter_map(|rest| rest.split("```").next());
    let lines = blocks.flat_map(str::lines);
    let words = lines.filter_map(|line| {
        let line = line.split(" #").next().unwrap_or_default();
        // Variables of the environment may come first.
        let all = line.split_whitespace();
        let line: Vec<&str> = all.skip_while(|word| word.contains('=')).collect();
        starts.iter().find_map(|(start, stands_for)| {
            let start: Vec<&str> = start.split_whitespace().collect();
            let rest = line.strip_prefix(start.as_slice())?;
            let words = stands_for.split_whitespace().chain(rest.iter().copied());
            Some(words.map(str::to_owned).collect())
        })
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_sh() {
        let text = "`serve here`
```sh
cargo serve hunt --addr x   # a comment
A=1 B=2 chase run
other run
```
```text
chase show
```";
        let starts = [("chase", "chase"), ("cargo serve", "chase serve")];
        let found = commands(text, &starts).into_iter();
        let lines: Vec<_> = found.map(|words| words.join(" ")).collect();
        assert_eq!(lines, ["chase serve hunt --addr x", "chase run"]);
    }
}

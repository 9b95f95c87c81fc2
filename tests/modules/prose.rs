//! Plain English: comments and documents are free of a private dialect, whose phrases are listed
//! here.

use crate::{
    FOLDERS, all_files, assert_none, documents::documents, workspace::files, workspace::root,
};
use std::{fs, path::Path};

/// Places of dialect that 10,000 words may have. Not 0, since a few phrases also have a plain use.
const PLACES_MAX: usize = 1;

/// Phrases of the dialect, with alternatives for a word. In place of the first five stands a noun
/// ("a body that"), or the name of the function's action; in place of the others stands a plain
/// verb or adverb.
const PHRASES: [&str; 15] = [
    "Who|Whoever|Whom|Whose",
    "those|somebody|nobody|everybody|anybody who|whose|that|is|has|are|have",
    "those|somebody|nobody|everybody|anybody for whom",
    "one|ones that|who|which",
    "Has a|an|the|those|somebody|others|each|all|it|them",
    "all the same",
    "anew",
    "as a rule",
    "give|gives away",
    "in its stead",
    "is|are told",
    "of its own accord",
    "see|sees to",
    "so many",
    "told by",
];

/// A word of prose.
struct Word<'a> {
    line: usize,
    text: &'a str,
    /// Whether a sign follows, so that no phrase continues.
    is_last: bool,
}

/// Returns the words of a document, or of the comments of a Rust file, without blocks of code.
fn words<'a>(name: &str, text: &'a str) -> Vec<Word<'a>> {
    let is_sign = |sign: char| !sign.is_alphanumeric();
    let is_rust = Path::new(name).extension().is_some_and(|it| it == "rs");
    let mut is_code = false;
    let mut words = Vec::new();
    for (line, text) in (1..).zip(text.lines().map(str::trim)) {
        if is_rust && !text.starts_with("//") {
            continue;
        }
        let text = text.trim_start_matches(['/', '!', ' ']);
        is_code ^= text.starts_with("```");
        let prose = text.split_whitespace().filter(|_| !is_code);
        words.extend(prose.map(|word| Word {
            line,
            text: word.trim_matches(is_sign),
            is_last: word.ends_with(is_sign),
        }));
    }
    words
}

/// Returns whether prose begins with the words of a phrase.
fn begins_with(words: &[Word<'_>], phrase: &[&str]) -> bool {
    let fits = |(word, part): (&Word<'_>, &&str)| {
        let lower = word.text.to_lowercase();
        part.split('|').any(|it| it == word.text || it == lower)
    };
    words.len() >= phrase.len()
        && words.iter().zip(phrase).all(fits)
        && words[..phrase.len() - 1].iter().all(|word| !word.is_last)
}

/// Returns the places of dialect in a file, and the number of its words.
fn dialect(name: &str, text: &str) -> (Vec<String>, usize) {
    let phrases = PHRASES.map(|phrase| phrase.split(' ').collect::<Vec<_>>());
    let words = words(name, text);
    let place = |at: usize| {
        let phrase = phrases.iter().find(|it| begins_with(&words[at..], it))?;
        let found = words[at..at + phrase.len()].iter().map(|word| word.text);
        let found: Vec<&str> = found.collect();
        Some(format!(
            "{name}, line {}: {}",
            words[at].line,
            found.join(" ")
        ))
    };
    ((0..words.len()).filter_map(place).collect(), words.len())
}

#[test]
fn plain_english() {
    let others = FOLDERS.map(|folder| files(&root().join(folder), "md"));
    let others = others.into_iter().flatten().map(|(_, path)| {
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    });
    let documents = documents().into_iter().chain(others);
    let documents = documents.map(|(path, text)| {
        let name = path.strip_prefix(root()).unwrap();
        (name.display().to_string(), text)
    });
    let (mut places, mut count) = (Vec::new(), 0);
    for (name, text) in all_files().chain(documents) {
        let (found, words) = dialect(&name, &text);
        places.extend(found);
        count += words;
    }
    println!("{} places in {count} words", places.len());
    if places.len() * 10_000 > PLACES_MAX * count {
        assert_none("not plain English", &places);
    }
}

#[test]
fn dialect_is_found() {
    let text =
        "let who = 1;\n/// Who rests is one\n/// that waits.\n// One. That, those\n/// are anew.";
    let (places, words) = dialect("a.rs", text);
    let expected = ["2: Who", "2: one that", "4: those are", "5: anew"];
    assert_eq!(places, expected.map(|place| format!("a.rs, line {place}")));
    assert_eq!(words, 11);
    let text = "Drawn anew,\nso many.\n```\nanew\n```";
    assert_eq!(dialect("a.md", text).0.len(), 2);
}

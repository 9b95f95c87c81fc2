//! Mistakes in scenario files, in the words of such files: the place, the field, and what would be
//! right.

use super::{
    fields::{self, Expected},
    place::{Field, Place, byte_of, is_part_of_name, position_of},
};
use nav_grid::map::text::skip_mark;
use ron::error::{Error as Code, Position, SpannedError};
use std::{borrow::Borrow, fmt::Display, str::Utf8Error};

/// A mistake in the text of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {sentence}")]
pub struct Mistake {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// A sentence about what is wrong there, and what would be right.
    pub sentence: String,
}

/// Longest part of a file that a sentence repeats, in characters: it fits a line of a
/// terminal with the rest.
const FOUND_MAX: usize = 40;

/// About a file that is cut off.
const UNENDED: &str = "the file ends before the parenthesis that ends the scenario";

impl Mistake {
    /// Creates a mistake that concerns the whole text.
    pub(super) fn of_file(sentence: String) -> Self {
        Self::at("", 0, sentence)
    }

    /// Creates the mistake of a file that is no text.
    pub(super) fn of_bytes(bytes: &[u8], error: Utf8Error) -> Self {
        let valid = String::from_utf8_lossy(&skip_mark(bytes)[..error.valid_up_to()]);
        let sentence = "the file is no text in UTF-8".to_owned();
        Self::at(&valid, valid.len(), sentence)
    }

    /// Explains an error of the reader of RON.
    pub(super) fn explain(text: &str, error: &SpannedError) -> Self {
        let at = byte_of(text, error.span.start);
        let (at, sentence) = explain(text, at, &error.code);
        Self::at(text, at, sentence)
    }

    /// Creates a mistake at a byte of a text.
    fn at(text: &str, byte: usize, sentence: String) -> Self {
        let Position { line, col: column } = position_of(text, byte);
        Self {
            line,
            column,
            sentence,
        }
    }
}

/// Returns where the mistake is, and a sentence about it.
fn explain(text: &str, at: usize, code: &Code) -> (usize, String) {
    let place = Place::of(text, at);
    let rest = text[at..].trim_start();
    let sentence = match code {
        Code::NoSuchStructField {
            expected, found, ..
        } => no_such_field(&name_of(&place.path()), found, expected),
        Code::NoSuchEnumVariant {
            expected, found, ..
        } => {
            let list = any_of(expected);
            let sentence = format!("{} must be {list}, not {found}", name_of(&place.path()));
            guess(&sentence, found, expected).unwrap_or(sentence)
        }
        Code::MissingStructField { field, .. } => {
            let path = place.path_of_block();
            match must_be(&path) {
                Some(must) => format!("{} has no {field}: it {must}", name_of(&path)),
                None => format!("{field} is missing"),
            }
        }
        Code::DuplicateStructField { field, .. } => format!("{field} is there twice"),
        Code::ExpectedMapColon => {
            let name = place.name_before;
            format!("a colon is missing after {name}, as in chasers: 500")
        }
        Code::ExpectedStringEnd => "a quote that ends the string is missing".to_owned(),
        Code::UnclosedBlockComment => "*/ is missing, which ends the comment".to_owned(),
        Code::TrailingCharacters => {
            let extra = cut(rest.lines().next().unwrap_or_default());
            format!("nothing may follow the parenthesis that ends the scenario, and {extra} does")
        }
        Code::Message(message) => match place.path()[..] {
            [] => message.clone(),
            ref path => format!("{}: {message}", name_of(path)),
        },
        _ if rest.is_empty() && at > 0 => UNENDED.to_owned(),
        Code::ExpectedComma | Code::ExpectedStructLikeEnd if begins_field(rest) => {
            let name = rest.split(':').next().unwrap_or_default().trim();
            format!("a comma is missing before {name}")
        }
        _ => return wrong_value(&place, at, rest),
    };
    (at, sentence)
}

/// Returns where a value begins that is none for its field, and a sentence about it.
fn wrong_value(place: &Place<'_>, at: usize, rest: &str) -> (usize, String) {
    let path = place.path();
    let Some((depth, expected)) = expected_of(&path) else {
        let line = rest.lines().next().unwrap_or_default();
        let found = cut(if at == 0 { line } else { place.value(at) });
        let sentence = match (path.is_empty(), found.starts_with('#')) {
            (_, true) => format!("comments begin with //, not with {}", cut(line)),
            (false, _) => format!("this cannot be read: {found}"),
            (true, _) if rest.is_empty() => "the file is empty: () is a scenario".to_owned(),
            (true, _) if at == 0 => {
                format!("a scenario is fields in parentheses, such as (chasers: 500), not {found}")
            }
            (true, _) if found.parse::<u32>().is_ok() => {
                format!(
                    "expected a field, such as chasers: 500, not {found}: numbers have no commas"
                )
            }
            (true, _) => format!("expected a field, such as chasers: 500, not {found}"),
        };
        return (at, sentence);
    };
    let (name, value) = (name_of(&path[..depth]), path[depth - 1].value);
    let found = place.value(value);
    let sentence = if place.is_last(value + found.len()) {
        UNENDED.to_owned()
    } else if expected.field == "map" && is_bare_name(found) {
        let found = found.trim_matches(QUOTES);
        format!("the name of a map file is in quotes: map: \"{found}\"")
    } else if found.is_empty() {
        format!("{name} has no value: it {}", words(&expected))
    } else if expected.words == fields::WHOLE && found.parse::<i128>().is_ok() {
        let too = if found.starts_with('-') {
            "small"
        } else {
            "great"
        };
        format!(
            "{found} is too {too} for {name}; a usual value is {}",
            expected.example
        )
    } else {
        format!("{name} {}, not {}", words(&expected), cut(found))
    };
    (value, sentence)
}

/// Quotes that are none of RON, as text programs and other languages have them.
const QUOTES: [char; 5] = ['\'', '“', '”', '„', '`'];

/// Returns whether the value of a map is a name without quotes, or with wrong ones.
fn is_bare_name(value: &str) -> bool {
    let starts = value.starts_with(char::is_alphabetic) || value.starts_with(['.', '/', '~']);
    (starts || value.starts_with(QUOTES)) && !value.contains(['(', '"'])
}

/// Returns whether a text begins with the name of a field and a colon.
fn begins_field(text: &str) -> bool {
    let name = text.split(':').next().unwrap_or_default().trim_end();
    text.contains(':') && !name.is_empty() && name.chars().all(is_part_of_name)
}

/// Returns a sentence about a field that a block does not have.
fn no_such_field(block: &str, found: &str, known: &[&str]) -> String {
    let of = if block.is_empty() {
        String::new()
    } else {
        format!(" in {block}")
    };
    let sentence = format!("there is no field {found}{of}");
    let listed = format!("{sentence}; there are {}", known.join(", "));
    guess(&sentence, found, known).unwrap_or(listed)
}

/// Returns a sentence that asks for a known name that was probably meant, if there is one.
fn guess(sentence: &str, found: &str, known: &[&str]) -> Option<String> {
    let name = nearest(found, known)?;
    Some(format!("{sentence}; did you mean {name}?"))
}

/// Returns the known name that a found one was probably meant to be: at most a third of its letters
/// differ, whatever their case. `chazers` and `radios` are found, and two short names are not taken
/// for each other.
fn nearest<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    let found = found.to_lowercase();
    let (distance, best) = (known.iter())
        .map(|name| (strsim::osa_distance(&found, &name.to_lowercase()), *name))
        .min_by_key(|(distance, _)| *distance)?;
    let most = found.chars().count().max(best.len()) / 3;
    (distance <= most).then_some(best)
}

/// Returns the deepest field of a path that the table has, as the length of the path to it.
fn expected_of(path: &[Field<'_>]) -> Option<(usize, Expected)> {
    let mut depths = (1..=path.len()).rev();
    depths.find_map(|depth| Some((depth, fields::find(&name_of(&path[..depth]))?)))
}

fn must_be(path: &[Field<'_>]) -> Option<String> {
    expected_of(path).map(|(_, expected)| words(&expected))
}

fn words(expected: &Expected) -> String {
    let Expected { words, example, .. } = expected;
    if words.contains(example) {
        format!("must be {words}")
    } else {
        format!("must be {words}, such as {example}")
    }
}

fn name_of(path: &[Field<'_>]) -> String {
    let names: Vec<&str> = path.iter().map(|field| field.name).collect();
    names.join(".")
}

/// Returns a list of names, the last after "or".
pub(crate) fn any_of<S: Borrow<str> + Display>(names: &[S]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => one.to_string(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Returns the beginning of a part of a file, in one line.
fn cut(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(FOUND_MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests;

//! The place in the text of a scenario that a mistake is at: blocks, the field in each, and its
//! value.

use ron::error::Position;
use std::{iter::Peekable, str::CharIndices};

/// A field on the way to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// Where its value begins, in bytes.
    pub(super) value: usize,
}

/// A place in a text.
#[derive(Debug)]
pub(super) struct Place<'a> {
    text: &'a str,
    /// The fields of the blocks around the place, outermost first. A block whose field is not named
    /// yet, and a list, has `None`.
    blocks: Vec<Option<Field<'a>>>,
    /// The last name before the place that no colon follows.
    pub(super) name_before: &'a str,
}

/// A part of the text of a scenario. Spaces and comments are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Open,
    Close,
    Comma,
    Name(&'a str),
    /// A string, or a character with no meaning here.
    Other,
}

impl<'a> Place<'a> {
    /// Reads the text up to the byte `at`.
    pub(super) fn of(text: &'a str, at: usize) -> Self {
        let mut blocks = vec![None];
        let mut name_before = "";
        for (start, token) in tokens(text).take_while(|&(start, _)| start < at) {
            match token {
                Token::Open => blocks.push(None),
                Token::Close if blocks.len() > 1 => drop(blocks.pop()),
                Token::Comma => *last(&mut blocks) = None,
                Token::Name(name) => match value_after(text, start + name.len()) {
                    Some(value) => *last(&mut blocks) = Some(Field { name, value }),
                    None => name_before = name,
                },
                Token::Close | Token::Other => {}
            }
        }
        Self {
            text,
            blocks,
            name_before,
        }
    }

    /// Returns the fields around the place, outermost first.
    pub(super) fn path(&self) -> Vec<Field<'a>> {
        self.blocks.iter().copied().flatten().collect()
    }

    /// Returns the fields around the block that the place is in.
    pub(super) fn path_of_block(&self) -> Vec<Field<'a>> {
        let outer = &self.blocks[..self.blocks.len() - 1];
        outer.iter().copied().flatten().collect()
    }

    /// Returns whether nothing follows a byte.
    pub(super) fn is_last(&self, byte: usize) -> bool {
        self.text[byte..].trim().is_empty()
    }

    /// Returns the value that begins at a byte: up to the comma, the bracket or the line that ends
    /// it.
    pub(super) fn value(&self, start: usize) -> &'a str {
        let rest = self.text.get(start..).unwrap_or_default();
        let mut depth = 0_usize;
        for (at, token) in tokens(rest) {
            match token {
                Token::Open => depth += 1,
                Token::Close if depth > 0 => depth -= 1,
                Token::Comma if depth > 0 => {}
                Token::Close | Token::Comma => return rest[..at].trim(),
                Token::Name(_) | Token::Other => {}
            }
        }
        rest.lines().next().unwrap_or_default().trim()
    }
}

fn last<'v, 'a>(blocks: &'v mut [Option<Field<'a>>]) -> &'v mut Option<Field<'a>> {
    blocks.last_mut().expect("the outermost block stays")
}

/// Returns where the value of a field begins whose name ends at a byte; `None` if no colon follows.
fn value_after(text: &str, end: usize) -> Option<usize> {
    let value = text[end..].trim_start().strip_prefix(':')?.trim_start();
    Some(text.len() - value.len())
}

/// Returns the parts of a text, with the byte at which each begins.
fn tokens(text: &str) -> impl Iterator<Item = (usize, Token<'_>)> {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        loop {
            let (start, first) = chars.next()?;
            let token = match first {
                '(' | '[' | '{' => Token::Open,
                ')' | ']' | '}' => Token::Close,
                ',' => Token::Comma,
                '/' if text[start..].starts_with("//") => {
                    while chars.next_if(|&(_, c)| c != '\n').is_some() {}
                    continue;
                }
                '/' if text[start..].starts_with("/*") => {
                    let length = text[start..].find("*/").unwrap_or(text.len());
                    while chars.next_if(|&(at, _)| at < start + length + 2).is_some() {}
                    continue;
                }
                '"' => {
                    skip_string(&mut chars);
                    Token::Other
                }
                _ if first.is_alphanumeric() || first == '_' => {
                    let mut end = start + first.len_utf8();
                    while let Some((at, c)) = chars.next_if(|&(_, c)| is_part_of_name(c)) {
                        end = at + c.len_utf8();
                    }
                    Token::Name(&text[start..end])
                }
                _ if first.is_whitespace() => continue,
                _ => Token::Other,
            };
            return Some((start, token));
        }
    })
}

/// Returns whether names of fields and of types have a character.
pub(super) fn is_part_of_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Returns the first sign of a text that is neither a space nor part of a comment.
pub(super) fn first_sign(text: &str) -> Option<char> {
    let (start, _) = tokens(text).next()?;
    text[start..].chars().next()
}

/// Moves behind the quote that ends a string, or to the end of a line without one.
fn skip_string(chars: &mut Peekable<CharIndices<'_>>) {
    while let Some((_, c)) = chars.next_if(|&(_, c)| c != '\n') {
        match c {
            '"' => return,
            '\\' => drop(chars.next()),
            _ => {}
        }
    }
}

/// Returns the byte of a position.
pub(super) fn byte_of(text: &str, position: Position) -> usize {
    let before: usize = text
        .split_inclusive('\n')
        .take(position.line - 1)
        .map(str::len)
        .sum();
    let line = &text[before..];
    let column = line.char_indices().nth(position.col - 1);
    column.map_or(text.len(), |(byte, _)| before + byte)
}

/// Returns the line and the column of a byte, from 1.
pub(super) fn position_of(text: &str, byte: usize) -> Position {
    let before = &text[..byte];
    let line = 1 + before.matches('\n').count();
    let column = before.chars().rev().take_while(|&c| c != '\n').count();
    Position {
        line,
        col: column + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_around_a_place() {
        let text = "( // (no: block\n map: \"a(b: \", /* x: */ chaser: (radius: 3, classes: [1, ?]), sizes: [2],)";
        for (at, path) in [
            ("\"a(b", "map"),
            ("a(b: ", "map"),
            ("(radius", "chaser"),
            ("3, cla", "chaser radius"),
            ("classes", "chaser"),
            ("?]", "chaser classes"),
            (", sizes", "chaser"),
            ("2],", "sizes"),
        ] {
            let place = Place::of(text, text.find(at).unwrap());
            let names: Vec<&str> = place.path().iter().map(|field| field.name).collect();
            assert_eq!(names.join(" "), path, "{at}");
        }
    }

    #[test]
    fn values_end_where_fields_do() {
        for (text, value) in [
            ("3.5, b: 2)", "3.5"),
            ("[1, x], b", "[1, x]"),
            ("Near(min: 1, max: 2))", "Near(min: 1, max: 2)"),
            ("\"a, b\" )", "\"a, b\""),
            ("10k\n", "10k"),
            ("(1, 2", "(1, 2"),
            ("", ""),
        ] {
            assert_eq!(Place::of(text, 0).value(0), value);
        }
    }

    #[test]
    fn bytes_and_positions() {
        let text = "ä(\n b: 5)";
        for (byte, line, col) in [
            (0, 1, 1),
            (2, 1, 2),
            (4, 2, 1),
            (5, 2, 2),
            (text.len(), 2, 7),
        ] {
            let position = Position { line, col };
            assert_eq!(byte_of(text, position), byte);
            assert_eq!(position_of(text, byte), position);
        }
    }
}

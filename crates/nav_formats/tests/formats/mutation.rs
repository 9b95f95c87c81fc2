//! Accidents to a file on its way from disk to reader.

use nav_judge::cases;
use proptest::{
    prelude::*,
    sample::{Index, select},
};

/// Returns the number of cases that a test draws, by tier. A failed case becomes a test of its own,
/// not a seed file.
pub fn tries() -> ProptestConfig {
    ProptestConfig {
        cases: cases(512, 4096),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// One accident on a file's way from disk to reader.
#[derive(Clone, Debug)]
pub enum Mutation {
    Flip(Index, u8),
    Insert(Index, &'static str),
    InsertByte(Index, u8),
    Delete(Index),
    Truncate(Index),
    RepeatTail(Index),
    RepeatLine(Index),
    DropLine(Index),
    /// Exchanges a number for another.
    Number(Index, &'static str),
}

impl Mutation {
    pub fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let line = |at: usize| {
            let start = bytes[..at].iter().rposition(|&byte| byte == b'\n');
            let end = bytes[at..].iter().position(|&byte| byte == b'\n');
            start.map_or(0, |start| start + 1)..end.map_or(bytes.len(), |end| at + end + 1)
        };
        match *self {
            Self::Flip(at, bits) => {
                let at = at.index(bytes.len());
                bytes[at] ^= bits;
            }
            Self::Insert(at, token) => {
                let at = at.index(bytes.len());
                bytes.splice(at..at, token.bytes());
            }
            Self::InsertByte(at, byte) => bytes.insert(at.index(bytes.len()), byte),
            Self::Delete(at) => {
                bytes.remove(at.index(bytes.len()));
            }
            Self::Truncate(at) => bytes.truncate(at.index(bytes.len())),
            Self::RepeatTail(at) => bytes.extend_from_within(at.index(bytes.len())..),
            Self::RepeatLine(at) => {
                let line = line(at.index(bytes.len()));
                let copy = bytes[line.clone()].to_vec();
                bytes.splice(line.end..line.end, copy);
            }
            Self::DropLine(at) => {
                let line = line(at.index(bytes.len()));
                bytes.drain(line);
            }
            Self::Number(at, number) => {
                let from = at.index(bytes.len());
                let digit = |byte: &u8| byte.is_ascii_digit();
                if let Some(start) = bytes[from..].iter().position(digit) {
                    let start = from + start;
                    let rest = &bytes[start..];
                    let length = rest.iter().position(|byte| !digit(byte));
                    let end = start + length.unwrap_or(rest.len());
                    bytes.splice(start..end, number.bytes());
                }
            }
        }
    }
}

/// Numbers at the limits of what readers allow.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "-1",
    "254",
    "255",
    "256",
    "16384",
    "65536",
    "2147483648",
    "4294967295",
    "99999999999999999999",
    "1e308",
    "NaN",
];

/// Draws any accident. Insertions pass a reader's first check more often if they are words of its
/// format.
pub fn mutation(tokens: &'static [&'static str]) -> impl Strategy<Value = Mutation> {
    let at = any::<Index>;
    prop_oneof![
        (at(), 1..=u8::MAX).prop_map(|(at, bits)| Mutation::Flip(at, bits)),
        (at(), select(tokens)).prop_map(|(at, token)| Mutation::Insert(at, token)),
        (at(), any::<u8>()).prop_map(|(at, byte)| Mutation::InsertByte(at, byte)),
        at().prop_map(Mutation::Delete),
        at().prop_map(Mutation::Truncate),
        at().prop_map(Mutation::RepeatTail),
        at().prop_map(Mutation::RepeatLine),
        at().prop_map(Mutation::DropLine),
        (at(), select(NUMBERS)).prop_map(|(at, number)| Mutation::Number(at, number)),
    ]
}

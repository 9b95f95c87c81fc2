//! Messages above the broker's limit: split into parts by the sender, joined by the receiver.

use crate::envelope::BYTES_MAX;
use std::{collections::BTreeMap, ops::Range};

/// Senders that may be in the middle of a message: more than the zones of a large world. It bounds
/// memory.
const SENDERS_MAX: usize = 1024;

/// Longest name of a sender in bytes: those in use have 22.
const SENDER_LEN_MAX: usize = 64;

/// Header of each part of a message: `<sender>.<message>.<part>.<parts>`. Parts count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartName<'a> {
    pub(super) sender: &'a str,
    pub(super) message: u64,
    pub(super) part: u32,
    pub(super) parts: u32,
}

impl<'a> PartName<'a> {
    pub(super) fn text(self) -> String {
        let Self {
            sender,
            message,
            part,
            parts,
        } = self;
        format!("{sender}.{message}.{part}.{parts}")
    }

    /// Parses a header; `None` if [`Self::text`] cannot have written it.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let mut words = text.split('.');
        let sender = words.next()?;
        let message = words.next()?.parse().ok()?;
        let part = words.next()?.parse().ok()?;
        let parts = words.next()?.parse().ok()?;
        let is_one =
            (1..=SENDER_LEN_MAX).contains(&sender.len()) && part < parts && words.next().is_none();
        is_one.then_some(Self {
            sender,
            message,
            part,
            parts,
        })
    }
}

/// Returns the ranges of `bytes` that go in one part each, at most `part_max` long.
pub(super) fn cuts(bytes: usize, part_max: usize) -> impl ExactSizeIterator<Item = Range<usize>> {
    let part_max = part_max.max(1);
    let parts = bytes.div_ceil(part_max);
    (0..parts).map(move |part| {
        let start = part * part_max;
        start..(start + part_max).min(bytes)
    })
}

/// Joins the parts of messages.
///
/// A sender sends the parts of a message in a row. So once it skips a part or begins another
/// message, the message before stays incomplete and is dropped.
///
/// Memory follows the bytes received, not the length that a header claims. All senders together get
/// the bytes of the largest message. Beyond that the message with the oldest last part is dropped.
#[derive(Debug, Default)]
pub(super) struct Joiner {
    incomplete: BTreeMap<String, Incomplete>,
    /// Bytes of all incomplete messages.
    bytes: usize,
    /// Number of parts received.
    came: u64,
    dropped: u64,
}

#[derive(Debug)]
struct Incomplete {
    message: u64,
    next: u32,
    parts: u32,
    bytes: Vec<u8>,
    /// Number of its last part among all parts received.
    came: u64,
}

impl Joiner {
    /// Takes a part. Returns the message that it completes.
    pub(super) fn join(&mut self, name: PartName<'_>, contents: &[u8]) -> Option<Vec<u8>> {
        self.came += 1;
        let next = (name.message, name.part, name.parts);
        let mut message = match self.remove(name.sender) {
            Some(it) if (it.message, it.next, it.parts) == next => it,
            other => {
                self.dropped += u64::from(other.is_some());
                if name.part > 0 {
                    self.dropped += 1;
                    return None;
                }
                Incomplete::of(name)
            }
        };
        if message.bytes.len() + contents.len() > BYTES_MAX {
            self.dropped += 1;
            return None;
        }
        message.bytes.extend_from_slice(contents);
        message.next += 1;
        message.came = self.came;
        if message.next == message.parts {
            return Some(message.bytes);
        }
        self.bytes += message.bytes.len();
        self.incomplete.insert(name.sender.to_owned(), message);
        while self.bytes > BYTES_MAX || self.incomplete.len() > SENDERS_MAX {
            let oldest = self.incomplete.iter().min_by_key(|(_, it)| it.came);
            let Some(sender) = oldest.map(|(sender, _)| sender.clone()) else {
                break;
            };
            self.remove(&sender);
            self.dropped += 1;
        }
        None
    }

    /// Returns the number of dropped parts and messages: parts without their predecessors, and
    /// messages that were not continued.
    pub(super) const fn dropped(&self) -> u64 {
        self.dropped
    }

    fn remove(&mut self, sender: &str) -> Option<Incomplete> {
        let message = self.incomplete.remove(sender)?;
        self.bytes -= message.bytes.len();
        Some(message)
    }
}

impl Incomplete {
    fn of(name: PartName<'_>) -> Self {
        Self {
            message: name.message,
            next: 0,
            parts: name.parts,
            bytes: Vec::new(),
            came: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(sender: &str, message: u64, part: u32, parts: u32) -> PartName<'_> {
        PartName {
            sender,
            message,
            part,
            parts,
        }
    }

    /// Sends a message of `parts` parts with two bytes each, without part `skip`. Returns it
    /// joined.
    fn send(
        joiner: &mut Joiner,
        sender: &str,
        number: u64,
        parts: u32,
        skip: Option<u32>,
    ) -> Option<Vec<u8>> {
        let parts_sent = (0..parts).filter(|&part| Some(part) != skip);
        let joined = parts_sent.map(|part| {
            let name = name(sender, number, part, parts);
            joiner.join(name, &[number as u8, part as u8])
        });
        joined.last().flatten()
    }

    #[test]
    fn cut_and_joined() {
        for bytes in [1, 9, 10, 11, 20, 25] {
            let message: Vec<u8> = (0..bytes as u8).collect();
            let cuts = cuts(bytes, 10);
            let (parts, mut joiner) = (cuts.len() as u32, Joiner::default());
            let joined = cuts.zip(0..).map(|(cut, part)| {
                assert!(cut.len() <= 10);
                joiner.join(name("a", 1, part, parts), &message[cut])
            });
            assert_eq!(joined.last().flatten(), Some(message), "{bytes} bytes");
        }
    }

    #[test]
    fn several_senders() {
        let mut joiner = Joiner::default();
        assert_eq!(joiner.join(name("a", 1, 0, 2), b"a1"), None);
        assert_eq!(joiner.join(name("b", 1, 0, 2), b"b1"), None);
        assert_eq!(
            joiner.join(name("a", 1, 1, 2), b"a2"),
            Some(b"a1a2".to_vec())
        );
        assert_eq!(
            joiner.join(name("b", 1, 1, 2), b"b2"),
            Some(b"b1b2".to_vec())
        );
        assert_eq!(joiner.dropped(), 0);
    }

    #[test]
    fn missing_part() {
        for skip in 0..3 {
            let mut joiner = Joiner::default();
            assert_eq!(
                send(&mut joiner, "a", 1, 3, Some(skip)),
                None,
                "without {skip}"
            );
            let next = send(&mut joiner, "a", 2, 3, None);
            assert_eq!(next, Some(vec![2, 0, 2, 1, 2, 2]));
            assert!(joiner.dropped() > 0);
            assert!(joiner.incomplete.is_empty());
        }
    }

    #[test]
    fn duplicate_part() {
        let mut joiner = Joiner::default();
        joiner.join(name("a", 1, 0, 2), b"x");
        joiner.join(name("a", 1, 0, 2), b"x");
        assert_eq!(joiner.join(name("a", 1, 1, 2), b"y"), Some(b"xy".to_vec()));
    }

    #[test]
    fn header_not_believed() {
        let mut joiner = Joiner::default();
        joiner.join(name("a", 1, 0, u32::MAX), b"x");
        assert!(joiner.incomplete["a"].bytes.capacity() < 1024);
        assert_eq!(joiner.bytes, 1);
    }

    #[test]
    fn bounded_parts() {
        let mut joiner = Joiner::default();
        let part = vec![0; 1 << 20];
        let mut most = 0;
        for number in 0..300 {
            // Two senders take turns, so that both are in the middle of a message.
            joiner.join(name("a", 1, number, u32::MAX), &part);
            joiner.join(name("b", 1, number, u32::MAX), &part);
            most = most.max(joiner.bytes);
        }
        assert!(most <= BYTES_MAX, "{most} bytes");
        assert!(joiner.dropped() > 0);
    }

    #[test]
    fn bounded_senders() {
        let mut joiner = Joiner::default();
        for sender in 0..2 * SENDERS_MAX {
            joiner.join(name(&sender.to_string(), 1, 0, 2), b"x");
        }
        assert_eq!(joiner.incomplete.len(), SENDERS_MAX);
        // The most recent senders are the ones kept.
        let last = (2 * SENDERS_MAX - 1).to_string();
        assert_eq!(
            joiner.join(name(&last, 1, 1, 2), b"y"),
            Some(b"xy".to_vec())
        );
    }

    #[test]
    fn damaged_header() {
        let long = format!("{}.1.0.2", "s".repeat(65));
        for text in [
            "",
            "a",
            "a.1.0",
            "a.1.2.2",
            "a.1.0.0",
            ".1.0.2",
            "a.x.0.2",
            "a.1.0.2.3",
            "a.1.0.4294967296",
            &long,
        ] {
            assert_eq!(PartName::read(text), None, "{text}");
        }
        let name = name("a", u64::MAX, 1, 2);
        assert_eq!(PartName::read(&name.text()), Some(name));
    }
}

//! The table of golden digests: reading, comparing and writing it.

use std::{collections::BTreeMap, fmt, fmt::Write};

/// The digest of every scene after every stated tick.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table(BTreeMap<String, BTreeMap<usize, u64>>);

impl Table {
    /// Ticks from one digest of the table to the next. The last tick of a scene has one, too.
    pub const EVERY: usize = 20;

    /// The path of the table, from the folder of this package.
    pub const FILE: &'static str = "golden/digests.txt";

    /// Returns the table as compiled in.
    ///
    /// # Errors
    ///
    /// When it has a line that is wrong.
    pub fn written_down() -> Result<Self, TableError> {
        Self::read(include_str!("digests.txt"))
    }

    /// Reads lines of a scene, a tick and a digest. A `#` begins a comment.
    ///
    /// # Errors
    ///
    /// When a line has another form, or repeats a scene and tick.
    pub fn read(text: &str) -> Result<Self, TableError> {
        let mut table = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let entry = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = entry.split_whitespace().collect();
            let wrong = || TableError {
                line: number,
                text: line.to_owned(),
            };
            let [scene, tick, digest] = words[..] else {
                if words.is_empty() {
                    continue;
                }
                return Err(wrong());
            };
            let (Ok(tick), Ok(digest)) = (tick.parse(), u64::from_str_radix(digest, 16)) else {
                return Err(wrong());
            };
            let scene = table.0.entry(scene.to_owned()).or_default();
            if scene.insert(tick, digest).is_some() {
                return Err(wrong());
            }
        }
        Ok(table)
    }

    /// Returns the names of its scenes.
    pub fn scenes(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Inserts the digests of a scene, from those after each tick.
    pub fn insert(&mut self, scene: &str, digests: &[u64]) {
        let stated = stated(digests.len()).map(|tick| (tick, digests[tick - 1]));
        self.0.insert(scene.to_owned(), stated.collect());
    }

    /// Compares the digests after each tick of a scene with the table.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub fn compare(&self, scene: &str, digests: &[u64]) -> Result<(), Divergence> {
        let differs = |found, golden| Divergence {
            scene: scene.to_owned(),
            found,
            golden,
        };
        let empty = BTreeMap::new();
        let goldens = self.0.get(scene).unwrap_or(&empty);
        for tick in stated(digests.len()) {
            let found = digests[tick - 1];
            let golden = goldens.get(&tick).copied();
            if golden != Some(found) {
                return Err(differs(Some((tick, found)), golden));
            }
        }
        let beyond = goldens.range(digests.len() + 1..).next();
        beyond.map_or(Ok(()), |(_, &golden)| Err(differs(None, Some(golden))))
    }
}

impl fmt::Display for Table {
    /// Writes the table in the form that [`Table::read`] reads.
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str(
            "# Golden digests: a scene, a tick, the digest after it. Mint them again with\n\
             #   cargo run -p nav_tests --bin golden -- mint\n\
             # and only where the rules of the chase or a scene were meant to change.\n",
        )?;
        for (scene, digests) in &self.0 {
            to.write_char('\n')?;
            for (tick, digest) in digests {
                writeln!(to, "{scene} {tick} {digest:016x}")?;
            }
        }
        Ok(())
    }
}

/// Returns the ticks of a scene whose digests are in the table, given the number of its ticks.
fn stated(ticks: usize) -> impl Iterator<Item = usize> {
    (1..=ticks).filter(move |tick| tick.is_multiple_of(Table::EVERY) || *tick == ticks)
}

/// A line of the table is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    line: usize,
    text: String,
}

impl fmt::Display for TableError {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        let Self { line, text } = self;
        write!(
            to,
            "line {line} of {} is not a scene, a tick and a digest of its own: {text:?}",
            Table::FILE
        )
    }
}

impl std::error::Error for TableError {}

/// A scene has another digest than is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    scene: String,
    /// The tick and its digest; `None` if the scene ends before the tick.
    found: Option<(usize, u64)>,
    /// The digest in the table, if it has one.
    golden: Option<u64>,
}

impl fmt::Display for Divergence {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        let Self {
            scene,
            found,
            golden,
        } = self;
        match (found, golden) {
            (Some((tick, found)), Some(golden)) => write!(
                to,
                "{scene}: the digest after tick {tick} is {found:016x}, and {golden:016x} is \
                 written down"
            ),
            (Some((tick, _)), None) => write!(
                to,
                "{scene}: no digest after tick {tick} is written down; mint the table again"
            ),
            (None, _) => write!(
                to,
                "{scene}: digests are written down for ticks that it does not have; mint the table \
                 again"
            ),
        }
    }
}

impl std::error::Error for Divergence {}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::default();
        table.insert("here", &(1..=45).collect::<Vec<u64>>());
        table
    }

    #[test]
    fn round_trip() {
        let table = table();
        let ticks: Vec<usize> = table.0["here"].keys().copied().collect();
        assert_eq!(ticks, [20, 40, 45]);
        assert_eq!(Table::read(&table.to_string()), Ok(table));
    }

    #[test]
    fn difference_is_named() {
        let mut digests: Vec<u64> = (1..=45).collect();
        assert_eq!(table().compare("here", &digests), Ok(()));
        digests[44] = 7;
        let wrong = table().compare("here", &digests).unwrap_err();
        let words = "here: the digest after tick 45 is 0000000000000007, and 000000000000002d is \
                     written down";
        assert_eq!(wrong.to_string(), words);
        digests[44] = 45;
        digests.push(46);
        assert!(table().compare("here", &digests).is_err(), "one tick more");
        let fewer = &digests[..40];
        assert!(table().compare("here", fewer).is_err(), "five ticks fewer");
        assert!(table().compare("there", &digests).is_err(), "no such scene");
    }

    #[test]
    fn wrong_line_is_refused() {
        for wrong in ["here 20", "here x 1", "here 20 g", "here 20 1 1"] {
            assert!(Table::read(wrong).is_err(), "{wrong}");
        }
        let twice = "# none\nhere 20 1\n\nhere 20 1 # again";
        let error = Table::read(twice).unwrap_err();
        assert!(error.to_string().starts_with("line 4 of"), "{error}");
    }
}

//! Names of all streams, buckets, keys and subjects of a world at the broker.

use crate::{
    ZoneId,
    keeper::{EntriesOf, Term},
};

/// Longest name of a world in bytes. The name is part of every subject.
pub(super) const WORLD_LEN_MAX: usize = 64;

/// Returns whether a world can have this name. Names of streams allow no other characters.
pub(super) fn is_world(name: &str) -> bool {
    (1..=WORLD_LEN_MAX).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// Names for one world.
#[derive(Clone, Debug)]
pub(super) struct Names {
    world: String,
}

impl Names {
    pub(super) fn new(world: &str) -> Self {
        Self {
            world: world.to_owned(),
        }
    }

    pub(super) fn bus(&self, zone: ZoneId) -> String {
        format!("{}.bus.{}", self.world, zone.0)
    }

    pub(super) fn lease_bucket(&self) -> String {
        format!("{}_zones", self.world)
    }

    pub(super) fn snapshot_bucket(&self) -> String {
        format!("{}_snapshots", self.world)
    }

    pub(super) fn named_bucket(&self) -> String {
        format!("{}_named", self.world)
    }

    pub(super) fn ledger_stream(&self) -> String {
        format!("{}_ledger", self.world)
    }

    pub(super) fn event_stream(&self) -> String {
        format!("{}_events", self.world)
    }

    /// Returns the names of all streams of the world, the ledger last: it stands for the world.
    pub(super) fn streams(&self) -> [String; 5] {
        [
            format!("KV_{}", self.lease_bucket()),
            format!("OBJ_{}", self.snapshot_bucket()),
            format!("OBJ_{}", self.named_bucket()),
            self.event_stream(),
            self.ledger_stream(),
        ]
    }

    pub(super) fn events(&self) -> String {
        format!("{}.events", self.world)
    }

    /// Returns the subject of entries from a zone for another one.
    ///
    /// Entries of a zone for itself have a separate subject, so that readers of other zones'
    /// entries do not receive them.
    pub(super) fn entry(&self, from: ZoneId, to: ZoneId) -> String {
        if from == to {
            format!("{}.ledger.{}.{OWN}", self.world, from.0)
        } else {
            format!("{}.ledger.{}.{}", self.world, from.0, to.0)
        }
    }

    /// Parses a subject of [`Self::entry`] into its two zones.
    pub(super) fn zones_of_entry(&self, subject: &str) -> Option<(ZoneId, ZoneId)> {
        let rest = subject.strip_prefix(&*self.world)?;
        let (from, to) = rest.strip_prefix(".ledger.")?.split_once('.')?;
        let from = ZoneId(from.parse().ok()?);
        let to = match to {
            OWN => from,
            to => ZoneId(to.parse().ok()?),
        };
        Some((from, to))
    }

    /// Returns the subjects of some entries.
    pub(super) fn entries(&self, of: EntriesOf) -> String {
        match of {
            EntriesOf::All => format!("{}.ledger.*.*", self.world),
            EntriesOf::To(zone) => format!("{}.ledger.*.{}", self.world, zone.0),
            EntriesOf::From(zone) => format!("{}.ledger.{}.*", self.world, zone.0),
        }
    }
}

/// Returns the world that a stream is the ledger of.
pub(super) fn world_of_ledger(stream: &str) -> Option<&str> {
    let world = stream.strip_suffix("_ledger")?;
    is_world(world).then_some(world)
}

/// Stands for the receiver in entries of a zone for itself.
const OWN: &str = "own";

/// Returns the keys of the positions up to which a zone forgot entries: of others for it, and own
/// ones.
pub(super) fn forgotten(zone: ZoneId) -> [String; 2] {
    ["read", "written"].map(|which| format!("forgotten.{which}.{}", zone.0))
}

/// Key of the number of times that the store was lost.
pub(super) const LOSSES: &str = "losses";

/// Returns the key of a zone's lease.
pub(super) fn lease(zone: ZoneId) -> String {
    format!("zone.{}", zone.0)
}

/// Parses the key of a lease into its zone.
pub(super) fn zone_of_lease(key: &str) -> Option<ZoneId> {
    let zone = key.strip_prefix("zone.")?.parse().ok()?;
    Some(ZoneId(zone))
}

/// Returns the name of a zone's snapshot in a term.
pub(super) fn snapshot(zone: ZoneId, term: Term) -> String {
    format!("zone-{}-{}", zone.0, term.0)
}

/// Returns the key of the mark that is the term of a zone's last snapshot.
pub(super) fn snapshot_mark(zone: ZoneId) -> String {
    format!("snapshot.{}", zone.0)
}

/// Unique name of an entry, the same each time it is sent. The first entry of a term has number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EntryName {
    pub(super) zone: ZoneId,
    pub(super) term: Term,
    pub(super) number: u64,
}

impl EntryName {
    pub(super) fn text(self) -> String {
        format!("{}.{}.{}", self.zone.0, self.term.0, self.number)
    }

    pub(super) fn read(text: &str) -> Option<Self> {
        let (zone, rest) = text.split_once('.')?;
        let (term, number) = rest.split_once('.')?;
        Some(Self {
            zone: ZoneId(zone.parse().ok()?),
            term: Term(term.parse().ok()?),
            number: number.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_names_of_worlds() {
        for name in ["", "a.b", "a b", "a*", ">", "über", &"w".repeat(65)] {
            assert!(!is_world(name), "{name}");
        }
        for name in ["w", "My-World_2", &"w".repeat(64)] {
            assert!(is_world(name), "{name}");
        }
    }

    #[test]
    fn round_trip() {
        let names = Names::new("w");
        for (from, to) in [(3, 4), (3, 3), (0, u16::MAX)].map(|(a, b)| (ZoneId(a), ZoneId(b))) {
            let subject = names.entry(from, to);
            assert_eq!(names.zones_of_entry(&subject), Some((from, to)));
        }
        assert_eq!(zone_of_lease(&lease(ZoneId(7))), Some(ZoneId(7)));
        let entry = EntryName {
            zone: ZoneId(7),
            term: Term(12),
            number: 1 << 40,
        };
        assert_eq!(EntryName::read(&entry.text()), Some(entry));
    }

    #[test]
    fn foreign_names() {
        let names = Names::new("w");
        for subject in [
            "",
            "w",
            "v.ledger.1.2",
            "w.ledger.1",
            "w.ledger.1.x",
            "w.ledger.70000.1",
        ] {
            assert_eq!(names.zones_of_entry(subject), None, "{subject}");
        }
        for key in forgotten(ZoneId(7)) {
            assert_eq!(zone_of_lease(&key), None);
        }
        assert_eq!(zone_of_lease(&snapshot_mark(ZoneId(7))), None);
        assert_eq!(EntryName::read("1.2"), None);
    }
}

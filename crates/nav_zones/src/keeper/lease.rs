//! Leases: the right to decide for a zone, its holder, and positions in what holders write.

use crate::ZoneId;
use serde::{Deserialize, Serialize};

/// Position of an entry or an event in the order of writing. The first is 1; 0 is before the first.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Sequence(pub u64);

/// Positions up to which a zone, or a snapshot of it, has the ledger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places {
    /// Last entry of others for the zone.
    pub read: Sequence,
    /// Last entry from the zone.
    pub written: Sequence,
}

impl Places {
    /// Returns whether all that these places have is in `other`, too.
    pub(crate) fn are_within(self, other: Self) -> bool {
        self.read <= other.read && self.written <= other.written
    }
}

/// Number of a lease, higher than those of all earlier leases of the zone.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Term(pub u64);

/// Right to decide for a zone, valid as long as it is renewed.
#[derive(Debug)]
pub struct Lease {
    pub(crate) zone: ZoneId,
    #[cfg_attr(
        not(feature = "nats"),
        expect(dead_code, reason = "brokers are sent it")
    )]
    pub(crate) holder: String,
    pub(crate) term: Term,
    /// First entry of the term.
    pub(crate) first: Sequence,
    /// Last entry written under the lease.
    pub(crate) last: Sequence,
    /// Number of entries written under the lease, without the first one.
    pub(crate) written: u64,
    /// Revision of the lease's key at the broker.
    #[cfg_attr(not(feature = "nats"), expect(dead_code, reason = "brokers have one"))]
    pub(crate) revision: u64,
}

impl Lease {
    /// Returns the zone.
    pub const fn zone(&self) -> ZoneId {
        self.zone
    }

    /// Returns the term.
    pub const fn term(&self) -> Term {
        self.term
    }

    /// Returns the first entry of the term. All entries of earlier holders come before it.
    pub const fn first(&self) -> Sequence {
        self.first
    }
}

/// Holder of a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Zone.
    pub zone: ZoneId,
    /// Name of the holder.
    pub holder: String,
    /// Term of its lease.
    pub term: Term,
    /// A number that changes with each renewal. It stays if the process is dead.
    pub renewal: u64,
}

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

/// Number of an entry among those of its zone, which it keeps when it is written again.
///
/// Entries of a zone arrive in this order, so that the last number tells what a receiver has.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct EntryNumber {
    /// Term in which the entry was made.
    pub term: Term,
    /// Number in this term, from 1.
    pub number: u64,
}

/// Number of a lease, higher than those of all earlier leases of the zone.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Term(pub u64);

impl Term {
    /// Returns the lowest term after a number of losses of the store, above all terms before the
    /// last loss.
    ///
    /// No zone changes hands four billion times between two losses: at one a second that takes 136
    /// years.
    pub(crate) const fn after_losses(losses: u64) -> Self {
        Self(losses << 32)
    }

    pub(crate) const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// Right to decide for a zone, valid as long as it is renewed.
#[derive(Debug)]
pub struct Lease {
    pub(crate) zone: ZoneId,
    pub(crate) holder: String,
    pub(crate) term: Term,
    /// First entry of the term.
    pub(crate) first: Sequence,
    /// Last entry written under the lease.
    pub(crate) last: Sequence,
    /// Number of entries written under the lease, without the first one.
    pub(crate) written: u64,
    /// Revision of the lease in the store.
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

//! Who holds a zone, and since when.

use super::sequence::Sequence;
use crate::ZoneId;
use serde::{Deserialize, Serialize};

/// A number that is higher for each holder of a zone than for those before.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Term(pub u64);

/// The right to decide for a zone, as long as it is renewed.
#[derive(Debug)]
pub struct Lease {
    pub(crate) zone: ZoneId,
    #[cfg_attr(
        not(feature = "nats"),
        expect(dead_code, reason = "brokers are sent it")
    )]
    pub(crate) holder: String,
    pub(crate) term: Term,
    /// The first entry of the term.
    pub(crate) first: Sequence,
    /// The last entry that was written by it.
    pub(crate) last: Sequence,
    /// How many entries were written by it.
    pub(crate) written: u64,
    /// The version of what stands for it at the broker.
    #[cfg_attr(not(feature = "nats"), expect(dead_code, reason = "brokers have one"))]
    pub(crate) revision: u64,
}

impl Lease {
    /// The zone.
    pub const fn zone(&self) -> ZoneId {
        self.zone
    }

    /// Its term.
    pub const fn term(&self) -> Term {
        self.term
    }

    /// The first entry of the term: those of holders before it come before.
    pub const fn first(&self) -> Sequence {
        self.first
    }
}

/// Who holds a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The zone.
    pub zone: ZoneId,
    /// Its name.
    pub holder: String,
    /// Its term.
    pub term: Term,
}

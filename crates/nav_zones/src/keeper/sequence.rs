//! Positions in the ledger and among events.

use serde::{Deserialize, Serialize};

/// Position of an entry or an event in the order of writing. The first is 1; 0 is before the first.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Sequence(pub u64);

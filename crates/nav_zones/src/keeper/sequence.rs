//! Places in the order of all entries, or of all events.

use serde::{Deserialize, Serialize};

/// The place of an entry or an event among all, in the order in which they were written, from 1 on; 0 is before the
/// first one.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Sequence(pub u64);

//! The versions of the data of a world.

use nav_zones::Format;
use serde::{Deserialize, Serialize};

/// Versions of the data of a world, by which programs of another version are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formats {
    /// Version in which all that the broker keeps is written.
    pub state: u16,
    /// Version of the messages between its processes.
    pub messages: u16,
}

impl Formats {
    /// The versions that this program writes.
    pub const OWN: Self = Self {
        state: Format::STATE.version,
        messages: Format::MESSAGES.version,
    };
}

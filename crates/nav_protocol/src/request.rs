//! What a client sends.

use crate::{bounded::at_most, version::VERSION};
use serde::{Deserialize, Serialize};

/// Packets that a request may ask for at most.
pub const AGAIN_MAX: usize = 16;

/// What a client sends to the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The version of this format, [`VERSION`](crate::VERSION).
    pub version: u16,
    /// What it asks for.
    pub ask: Ask,
}

/// What a client asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// The whole view anew.
    Resync,
    /// Packets that are missing, by their [sequence](crate::Packet::sequence).
    Again(#[serde(deserialize_with = "at_most::<AGAIN_MAX, _, _>")] Vec<u32>),
}

impl From<Ask> for Request {
    /// A request of this version.
    fn from(ask: Ask) -> Self {
        Self {
            version: VERSION,
            ask,
        }
    }
}

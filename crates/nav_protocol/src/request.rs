//! Requests, from client to server.

use crate::{bounded::at_most, version::VERSION};
use serde::{Deserialize, Serialize};

/// Most packets in one request. A guess.
pub const AGAIN_MAX: usize = 16;

/// A message from a client to the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Version of this format, [`VERSION`](crate::VERSION).
    pub version: u16,
    /// The question.
    pub ask: Ask,
}

/// The questions that a client may ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// The whole view again.
    Resync,
    /// Missing packets, by [sequence](crate::Packet::sequence).
    Again(#[serde(deserialize_with = "at_most::<AGAIN_MAX, _, _>")] Vec<u32>),
}

impl From<Ask> for Request {
    /// Wraps it in a request of this version.
    fn from(ask: Ask) -> Self {
        Self {
            version: VERSION,
            ask,
        }
    }
}

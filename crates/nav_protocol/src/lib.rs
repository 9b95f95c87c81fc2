//! The messages between a chase server and its clients: plain types, JSON and postcard.
//!
//! A server sends [`Packet`]s to each watcher: the agents in its view, and the points ahead of each
//! chaser. A client answers with a [`Request`] when packets are missing.
//! `docs/book/src/protocol.md` of the project describes every field for clients in other languages.
//! The crate `nav_sync` writes packets, `nav_client` reads them.
//!
//! # Example
//!
//! ```
//! use nav_protocol::{Packet, Update, Vanish};
//!
//! let packet = Packet::new(1, 20, vec![Update::Vanish(Vanish { id: 7 })]);
//! let json = packet.to_json()?;
//! assert_eq!(json, r#"{"version":2,"sequence":1,"tick":20,"updates":[{"vanish":{"id":7}}]}"#);
//! assert_eq!(Packet::from_json(json.as_bytes())?, packet);
//! assert_eq!(Packet::from_postcard(&packet.to_postcard()?)?, packet);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Hostile input
//!
//! Decoding never panics. Input longer than [`BYTES_MAX`] is refused unread. Lists have maximum
//! lengths, and no memory is allocated for a claimed length alone. Decoded packets make sense:
//! numbers are finite, each point has an arrival, and arrivals never decrease.

mod bounded;
mod check;
mod codec;
mod packet;
mod request;
mod version;

pub use check::Nonsense;
pub use codec::{BYTES_MAX, DecodeError, EncodeError};
pub use packet::{
    AgentKind, Appear, Correct, LinkAhead, POINTS_MAX, Packet, PathAhead, Place, Start,
    UPDATES_MAX, Up, Update, Vanish,
};
pub use request::{AGAIN_MAX, Ask, Request};
pub use version::VERSION;

// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! The messages by which a chase server shows its chasers to clients: plain types, JSON and postcard.
//!
//! A server sends [`Packet`]s to each watcher: whom it sees, and for each chaser its points ahead. A client
//! answers with a [`Request`] when packets are missing. `docs/PROTOCOL.md` of the project describes every
//! field for those who write a client in another language. The crate `nav_sync` writes packets,
//! `nav_client` reads them.
//!
//! # Example
//!
//! ```
//! use nav_protocol::{Packet, Update, Vanish};
//!
//! let packet = Packet::new(1, 20, vec![Update::Vanish(Vanish { id: 7 })]);
//! let json = packet.to_json()?;
//! assert_eq!(json, r#"{"version":1,"sequence":1,"tick":20,"updates":[{"vanish":{"id":7}}]}"#);
//! assert_eq!(Packet::from_json(json.as_bytes())?, packet);
//! assert_eq!(Packet::from_postcard(&packet.to_postcard()?)?, packet);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Hostile input
//!
//! Decoding never panics. What is longer than [`BYTES_MAX`] is refused unread, lists have greatest lengths,
//! and nothing is allocated on the word of a length alone. What decodes also makes sense: numbers are
//! finite, points have arrivals, and arrivals do not go back.

mod bounded;
mod check;
mod codec;
mod packet;
mod request;
mod version;

pub use check::Nonsense;
pub use codec::{BYTES_MAX, DecodeError, EncodeError};
pub use packet::{
    AgentKind, Appear, Correct, POINTS_MAX, Packet, PathAhead, Place, Start, UPDATES_MAX, Up,
    Update, Vanish,
};
pub use request::{AGAIN_MAX, Ask, Request};
pub use version::VERSION;

// The examples of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

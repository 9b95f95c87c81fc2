//! A world that several processes share: mirrors of agents that live elsewhere, and what is counted together.
//!
//! Each process keeps the whole static map and the agents that live in its part of it. Of the others it has the
//! mirrors that its own can meet or chase, marked as [`Mirror`]; the game, or the crate `nav_zones`, moves
//! these and says by [`ChasedElsewhere`] how many chase a target from other processes. Where the plugin counts over
//! all agents in a tick it asks [`Peers`], so that processes that run in step decide as one would.
//!
//! Solid bodies keep to the cells of their process, and to those beyond its [`Border`] that were lent.
//!
//! [`WorldSum`](crate::WorldSum) is the digest of a part, and merged with those of the others that of the whole.

mod border;
mod chased_elsewhere;
mod fields_elsewhere;
mod mirror;
mod peers;

pub use border::{Border, BorderStep, DETOUR_RADIUS};
pub use chased_elsewhere::ChasedElsewhere;
pub use fields_elsewhere::FieldsElsewhere;
pub use mirror::Mirror;
pub use peers::{CountKind, CountTogether, FieldAsk, Peers};

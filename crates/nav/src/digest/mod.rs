//! The fingerprint of a world's navigation state.

mod agent;
mod agent_state;
mod identities;
mod whole;

pub use whole::digest;
#[cfg(feature = "trace")]
pub(crate) use whole::digest_with;

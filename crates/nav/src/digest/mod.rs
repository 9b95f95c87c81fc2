//! The digest: a fingerprint of a world's navigation state.

mod agent_state;
mod world_sum;

#[cfg(feature = "serialize")]
pub(crate) use world_sum::WorldSum;
pub use world_sum::{digest, digest_parts};

//! The digest: a fingerprint of a world's navigation state.

mod agent_state;
mod world_sum;

pub use world_sum::{WorldSum, digest, digest_parts};

//! The fingerprint of a world's navigation state.

mod agent;
mod agent_state;
mod identities;
mod whole;
mod world_sum;

pub use whole::{digest, digest_parts};
pub use world_sum::WorldSum;

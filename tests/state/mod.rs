//! The state of a chase: digests, saves and traces.

mod digest;
mod saving;
pub mod trace;

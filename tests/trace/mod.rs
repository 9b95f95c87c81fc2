//! Traces record the changes that a game makes, and repeat them elsewhere with the same result.

mod crowd;
mod damage;
mod interference;
mod named;
pub mod saved;
mod scenes;

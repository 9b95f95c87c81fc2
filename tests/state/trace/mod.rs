//! Traces record the changes that a game makes, and repeat them elsewhere with the same result.

mod bundled;
mod crowd;
mod damage;
mod interference;
mod named;
mod plugins;
pub mod saved;
mod scenes;

//! Traces: what a game did is recorded, and done again elsewhere to the same end. And saves of the same games.

mod crowd;
mod damage;
mod interference;
mod named;
pub mod saved;
mod scenes;

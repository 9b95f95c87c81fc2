//! Traces: what a game did is recorded, and done again elsewhere to the same end. And saves of the same games.

mod crowd;
mod damage;
mod game;
mod interference;
mod named;
mod saved;
mod scenes;
mod tape;

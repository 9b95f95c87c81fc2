//! The upcoming path: what it says is where a chaser goes, whatever it follows.

mod ends;
mod field_steps;
mod forms;
mod scene;
mod stairs;
mod walked;
mod watch;

//! The upcoming path: a chaser goes where it says, whatever it follows.

mod ends;
mod field_steps;
mod forms;
mod scene;
mod stairs;
mod walked;
mod watch;

//! Points ahead: what they say is where a chaser goes, whatever it follows.

mod ends;
mod forms;
mod scene;
mod stairs;
mod walked;
mod watch;

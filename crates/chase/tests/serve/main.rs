//! `chase serve`, over real sockets on the loopback.

mod book;
mod browser;
mod change;
mod client;
mod crowded;
mod door;
mod follow;
mod hostile;
mod page;
mod players;
mod program;
mod screens;
mod server;
mod time;

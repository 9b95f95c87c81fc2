//! The server in a thread of the test, over real sockets on the loopback.

mod browser;
mod change;
mod client;
mod crowded;
mod door;
mod follow;
mod hostile;
mod page;
mod players;
mod screens;
mod server;
mod time;

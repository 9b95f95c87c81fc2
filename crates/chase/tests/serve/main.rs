//! `chase serve` in a process of its own, over real sockets on the loopback.

mod book;
mod program;

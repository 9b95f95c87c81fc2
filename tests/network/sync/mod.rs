//! The packets for watchers, and a client that follows them. Tests are named after the complaint
//! that they prevent.

#![expect(
    clippy::float_cmp,
    reason = "what is sent of a cell is its middle exactly"
)]

mod cost;
mod document;
mod follow;
mod link;
mod messages;
mod numbers;
mod paths;
mod scene;
mod threads;
mod views;

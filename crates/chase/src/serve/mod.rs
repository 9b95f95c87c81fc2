//! Serves a running scenario to clients: a page for people, and paths for programs.
//!
//! The simulation runs in a thread of its own, paced by the clock, and never waits for anybody: each
//! connection has a queue of frames, and one whose queue is full loses frames until it has caught up. The
//! web server is beside it; the two exchange orders and frames.

mod course;
mod field_view;
mod frame;
mod hall;
mod host;
mod http;
mod inspect;
mod link;
mod metrics;
mod order;
mod overview;
mod pace;
mod rates;
mod said;
mod searches;
mod session;
mod source;
mod start;
mod ways_view;
mod wishes;

pub use host::IsWatched;
pub use source::Source;
pub use start::{ServeError, Settings, serve};

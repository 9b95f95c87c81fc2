//! Serves a running scenario to clients: a page for browsers, and paths for programs.
//!
//! The simulation runs in its own thread at the pace of the clock, and never waits. Each connection
//! has a queue of frames. If the queue is full, frames are lost until the client has caught up. The
//! web server runs beside it; the two exchange commands and frames.

mod answers;
mod change;
mod clients;
mod connection;
mod control;
mod error;
mod frame;
mod ground;
mod guesses;
mod host;
mod http;
mod jobs;
mod listener;
mod messages;
mod metrics;
mod metrics_page;
mod overview;
mod pace;
mod players;
mod searches;
mod session;
mod settings;
mod source;
mod start;

pub use control::Control;
pub use error::ServeError;
pub use host::IsWatched;
pub use metrics::MetricText;
pub use metrics_page::MetricsPage;
pub use settings::Settings;
pub use source::Source;
pub use start::{asked_to_end, serve};

//! Serves a running scenario to clients: a page for browsers, and paths for programs.
//!
//! The simulation runs in its own thread at the pace of the clock, and never waits. Each connection
//! has a queue of frames. If the queue is full, frames are lost until the client has caught up. The
//! web server runs beside it; the two exchange orders and frames.

mod change;
mod control;
mod course;
mod door;
mod field_view;
mod frame;
mod ground;
mod guesses;
mod hall;
mod host;
mod http;
mod inspect;
mod link;
mod metrics;
mod metrics_page;
mod overview;
mod pace;
mod rates;
mod said;
mod searches;
mod session;
mod settings;
mod source;
mod start;
mod ways_view;
mod wishes;

pub use control::Control;
pub use host::IsWatched;
pub use metrics::write_metric_head;
pub use metrics_page::MetricsPage;
pub use settings::Settings;
pub use source::Source;
pub use start::{ServeError, asked_to_end, serve};

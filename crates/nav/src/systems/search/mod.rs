//! Searches of the tick: queued by longest wait, answered in parallel within the budget.

mod long_search;
mod params;
mod plugin;
mod queue;
mod request;
mod results;
mod run;
mod walk_out;

pub(crate) use long_search::LongSearch;
pub(crate) use plugin::SearchPlugin;
pub(crate) use queue::SearchQueue;
pub(crate) use request::Request;

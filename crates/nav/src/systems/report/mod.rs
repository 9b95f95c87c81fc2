//! What happened in the tick, as messages and counters.

mod messages;
mod plugin;

pub(crate) use plugin::ReportPlugin;

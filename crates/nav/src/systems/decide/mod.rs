//! Deciding who searches now, and why: the sets `Decide` and `JoinFields`.

mod again;
mod awaiting;
mod chaser;
mod due;
mod facts;
mod params;
mod pending;
mod plugin;
mod rules;
mod scratch;

pub(crate) use pending::PendingDecisions;
pub(crate) use plugin::DecidePlugin;

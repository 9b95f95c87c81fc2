//! Storage that the sets share: chasers and the tables they lie in, targets, scratch memory of tasks,
//! and what happened in a tick.

pub(crate) mod columns;
pub mod targets;
pub mod threads;
pub(crate) mod tick_events;
pub(crate) mod visit;

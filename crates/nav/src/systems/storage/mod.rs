//! Storage that the sets share: chasers and the tables they lie in, targets, scratch memory of
//! tasks, what happened in a tick, and whom to decide for because of that.

pub(crate) mod columns;
pub(crate) mod pending;
pub mod targets;
pub mod threads;
pub(crate) mod tick_events;
pub(crate) mod visit;

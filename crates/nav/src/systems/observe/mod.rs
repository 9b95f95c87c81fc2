//! What the game changed since the last tick: clock, targets, maps and bodies.

mod bodies;
mod edits;
mod plugin;
mod positions;

pub(crate) use plugin::ObservePlugin;

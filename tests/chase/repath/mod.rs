//! The reasons of a chaser to search, and not to search.

mod at_once;
mod failures;
mod moving_targets;
mod scene;

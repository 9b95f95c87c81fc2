//! When a chaser searches, and when it does not.

mod at_once;
mod failures;
mod moving_targets;
mod scene;

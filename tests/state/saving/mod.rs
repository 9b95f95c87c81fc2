//! Saving and loading: every component alone, and a chase in the middle.

mod by_reflection;
mod by_serde;
mod coming_back;
mod going_on;
mod refused;
mod registered;
mod scene;

//! Saving and loading: every component alone, and a chase in the middle.

mod approaching;
mod by_reflection;
mod by_serde;
mod choosing;
mod coming_back;
mod first_tick;
mod fleeing;
mod going_on;
mod refused;
mod registered;
mod scene;
mod searching;

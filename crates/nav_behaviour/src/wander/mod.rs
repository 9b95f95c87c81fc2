//! Wandering: walks to drawn cells around a centre, from which a way leads back.

mod area;
mod walks;

pub use walks::{Wander, WanderPlugin};

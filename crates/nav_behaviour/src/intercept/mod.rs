//! Chasers that cut off a target which runs on, instead of running after it.

mod component;
mod course;
mod lead;

pub use component::Intercept;
pub use lead::InterceptPlugin;

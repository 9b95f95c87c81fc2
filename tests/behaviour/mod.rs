//! Behaviours in whole apps.

pub mod all;
mod explain;

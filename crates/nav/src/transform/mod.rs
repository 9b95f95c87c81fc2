//! Bevy's `Transform` of agents: chasers shown where they are, players seen where they go. Behind the
//! feature `transform`.

mod cell_walk;
mod components;
mod players;
mod plugin;
mod show;

pub use components::{CellToTransform, TransformToCell};
pub use plugin::{NavTransformPlugin, ShowTransforms};

//! Portals: far ways as ways from one 32×32 cluster of the map to the next.

mod cluster;
mod crossing;
mod field;
mod flood;
mod gates;
mod graph;
mod leg;
mod measure;
mod near;
mod onward;
mod path;
mod pull;
mod reach;
mod refine;
mod repair;
mod slices;
mod slots;
mod spread;
mod wave;

pub use field::{FieldError, PortalField};
pub use graph::Portals;
pub use onward::{FieldMove, Onward};
pub use path::PortalPath;

//! Hierarchical A* over the portals between clusters of the map.

mod advance;
mod gate_distances;
mod gates;
mod near;
mod pull;
mod refine;
mod refinement;
mod search;
mod task;
mod work_slice;

pub use search::PortalSearch;

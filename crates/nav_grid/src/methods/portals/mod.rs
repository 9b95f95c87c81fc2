//! Hierarchical A* over the portals between clusters of the map.

mod gate_distances;
mod gates;
mod portal_search;
mod portal_task;
mod pull;
mod refine;

pub use portal_search::PortalSearch;

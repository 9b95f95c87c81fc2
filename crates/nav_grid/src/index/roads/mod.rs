//! Marked highways of a map as a graph of crossings and segments.

mod build;
mod trunk_roads;

pub use build::RoadError;
pub use trunk_roads::TrunkRoads;

pub(crate) use trunk_roads::{RoadEdge, RoadPlace, RoadSegment, RoadStop};

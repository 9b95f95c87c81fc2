//! Marked highways of a map as a graph of crossings and segments.

mod road_builder;
mod trunk_roads;

pub use road_builder::RoadError;
pub use trunk_roads::TrunkRoads;

pub(crate) use trunk_roads::{RoadEdge, RoadPlace, RoadSegment, RoadStop};

//! The map as clusters of 32×32 cells and the graph of portals between them.

mod build;
mod cluster;
mod costs;
mod crossing;
mod gate;
mod graph;
mod measure;
mod portal;
mod repair;
mod scratch;
mod segment_flood;
mod segment_frame;
mod segments;
mod slots;
mod wave;

pub use graph::PortalGraph;

pub(crate) use cluster::{ClusterGround, ClusterRows, SIDE, Spot, SpotSet, Tiling, is_in};
pub(crate) use costs::{hasty, quick};
pub(crate) use gate::{APART, Gate, NONE};
pub(crate) use segment_frame::SegmentGround;
pub(crate) use segments::DirectSegments;
pub(crate) use wave::{ClusterWave, WaveDirection};

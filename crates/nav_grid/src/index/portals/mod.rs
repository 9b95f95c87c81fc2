//! The map as clusters of 32×32 cells and the graph of portals between them.

mod boards;
mod cluster;
mod crossing;
mod distances;
mod flood;
mod graph;
mod numbering;
mod portal;
mod repair;
mod segments;
mod wave;

pub use graph::PortalGraph;

pub(crate) use cluster::{ClusterGround, ClusterRows, SIDE, Spot, SpotSet, Tiling, is_in};
pub(crate) use distances::{DistanceTable, widened};
pub(crate) use graph::{hasty, quick};
pub(crate) use portal::{Gate, NONE};
pub(crate) use segments::{DirectSegments, SegmentGround};
pub(crate) use wave::{ClusterWave, WaveDirection};

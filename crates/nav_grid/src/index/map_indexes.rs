//! What is prepared of a map.

use crate::index::{mosaic::Mosaic, portals::PortalGraph, regions::Regions, roads::TrunkRoads};

/// What was prepared of a map for the methods that need more than its cells.
///
/// Nothing is in it that nobody asked for. A method that misses its chart, or finds it older
/// than the map, answers [`Feature::Preparation`](crate::Feature::Preparation).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MapIndexes {
    /// Which cells hang together.
    pub regions: Option<Regions>,
    /// What far searches and far fields run on.
    pub portals: Option<PortalGraph>,
    /// Blocks of uniform ground, for [`MosaicSearch`](crate::MosaicSearch).
    pub mosaic: Option<Mosaic>,
    /// Main roads, for [`TrunkSearch`](crate::TrunkSearch).
    pub trunk: Option<TrunkRoads>,
}

//! The indexes of one map.

use super::{mosaic::Mosaic, portals::PortalGraph, regions::Regions, roads::TrunkRoads};

/// What was prepared of one map for the methods that need more than its cells.
///
/// Nothing is in it that nobody asked for. A method that misses its index, or finds it older than
/// the map, answers [`Feature::Preparation`](crate::query::Feature::Preparation).
#[derive(Clone, Debug, Default)]
pub(crate) struct MapIndexes {
    pub(crate) regions: Option<Regions>,
    pub(crate) portals: Option<PortalGraph>,
    pub(crate) mosaic: Option<Mosaic>,
    pub(crate) roads: Option<TrunkRoads>,
}

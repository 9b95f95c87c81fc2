//! Indexes: data prepared from a map for faster searches, and repaired after its edits.
//!
//! An [`IndexedMap`](crate::IndexedMap) owns a grid together with its indexes and builds them.
//!
//! - [`Regions`]: connected components. By them [`Planner`](crate::Planner) refuses goals that are
//!   cut off, and [`nearest_reachable`](crate::planner::nearest_reachable) finds others.
//! - [`PortalGraph`]: clusters of 32×32 cells and the portals between them, for
//!   [`PortalSearch`](crate::methods::PortalSearch) and
//!   [`PortalField`](crate::fields::PortalField).
//! - [`Mosaic`]: a quadtree of uniform blocks, for [`MosaicSearch`](crate::methods::MosaicSearch).
//! - [`TrunkRoads`]: marked highways as a graph, for [`TrunkSearch`](crate::methods::TrunkSearch).

mod list;
pub(crate) mod mosaic;
pub(crate) mod portals;
mod regions;
pub(crate) mod roads;

use self::list::IndexList;
use crate::{cell::Cell, rules::Rules};

#[doc(hidden)]
pub use list::SlicedIndex;
pub use mosaic::Mosaic;
pub use portals::PortalGraph;
pub use regions::Regions;
pub use roads::{RoadError, TrunkRoads};

/// The indexes of one map, each present once it was requested. There is one of a kind for each
/// need, in the order of their rules.
///
/// A method without its index, or with one older than the map, answers
/// [`Feature::Preparation`](crate::query::Feature::Preparation).
#[derive(Clone, Debug, Default)]
pub(crate) struct MapIndexes {
    pub(crate) regions: IndexList<Regions>,
    pub(crate) portals: IndexList<PortalGraph>,
    pub(crate) mosaic: Option<Mosaic>,
    pub(crate) roads: Option<TrunkRoads>,
}

/// A list of the indexes of an [`IndexedMap`](crate::IndexedMap), from which they can be built
/// again on an equal map, such as a saved and loaded one.
///
/// [`IndexedMap::built`](crate::IndexedMap::built) returns it and
/// [`IndexedMap::build`](crate::IndexedMap::build) builds from it.
#[doc(hidden)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct BuiltIndexes {
    /// Prepared footprints, with the classes of their agents.
    pub footprints: Vec<Rules>,
    /// The footprints, corner rules and classes with marked jumps.
    pub jumps: Vec<Rules>,
    /// The rules of the connected components that are complete.
    pub regions: Vec<Rules>,
    /// The rules of the portal graphs that are complete.
    pub portals: Vec<Rules>,
    /// The rules of the connected components that are under way.
    pub due_regions: Vec<Rules>,
    /// The rules of the portal graphs that are under way.
    pub due_portals: Vec<Rules>,
    /// The footprint and classes of the blocks of uniform ground.
    pub mosaic: Option<Rules>,
    /// The rules of the main roads, and their cells.
    pub roads: Option<(Rules, Vec<Cell>)>,
}

/// How far the indexes of a map are built:
/// [`IndexedMap::progress`](crate::IndexedMap::progress).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildProgress {
    /// The tiles and clusters that are still to be read, at least 1 for an index that is not
    /// complete.
    pub due: usize,
    /// All tiles and clusters of the indexes.
    pub of: usize,
}

impl BuildProgress {
    /// Whether nothing is due.
    pub const fn is_complete(self) -> bool {
        self.due == 0
    }
}

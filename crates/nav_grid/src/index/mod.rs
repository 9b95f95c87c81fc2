//! What is prepared of a map so that searches are faster, and repaired after its edits.
//!
//! An [`IndexedMap`](crate::IndexedMap) owns a grid together with its indexes and builds them.
//!
//! | index | what it is | who uses it |
//! |---|---|---|
//! | [`Regions`] | connected components | [`Planner`](crate::Planner) answers "no way" at once; [`nearest_reachable`](crate::planner::nearest_reachable) |
//! | [`PortalGraph`] | clusters of 32×32 cells and the portals between them | [`PortalSearch`](crate::methods::PortalSearch), [`PortalField`](crate::fields::PortalField) |
//! | [`Mosaic`] | a quadtree of uniform blocks | [`MosaicSearch`](crate::methods::MosaicSearch) |
//! | [`TrunkRoads`] | marked highways as a graph | [`TrunkSearch`](crate::methods::TrunkSearch) |

mod built;
mod map_indexes;
pub(crate) mod mosaic;
pub(crate) mod portals;
mod regions;
pub(crate) mod roads;

pub use built::BuiltIndexes;
pub use mosaic::Mosaic;
pub use portals::PortalGraph;
pub use regions::Regions;
pub use roads::{RoadError, TrunkRoads};

pub(crate) use map_indexes::MapIndexes;

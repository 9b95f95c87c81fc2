//! The search from portal to portal: what it keeps, and the order of its parts.

use super::{
    pull::{SegmentPath, StringPull},
    refinement::Refinement,
    task::{PortalCheckpoint, PortalNode},
};
use crate::{
    cell::Cell,
    index::portals::{ClusterWave, DirectSegments},
    methods::astar::BoundedAStar,
    path::Path,
    query::{Method, Outcome, PathQuery, PendingSearch, Resumable, Search, Support, Terrain},
    queues::BucketQueue,
};

/// A* over the [portals](crate::index::PortalGraph) of a map, for one walker and a far goal.
///
/// Finds a path wherever there is one. It is a cheapest one where nothing is in the way, and
/// else near it: on most maps within 1 % on average and 15 % at worst, as portals are passed by
/// their middle cells, a guess that is a twelfth too high keeps the search short, and the way
/// between portals is pulled tight afterwards, but for where exits are.
///
/// Where the goal is near, detours to the middles of portals would be large for what the path
/// is. So if the path that was found is so short that no cheaper one, links aside, leads further
/// than 32 columns or rows from the start, [`BoundedAStar`] looks for a cheaper one, with the
/// expansions that are left: such paths are cheapest ones, too.
///
/// Serves every metric, footprint and corner rule that [portals](crate::IndexedMap::build_portals)
/// were built for, exits, floors and links, and refuses maps with step costs and walkers that
/// bodies may block. The window must hold the whole map, as
/// [`Limits::UNBOUNDED`](crate::Limits::UNBOUNDED) does: any other one is refused with
/// [`Feature::Window`](crate::query::Feature::Window). The query's heuristic does not count.
///
/// Searches can be [cut into slices](crate::query::Sliced). A slice ends before a portal or a cell
/// that is expanded or before a direct segment of the path, which count alike: after the last
/// portal some dozens of direct segments are laid and pulled tight. The first slice also looks
/// around start and goal, which takes as long as some ten expansions.
/// [`Counters::expanded`](crate::query::Counters::expanded) counts portals, and where the goal is
/// near cells, too; the limit on expansions is one on both together. A path that stops [short of
/// the goal](crate::query::Fallback::ClosestReached) leads to the expanded portal from which the
/// distance to the goal is least, of several the one of the least number; there is none if that distance
/// is no less than from the start.
///
/// The open list holds sums of cost and guess in buckets a straight step wide, rounded down to a
/// power of two. In a bucket, the last portal put there comes first. Gates of a cluster are
/// looked at in the order of the clusters that own them, then along their borders.
///
/// # Complexity
///
/// O(portals × portals of a cluster) at worst. Two short waves, then some dozens of
/// expansions across 512×512 cells of a game's map. Memory: 20 bytes for every portal that there
/// is room for, and 33 KiB for near goals.
///
/// # References
///
/// Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004. Buckets: Denardo
/// and Fox, "Shortest-Route Methods: 1. Reaching, Pruning, and Buckets", 1979.
#[derive(Clone, Debug, Default)]
pub struct PortalSearch {
    /// For each portal the least known cost to come through it,
    /// [`COST_MAX`](crate::rules::COST_MAX) if none is and 0 once it was expanded.
    pub(crate) costs: Vec<u32>,
    /// How the portals that were come to are.
    pub(crate) nodes: Vec<PortalNode>,
    /// Their numbers.
    pub(crate) touched: Vec<u32>,
    pub(crate) queue: BucketQueue<u32>,
    /// From the start to the gates of its cluster, and from those of the goal's to it.
    pub(crate) from_start: Vec<u32>,
    pub(crate) to_goal: Vec<u32>,
    pub(crate) passages: Vec<u32>,
    /// The stops of a section of the path, and the section itself.
    pub(crate) stops: Vec<Cell>,
    pub(crate) segment_path: SegmentPath,
    pub(crate) refinement: Refinement,
    pub(crate) route: Vec<Cell>,
    pub(crate) wave: ClusterWave,
    pub(crate) direct: DirectSegments,
    pub(crate) pull: StringPull,
    pub(crate) near: BoundedAStar,
    pub(crate) under_way: PendingSearch<PortalCheckpoint>,
}

impl PortalSearch {
    /// A search without memory yet.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Search for PortalSearch {
    const METHOD: Method = Method::Portal;
    const SUPPORT: Support = Support {
        costs: false,
        bodies: false,
        last_steps: false,
        ..Support::ALL
    };

    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        self.run_through(terrain, query, path)
    }
}

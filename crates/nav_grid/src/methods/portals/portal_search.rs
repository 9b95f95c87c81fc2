//! The search method: its memory, and the order of its stages.

use super::{
    portal_task::{
        PortalCheckpoint, PortalEnd, PortalNode, PortalStage, PortalTask, Refinement, WorkSlice,
    },
    pull::{SegmentPath, StringPull},
};
use crate::{
    cell::Cell,
    index::portals::{ClusterWave, DirectSegments, NONE},
    map::Grid,
    methods::astar::BoundedAStar,
    path::Path,
    query::{
        Fallback, Feature, Method, Outcome, PathQuery, PendingSearch, Progress, Resumable,
        SliceResult, Sliced, Status, Support, Terrain, index_for,
    },
    queues::BucketQueue,
    rules::Cost,
};

/// A* over the [portals](crate::index::PortalGraph) of a map, for one walker and a far goal.
///
/// Finds a path if there is one. On open ground it is a cheapest one. Otherwise it is near that:
/// on most maps within 1 % on average and 15 % at worst. Paths cross portals at their middle
/// cells, and an estimate that is a twelfth too high keeps the search short. Afterwards the path
/// between portals is pulled tight, except where there are exits or step costs.
///
/// For near goals, detours to the middles of portals would be long in proportion. So if no path
/// cheaper than the path found, links aside, can lead further than 32 columns or rows from the
/// start, [`BoundedAStar`] searches for one with the expansions left. Such paths are cheapest
/// ones, too.
///
/// Serves every metric, footprint and corner rule that [portals](crate::IndexedMap::build_portals)
/// were built for, step costs, exits, floors and links. Refuses walkers that bodies may block. The
/// window must hold the whole map, as
/// [`Limits::UNBOUNDED`](crate::Limits::UNBOUNDED) does. Other windows are refused with
/// [`Feature::Window`]. The heuristic of the query does not matter.
///
/// Searches can be [cut into slices](crate::query::Sliced). A slice ends before the expansion of a
/// portal or a cell, or before a direct segment of the path, which count alike. After the last
/// portal some dozens of direct segments are laid and pulled tight. The first slice also measures
/// the gates around start and goal, which takes as long as some ten expansions.
/// [`Counters::expanded`](crate::query::Counters::expanded) counts portals, and for near goals
/// cells. The limit on expansions bounds their sum.
///
/// A path that stops [short of the goal](Fallback::ClosestReached) leads to the expanded portal
/// nearest to the goal, of several to that of the first cluster. There is no such path if the start
/// is as near.
///
/// The open list holds sums of cost and guess in buckets a straight step wide, rounded down to a
/// power of two. In a bucket, the last portal pushed comes first. Gates of a cluster are visited
/// in the order of the clusters that own them, then along their borders.
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
    /// By portal: the least known cost of passing it, [`COST_MAX`](crate::rules::COST_MAX) if
    /// unknown, and 0 once it was expanded.
    pub(crate) costs: Vec<u32>,
    /// By portal that was reached: the way to it.
    pub(crate) nodes: Vec<PortalNode>,
    /// The numbers of the portals that were reached.
    pub(crate) touched: Vec<u32>,
    pub(crate) queue: BucketQueue<u32>,
    /// The costs from the start to the gates of its cluster, and from the gates of the cluster of
    /// the goal to the goal.
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
    near: BoundedAStar,
    under_way: PendingSearch<PortalCheckpoint>,
}

const SUPPORT: Support = Support {
    bodies: false,
    ..Support::ALL
};

search_method!(PortalSearch, Portal, SUPPORT);

impl Resumable for PortalSearch {
    pending_search!(PortalCheckpoint);

    fn work_at(&self, run: &PortalCheckpoint) -> u32 {
        // Before that stage, `near` may hold a search of another query.
        let near = match run.stage {
            PortalStage::Near(_) => self.near.work(),
            _ => 0,
        };
        run.counters.work() + near
    }

    fn run(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        checkpoint: Option<PortalCheckpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<PortalCheckpoint> {
        let grid = terrain.grid;
        let prepared = index_for::<Self, _>(terrain, query, |_| terrain.portals(query.rules));
        let portals = match prepared {
            Ok(portals) if window_holds_map(grid, query) => portals,
            Ok(_) => {
                let refused = Outcome::unsupported(Method::Portal, Feature::Window);
                return SliceResult::Done(refused);
            }
            Err(outcome) => return SliceResult::Done(outcome),
        };
        // The portals can have been built again meanwhile, or be those of another map with the
        // same version and size.
        let checkpoint = checkpoint.filter(|run| run.numbering == portals.numbering);
        let mut run = checkpoint.unwrap_or_else(|| PortalCheckpoint::new(portals));
        let mut slice = WorkSlice::of(slice);
        let task = PortalTask::new(grid, portals, query);
        let outcome = self.advance(&task, &mut run, &mut slice, path);
        run.counters.scanned = run.counters.scanned.saturating_add(slice.scanned());
        match outcome {
            Some(mut outcome) => {
                outcome.counters.scanned = run.counters.scanned;
                SliceResult::Done(outcome)
            }
            None => SliceResult::Paused(run),
        }
    }
}

/// Whether the window of a query holds the whole map.
fn window_holds_map(grid: &Grid, query: &PathQuery) -> bool {
    let (start, last) = (query.start, Cell::new(grid.width() - 1, grid.height() - 1));
    [Cell::new(0, 0), last]
        .iter()
        .all(|&corner| query.limits.window_holds(start, corner))
}

impl PortalSearch {
    /// Continues a search. Returns `None` if the slice ends first.
    fn advance(
        &mut self,
        task: &PortalTask<'_>,
        run: &mut PortalCheckpoint,
        slice: &mut WorkSlice,
        path: &mut Path,
    ) -> Option<Outcome> {
        loop {
            match run.stage {
                PortalStage::SetOut => {
                    run.stage = PortalStage::Gates;
                    if let Some(end) = self.set_out(task, run, slice) {
                        run.stage = self.conclude(task, run, end);
                    }
                }
                PortalStage::Gates => {
                    let end = self.expand_gates(task, run, slice)?;
                    run.stage = self.conclude(task, run, end);
                }
                PortalStage::Lay(status) => {
                    let goal = Some(task.query.goal).filter(|_| status == Status::Found);
                    let cost = self.refine(task, goal, slice)?;
                    let nearby = goal.and_then(|_| task.cheaper_than(cost, &run.counters));
                    run.stage = PortalStage::Laid(status, cost);
                    if let Some(query) = nearby {
                        self.near.begin(task.grid, &query);
                        run.stage = PortalStage::Near(cost);
                    }
                }
                PortalStage::Near(cost) => {
                    if slice.left() == 0 {
                        return None;
                    }
                    match self.near.resume(task.grid, slice.left(), path) {
                        Progress::Suspended => return None,
                        Progress::Done(mut found) => {
                            run.counters.add(&found.counters);
                            found.method = Method::Portal;
                            if found.status == Status::Found {
                                return Some(found.with_counters(run.counters));
                            }
                        }
                        // Never stale: the search over portals is checked for edits first.
                        _ => {}
                    }
                    run.stage = PortalStage::Laid(Status::Found, cost);
                }
                PortalStage::Laid(status, cost) => {
                    let answer = self.hand_out(task, (status, cost), path);
                    return Some(answer.with_counters(run.counters));
                }
            }
        }
    }

    /// The answer for a laid route of a status and a cost, with its path.
    fn hand_out(
        &self,
        task: &PortalTask<'_>,
        (status, cost): (Status, u64),
        path: &mut Path,
    ) -> Outcome {
        if !status.has_path() {
            return Outcome::new(Method::Portal, status);
        }
        if cost > u64::from(task.query.limits.cost_max()) {
            return Outcome::new(Method::Portal, Status::BudgetSpent);
        }
        path.prepend_all(self.route.iter().rev().copied());
        Outcome::new(Method::Portal, status).with_cost(cost as Cost)
    }

    /// The stage after the last portal: laying the path, or the answer if there is none.
    fn conclude(
        &mut self,
        task: &PortalTask<'_>,
        run: &PortalCheckpoint,
        (stopped, last): PortalEnd,
    ) -> PortalStage {
        let wants_closest = task.query.fallback == Fallback::ClosestReached;
        let comes_nearer = last != NONE && run.nearest.0 < task.distance(task.query.start);
        let status = match stopped {
            None => Status::Found,
            Some(stopped) if wants_closest && comes_nearer => Status::Partial(stopped),
            Some(stopped) => return PortalStage::Laid(stopped.into(), 0),
        };
        self.start_to_refine(task, last);
        PortalStage::Lay(status)
    }
}

//! The search from portal to portal: what it keeps, and the order of its parts.

use super::{
    graph::{NONE, Portals},
    leg::{Legs, Open},
    pull::{Course, Pull},
    refine::Laying,
    wave::Wave,
};
use crate::{
    BoundedAStar, Cell, Cost, Counters, Fallback, Feature, Grid, Method, Outcome, Path, Progress,
    Query, Search, Sliced, Status, Stopped, Support, Terrain,
    search::{Buckets, InSlices, Slot, chart},
};

/// A* over the [portals](Portals) of a map, for one walker and a far goal.
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
/// Serves every metric, footprint and corner rule that the [`Charts`](crate::Charts) hold portals
/// for, exits, floors and links, and refuses maps with step costs and walkers that mind bodies.
/// The window must hold the whole map, as [`Limits::UNBOUNDED`](crate::Limits::UNBOUNDED) does: any
/// other one is refused with [`Feature::Window`]. The query's heuristic does not count.
///
/// Searches can be [cut into slices](Sliced). A slice ends before a portal or a cell that is
/// expanded or before a leg of the path, which count alike: after the last portal some dozens of
/// legs are laid and pulled tight. The first slice also looks around start and goal, which takes
/// as long as some ten expansions.
/// [`Counters::expanded`] counts portals, and where the goal is near cells, too; the limit on
/// expansions is one on both together. A path
/// that stops [short of the goal](Fallback::ClosestReached) leads to the expanded portal from
/// which the distance to the goal is least, of several the one of the least number.
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
pub struct PortalPath {
    /// For each portal the least known cost to come through it, [`COST_MAX`] if none is and
    /// 0 once it was expanded.
    pub(super) costs: Vec<u32>,
    /// How the portals that were come to are.
    pub(super) nodes: Vec<Node>,
    /// Their numbers.
    pub(super) touched: Vec<u32>,
    pub(super) queue: Buckets<u32>,
    /// From the start to the gates of its cluster, and from those of the goal's to it.
    pub(super) from_start: Vec<u32>,
    pub(super) to_goal: Vec<u32>,
    pub(super) passages: Vec<u32>,
    /// The stops of a section of the path, and the section itself.
    pub(super) stops: Vec<Cell>,
    pub(super) course: Course,
    pub(super) laying: Laying,
    pub(super) route: Vec<Cell>,
    pub(super) wave: Wave,
    pub(super) legs: Legs,
    pub(super) pull: Pull,
    pub(super) near: BoundedAStar,
    pub(super) under_way: Slot<Run>,
}

/// How a portal is come to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    pub(super) cost: u32,
    /// The passage that leads there.
    pub(super) passage: u32,
    /// The passage before it, or [`NONE`].
    pub(super) parent: u32,
}

impl PortalPath {
    /// A search without memory yet.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Search for PortalPath {
    const METHOD: Method = Method::Portal;
    const SUPPORT: Support = Support {
        costs: false,
        bodies: false,
        ..Support::ALL
    };

    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &Query,
        path: &mut Path,
    ) -> Outcome {
        self.run_through(terrain, query, path)
    }
}

/// Whether the window of a query holds the whole map.
fn covers(grid: &Grid, query: &Query) -> bool {
    let Cell { x, y, .. } = query.start;
    let far = [x, grid.width() - 1 - x, y, grid.height() - 1 - y];
    far.into_iter().all(|far| far <= query.limits.radius)
}

/// The highest guess that is not too high for a map with links that are cheaper than the
/// distance: the cheapest way over the last of them.
fn guess_max(grid: &Grid, portals: &Portals, query: &Query) -> u32 {
    let open = portals.open(None);
    let cost = |link: &crate::Link| {
        let cost = u32::from(link.cost) * open.straight;
        cost + open.distance(link.to, query.goal)
    };
    grid.shortcuts().iter().map(cost).min().unwrap_or(u32::MAX)
}

/// One query, with what follows from it at once.
pub(super) struct Task<'a> {
    pub(super) grid: &'a Grid,
    pub(super) portals: &'a Portals,
    pub(super) open: Open<'a>,
    pub(super) query: &'a Query,
    pub(super) guess_max: u32,
}

impl<'a> Task<'a> {
    /// Or the answer, if there is one without a search.
    pub(super) fn new(terrain: Terrain<'a>, query: &'a Query) -> Result<Self, Outcome> {
        let grid = terrain.grid;
        let portals = chart::<PortalPath, _>(terrain, query, |charts| {
            let portals = charts.portals.as_ref();
            portals.filter(|portals| portals.serves(grid, query.rules))
        })?;
        if !covers(grid, query) {
            return Err(Outcome::unsupported(Method::Portal, Feature::Window));
        }
        Ok(Self {
            grid,
            portals,
            open: portals.open(Some(grid)),
            query,
            guess_max: guess_max(grid, portals, query),
        })
    }

    /// No way to the goal is cheaper.
    #[inline]
    pub(super) fn guess(&self, cell: Cell) -> u32 {
        self.open
            .distance(cell, self.query.goal)
            .min(self.guess_max)
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    stage: Stage,
    /// Of the portals that it goes by.
    numbering: u64,
    pub(super) counters: Counters,
    /// The cheapest known way to the goal, and its last passage.
    pub(super) best: u32,
    pub(super) best_end: u32,
    /// The least guess at an expanded passage, and the passage.
    pub(super) nearest: (u32, u32),
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    SetOut,
    Gates,
    /// The path is laid.
    Lay(Status),
    /// The path to the goal is laid, at this cost, and a cheaper one is looked for.
    Near(u64),
}

impl Run {
    pub(super) fn new(portals: &Portals) -> Self {
        Self {
            numbering: portals.numbering,
            stage: Stage::SetOut,
            counters: Counters::default(),
            best: NONE,
            best_end: NONE,
            nearest: (NONE, NONE),
        }
    }

    /// Whether it can go on by these portals. They may have been made anew meanwhile, or be those
    /// of another map with as many edits and cells.
    pub(super) fn goes_by(&self, portals: &Portals) -> bool {
        self.numbering == portals.numbering
    }
}

/// How much may be done before a search is put down: so many portals and legs.
#[derive(Debug)]
pub(super) struct Slice(u32);

impl Slice {
    /// At least one.
    pub(super) fn of(expansions: u32) -> Self {
        Self(expansions.max(1))
    }

    /// How many.
    pub(super) fn left(&self) -> u32 {
        self.0
    }

    /// Whether there is one more.
    #[inline]
    pub(super) fn take(&mut self) -> bool {
        let more = self.0 > 0;
        self.0 = self.0.saturating_sub(1);
        more
    }
}

/// How a search over portals ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// Through this passage, or [`NONE`] for none at all.
    Goal(u32),
    /// At the passage nearest to the goal, or [`NONE`] if that is the start.
    Nowhere(u32),
    Budget(u32),
}

impl PortalPath {
    /// Goes on with a search; `None` if there is more to do.
    pub(super) fn advance(
        &mut self,
        task: &Task<'_>,
        run: &mut Run,
        slice: &mut Slice,
        path: &mut Path,
    ) -> Option<Outcome> {
        if let Stage::SetOut = run.stage {
            run.stage = Stage::Gates;
            if let Some(end) = self.set_out(task, run)
                && let Some(outcome) = self.conclude(task, run, end)
            {
                return Some(outcome);
            }
        }
        if let Stage::Gates = run.stage {
            let end = self.expand_gates(task, run, slice)?;
            if let Some(outcome) = self.conclude(task, run, end) {
                return Some(outcome);
            }
        }
        let (status, cost) = match run.stage {
            Stage::Lay(status) => {
                let goal = Some(task.query.goal).filter(|_| status == Status::Found);
                let cost = self.refine(task, goal, slice)?;
                if status == Status::Found
                    && let Some(query) = task.cheaper_than(cost, &run.counters)
                {
                    self.near.begin(task.grid, &query);
                    run.stage = Stage::Near(cost);
                }
                (status, cost)
            }
            Stage::Near(cost) => (Status::Found, cost),
            Stage::SetOut | Stage::Gates => return None,
        };
        if let Stage::Near(_) = run.stage {
            match self.look_near(task, run, slice, path) {
                Progress::Suspended => return None,
                Progress::Done(outcome) if outcome.status == Status::Found => return Some(outcome),
                _ => {}
            }
        }
        let counters = run.counters;
        if cost > u64::from(task.query.limits.cost_max()) {
            return Some(Outcome::without_path(
                Method::Portal,
                Status::BudgetSpent,
                counters,
            ));
        }
        for &cell in self.route.iter().rev() {
            path.prepend(cell);
        }
        Some(Outcome {
            status,
            cost: cost as Cost,
            counters,
            method: Method::Portal,
        })
    }

    /// Answers if there is no path to lay.
    fn conclude(&mut self, task: &Task<'_>, run: &mut Run, end: End) -> Option<Outcome> {
        let (status, last) = match end {
            End::Goal(last) => (Status::Found, last),
            End::Nowhere(last) => (Status::Unreachable, last),
            End::Budget(last) => (Status::BudgetSpent, last),
        };
        let status = match (status, task.query.fallback) {
            (Status::Found, _) => Status::Found,
            (status, Fallback::ClosestReached) if last != NONE => {
                Status::Partial(if status == Status::Unreachable {
                    Stopped::Unreachable
                } else {
                    Stopped::BudgetSpent
                })
            }
            (status, _) => {
                let counters = run.counters;
                return Some(Outcome::without_path(Method::Portal, status, counters));
            }
        };
        self.start_to_refine(task, last);
        run.stage = Stage::Lay(status);
        None
    }
}

//! One query over portals, its progress, and the budget of a slice.

use crate::{
    cell::Cell,
    index::{
        PortalGraph,
        portals::{ClusterWave, NONE, SIDE, SegmentGround},
    },
    map::Grid,
    query::{Counters, Fallback, Limits, PathQuery, Status, Stopped},
    rules::{Cost, Estimate, Heuristic},
};

/// The radius around the start in which cheaper paths are searched: the side of a cluster. A
/// guess: detours to portals are up to about as long.
const NEAR_RADIUS: u16 = SIDE;

/// Fronts of a wave in a cluster that count as a scan. A guess at the time they take.
const FRONTS_PER_SCAN: u32 = 4;

/// One query with the values that follow from it.
pub(crate) struct PortalTask<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) portals: &'a PortalGraph,
    pub(crate) open: SegmentGround<'a>,
    pub(crate) query: &'a PathQuery,
    /// No guess is higher.
    pub(crate) guess_max: u32,
    /// Whether links end at the goal by which the path may not end.
    needs_step: bool,
}

impl<'a> PortalTask<'a> {
    pub(crate) fn new(grid: &'a Grid, portals: &'a PortalGraph, query: &'a PathQuery) -> Self {
        let open = portals.open(grid);
        // On a map with links that are cheaper than the distance: the cheapest way over the last
        // of them.
        let links = grid.links.shortcuts.iter().map(|link| {
            u32::from(link.cost) * open.straight() + open.distance(link.to, query.goal)
        });
        let guess_max = links.min().unwrap_or(u32::MAX);
        Self {
            grid,
            portals,
            open,
            query,
            guess_max,
            needs_step: query.ends_with_step && !grid.links_to(query.goal).is_empty(),
        }
    }

    /// Whether a passage is a link by which the path may not end.
    #[inline]
    pub(crate) fn is_barred(&self, passage: u32) -> bool {
        self.needs_step && self.portals.link_end(passage) == Some(self.query.goal)
    }

    /// A lower bound of the cost to the goal.
    #[inline]
    pub(crate) fn guess(&self, cell: Cell) -> u32 {
        self.open
            .distance(cell, self.query.goal)
            .min(self.guess_max)
    }

    /// The cost to the goal on open ground, without links. By the metric of the query, which may
    /// be finer than that of the portals: it decides which place is nearest.
    pub(crate) fn distance(&self, cell: Cell) -> Cost {
        Estimate::exact(self.query.rules.metric).between(cell, self.query.goal)
    }

    /// The query for paths that are cheaper than the path found at this cost. `None` if no path
    /// can be cheaper, or if a cheaper one can leave [`NEAR_RADIUS`].
    ///
    /// A path that goes `r` columns or rows away and ends at a goal at distance `d` takes at least
    /// `r + (r - d)` steps.
    pub(crate) fn cheaper_than(&self, cost: u64, counters: &Counters) -> Option<PathQuery> {
        let (start, goal) = (self.query.start, self.query.goal);
        let (limits, metric) = (self.query.limits, self.query.rules.metric);
        let steps = cost / u64::from(metric.straight());
        let farthest = steps.midpoint(start.chebyshev(goal).into());
        let least = metric.open_ground(start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
        (farthest <= u64::from(NEAR_RADIUS) && cost > u64::from(least)).then(|| PathQuery {
            heuristic: Heuristic::OpenGround,
            fallback: Fallback::None,
            limits: Limits {
                radius: NEAR_RADIUS,
                expansions: limits.expansions.saturating_sub(counters.expanded),
                cost: limits.cost.min(cost as Cost - 1),
            },
            ..*self.query
        })
    }
}

/// The way by which a portal is reached.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PortalNode {
    pub(crate) cost: u32,
    /// The passage that leads there.
    pub(crate) passage: u32,
    /// The passage before it, or [`NONE`].
    pub(crate) parent: u32,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortalCheckpoint {
    pub(crate) stage: PortalStage,
    /// The numbering of the portals in use.
    pub(crate) numbering: u64,
    pub(crate) counters: Counters,
    /// The cost of the cheapest known path to the goal, and its last passage.
    pub(crate) best: u32,
    pub(crate) best_end: u32,
    /// The least guess at an expanded passage, the cluster and the gate of its end, and the
    /// passage.
    pub(crate) nearest: (u32, (u32, usize), u32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum PortalStage {
    /// Measures the gates around start and goal.
    SetOut,
    /// Expands portals.
    Gates,
    /// Lays the path, for an answer with this status.
    Lay(Status),
    /// Searches near the start for a path cheaper than the path to the goal, at this cost.
    Near(u64),
    /// The path of this status and cost is the answer.
    Laid(Status, u64),
}

impl PortalCheckpoint {
    pub(crate) fn new(portals: &PortalGraph) -> Self {
        Self {
            numbering: portals.numbering,
            stage: PortalStage::SetOut,
            counters: Counters::NONE,
            best: NONE,
            best_end: NONE,
            nearest: (NONE, (NONE, 0), NONE),
        }
    }
}

/// How a search over portals ended: why it stopped short of the goal, or `None` at the goal; and
/// the last passage of the path, or [`NONE`] without passages.
pub(crate) type PortalEnd = (Option<Stopped>, u32);

/// The progress of laying a path.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Refinement {
    pub(crate) stage: RefineStage,
    /// The cost of the sections that are done.
    pub(crate) cost: u64,
    /// The link at the end of the section.
    pub(crate) link: Option<(Cell, Cell)>,
    /// The stop that the section leads to so far.
    pub(crate) at: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum RefineStage {
    /// Begins a section.
    #[default]
    Section,
    Segments,
    Bends,
    Skips,
    /// Ends a section.
    Done,
}

/// The budget of a slice: a number of portals and scans before the search pauses.
#[derive(Debug)]
pub(crate) struct WorkSlice {
    left: u32,
    scanned: u32,
}

impl WorkSlice {
    /// A budget of `work`, at least one.
    pub(crate) fn of(work: u32) -> Self {
        Self {
            left: work.max(1),
            scanned: 0,
        }
    }

    /// The work left.
    pub(crate) fn left(&self) -> u32 {
        self.left
    }

    /// The scans so far.
    pub(crate) fn scanned(&self) -> u32 {
        self.scanned
    }

    /// Spends an expansion. Returns `false` if none was left.
    #[inline]
    pub(crate) fn take(&mut self) -> bool {
        let more = self.left > 0;
        self.left = self.left.saturating_sub(1);
        more
    }

    /// Spends a scan. Returns `false` if none was left.
    #[inline]
    pub(crate) fn take_scan(&mut self) -> bool {
        let more = self.take();
        self.scanned += u32::from(more);
        more
    }

    /// Counts `count` scans that were made, even if fewer were left.
    #[inline]
    pub(crate) fn scan(&mut self, count: u32) {
        self.left = self.left.saturating_sub(count);
        self.scanned = self.scanned.saturating_add(count);
    }

    /// Counts the fronts of a wave.
    pub(crate) fn scan_wave(&mut self, wave: &mut ClusterWave) {
        self.scan(wave.take_fronts() / FRONTS_PER_SCAN);
    }
}

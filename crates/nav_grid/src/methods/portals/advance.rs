//! The search from portal to portal, in slices.

use super::{
    search::PortalSearch,
    task::{PortalCheckpoint, PortalEnd, PortalStage, PortalTask},
    work_slice::WorkSlice,
};
use crate::{
    cell::Cell,
    index::{PortalGraph, portals::NONE},
    map::{Grid, Link},
    path::Path,
    query::{
        Counters, Fallback, Feature, Method, Outcome, PathQuery, PendingSearch, Progress,
        Resumable, SliceResult, Sliced, Status, Stopped, Terrain, index_for,
    },
    rules::Cost,
};

impl Resumable for PortalSearch {
    type Checkpoint = PortalCheckpoint;

    fn pending(&self) -> &PendingSearch<PortalCheckpoint> {
        &self.under_way
    }

    fn pending_mut(&mut self) -> &mut PendingSearch<PortalCheckpoint> {
        &mut self.under_way
    }

    fn work_at(&self, run: &PortalCheckpoint) -> u32 {
        // Before that stage a search may be left over from another query.
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
        let task = match PortalTask::new(terrain, query) {
            Ok(task) => task,
            Err(outcome) => return SliceResult::Done(outcome),
        };
        let checkpoint = checkpoint.filter(|run| run.goes_by(task.portals));
        let mut run = checkpoint.unwrap_or_else(|| PortalCheckpoint::new(task.portals));
        let mut slice = WorkSlice::of(slice);
        let outcome = self.advance(&task, &mut run, &mut slice, path);
        run.counters.scanned = run.counters.scanned.saturating_add(slice.scanned());
        let with_scans = |outcome: Outcome| Outcome {
            counters: Counters {
                scanned: run.counters.scanned,
                ..outcome.counters
            },
            ..outcome
        };
        outcome.map_or(SliceResult::Paused(run), |outcome| {
            SliceResult::Done(with_scans(outcome))
        })
    }
}

/// Whether the window of a query holds the whole map.
fn covers(grid: &Grid, query: &PathQuery) -> bool {
    let Cell { x, y, .. } = query.start;
    let far = [x, grid.width() - 1 - x, y, grid.height() - 1 - y];
    far.into_iter().all(|far| far <= query.limits.radius)
}

/// The highest guess that is not too high for a map with links that are cheaper than the
/// distance: the cheapest way over the last of them.
fn guess_max(grid: &Grid, portals: &PortalGraph, query: &PathQuery) -> u32 {
    let open = portals.open(None);
    let cost = |link: &Link| {
        let cost = u32::from(link.cost) * open.straight;
        cost + open.distance(link.to, query.goal)
    };
    grid.shortcuts().iter().map(cost).min().unwrap_or(u32::MAX)
}

impl<'a> PortalTask<'a> {
    /// Or the answer, if there is one without a search.
    pub(crate) fn new(terrain: Terrain<'a>, query: &'a PathQuery) -> Result<Self, Outcome> {
        let grid = terrain.grid;
        let portals = index_for::<PortalSearch, _>(terrain, query, |indexes| {
            let portals = indexes.portals.as_ref();
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
}

impl PortalSearch {
    /// Goes on with a search; `None` if there is more to do.
    pub(crate) fn advance(
        &mut self,
        task: &PortalTask<'_>,
        run: &mut PortalCheckpoint,
        slice: &mut WorkSlice,
        path: &mut Path,
    ) -> Option<Outcome> {
        if let PortalStage::SetOut = run.stage {
            run.stage = PortalStage::Gates;
            if let Some(end) = self.set_out(task, run, slice)
                && let Some(outcome) = self.conclude(task, run, end)
            {
                return Some(outcome);
            }
        }
        if let PortalStage::Gates = run.stage {
            let end = self.expand_gates(task, run, slice)?;
            if let Some(outcome) = self.conclude(task, run, end) {
                return Some(outcome);
            }
        }
        let (status, cost) = match run.stage {
            PortalStage::Lay(status) => {
                let goal = Some(task.query.goal).filter(|_| status == Status::Found);
                let cost = self.refine(task, goal, slice)?;
                if status == Status::Found
                    && let Some(query) = task.cheaper_than(cost, &run.counters)
                {
                    self.near.begin(task.grid, &query);
                    run.stage = PortalStage::Near(cost);
                }
                (status, cost)
            }
            PortalStage::Near(cost) => (Status::Found, cost),
            PortalStage::SetOut | PortalStage::Gates => return None,
        };
        if let PortalStage::Near(_) = run.stage {
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
    fn conclude(
        &mut self,
        task: &PortalTask<'_>,
        run: &mut PortalCheckpoint,
        end: PortalEnd,
    ) -> Option<Outcome> {
        let (status, last) = match end {
            PortalEnd::Goal(last) => (Status::Found, last),
            PortalEnd::Nowhere(last) => (Status::Unreachable, last),
            PortalEnd::Budget(last) => (Status::BudgetSpent, last),
        };
        let comes_nearer = run.nearest.0 < task.distance(task.query.start);
        let status = match (status, task.query.fallback) {
            (Status::Found, _) => Status::Found,
            (status, Fallback::ClosestReached) if last != NONE && comes_nearer => {
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
        run.stage = PortalStage::Lay(status);
        None
    }
}

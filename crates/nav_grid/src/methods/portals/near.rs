//! Near goals: where ways from portal to portal may be long ones for what they are.

use super::{
    search::PortalSearch,
    task::{PortalCheckpoint, PortalTask},
    work_slice::WorkSlice,
};
use crate::{
    index::portals::SIDE,
    path::Path,
    query::{Counters, Fallback, Limits, Method, Outcome, PathQuery, Progress, Sliced},
    rules::{Cost, Heuristic},
};

/// How far around the start cheaper paths are looked for.
const RADIUS: u16 = SIDE;

impl PortalTask<'_> {
    /// What to ask about paths that are cheaper than the one that was found, at this cost: nothing
    /// if none is, or if one may lead too far away.
    ///
    /// Whoever goes `r` columns or rows away and comes to a goal that is `d` away takes at least
    /// `r + (r - d)` steps.
    pub(crate) fn cheaper_than(&self, cost: u64, counters: &Counters) -> Option<PathQuery> {
        let PathQuery {
            start,
            goal,
            rules,
            limits,
            ..
        } = *self.query;
        let steps = cost / u64::from(rules.metric.straight());
        let farthest = steps.midpoint(start.chebyshev(goal).into());
        let (dx, dy) = (start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
        let least = rules.metric.open_ground(dx, dy);
        (farthest <= u64::from(RADIUS) && cost > u64::from(least)).then(|| PathQuery {
            heuristic: Heuristic::OpenGround,
            fallback: Fallback::None,
            limits: Limits {
                radius: RADIUS,
                expansions: limits.expansions.saturating_sub(counters.expanded),
                cost: limits.cost.min(cost as Cost - 1),
            },
            ..*self.query
        })
    }
}

impl PortalSearch {
    /// Looks for a cheaper path. If that is done, the answer may be that there is none.
    pub(crate) fn look_near(
        &mut self,
        task: &PortalTask<'_>,
        run: &mut PortalCheckpoint,
        slice: &WorkSlice,
        path: &mut Path,
    ) -> Progress {
        let left = slice.left();
        if left == 0 {
            return Progress::Suspended;
        }
        let progress = self.near.resume(task.grid, left, path);
        let Progress::Done(outcome) = progress else {
            return progress;
        };
        run.counters.add(&outcome.counters);
        Progress::Done(Outcome {
            counters: run.counters,
            method: Method::Portal,
            ..outcome
        })
    }
}

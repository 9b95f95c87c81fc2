//! Where a search of the planner was paused, and what a share of its work comes to.

use crate::{
    cell::Cell,
    query::{Fallback, Method, Outcome, PathQuery, SliceResult, Status, Stopped},
};

/// Where a search was paused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannerCheckpoint {
    /// The method that goes on; [`Method::Line`] is the walk that comes before a choice.
    pub(super) method: Method,
    /// A goal in place of that of the query.
    pub(super) substitute: Option<Cell>,
    /// What was scanned before the method began.
    pub(super) scanned: u32,
}

impl PlannerCheckpoint {
    pub(super) const fn of(method: Method) -> Self {
        Self {
            method,
            substitute: None,
            scanned: 0,
        }
    }

    /// The query to the goal that is gone to.
    pub(super) fn query(&self, query: &PathQuery) -> PathQuery {
        let query = match query.fallback {
            Fallback::NearestReachable { .. } => query.with_fallback(Fallback::ClosestReached),
            _ => *query,
        };
        let goal = self.substitute.unwrap_or(query.goal);
        PathQuery { goal, ..query }
    }

    /// What comes of a share of the work that followed this.
    pub(super) fn after(self, share: SliceResult<Self>) -> SliceResult<Self> {
        match share {
            SliceResult::Done(mut outcome) => {
                outcome.counters.scanned += self.scanned;
                SliceResult::Done(match self.substitute {
                    Some(_) => of_substitute(outcome),
                    None => outcome,
                })
            }
            SliceResult::Paused(there) => SliceResult::Paused(Self {
                scanned: there.scanned + self.scanned,
                substitute: self.substitute,
                ..there
            }),
        }
    }
}

/// What an answer to a substitute says about the goal.
fn of_substitute(outcome: Outcome) -> Outcome {
    let status = match outcome.status {
        Status::Found => Status::Partial(Stopped::Unreachable),
        Status::AlreadyThere => Status::Unreachable,
        other => other,
    };
    Outcome { status, ..outcome }
}

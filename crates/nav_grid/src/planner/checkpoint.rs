//! How far a planned search is, and how much of it to do.

use crate::{
    cell::Cell,
    path::Path,
    query::{
        Fallback, Method, Outcome, PathQuery, Progress, SliceResult, Sliced, Status, Stopped,
        Terrain,
    },
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

    /// The query to the goal that is gone to: a substitute is stood on, so that a link may lead there.
    pub(super) fn query(&self, query: &PathQuery) -> PathQuery {
        let query = match query.fallback {
            Fallback::NearestReachable { .. } => query.with_fallback(Fallback::ClosestReached),
            _ => *query,
        };
        match self.substitute {
            Some(goal) => PathQuery { goal, ..query }.with_last_step(false),
            None => query,
        }
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

/// How much of a search to do.
#[derive(Clone, Copy, Debug)]
pub(super) enum WorkShare {
    /// All of it.
    All,
    /// The first so much.
    First(u32),
    /// So much more.
    Next(u32),
}

impl WorkShare {
    pub(super) fn of<S: Sliced>(
        self,
        search: &mut S,
        terrain: Terrain<'_>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Progress {
        match self {
            Self::All => Progress::Done(search.search(terrain, query, path)),
            Self::First(work) => {
                search.begin(terrain, query);
                search.resume(terrain, work, path)
            }
            Self::Next(work) => search.resume(terrain, work, path),
        }
    }

    /// What is left of it after so much.
    pub(super) fn less(self, work: u32) -> Self {
        match self {
            Self::All => self,
            Self::First(share) => Self::First(share.saturating_sub(work)),
            Self::Next(share) => Self::Next(share.saturating_sub(work)),
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

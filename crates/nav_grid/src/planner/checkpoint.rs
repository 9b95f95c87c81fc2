//! The progress of a planned search, and the share of it to do.

use crate::{
    cell::Cell,
    path::Path,
    query::{
        Counters, Fallback, Method, Outcome, PathQuery, Progress, SliceResult, Sliced, Status,
        Stopped, Terrain,
    },
};

/// The progress of a paused search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannerCheckpoint {
    /// The method to continue. [`Method::Line`] is also the walk before a choice.
    pub(super) method: Method,
    /// A goal in place of that of the query.
    pub(super) substitute: Option<Cell>,
    /// The work before the method began.
    pub(super) before: Counters,
}

impl PlannerCheckpoint {
    pub(super) const fn of(method: Method) -> Self {
        Self {
            method,
            substitute: None,
            before: Counters::NONE,
        }
    }

    /// The query that is searched for, with the expansions that are left: to the substitute, if
    /// there is one. The walker stops on a substitute, so that a link may lead there.
    pub(super) fn query(&self, query: &PathQuery) -> PathQuery {
        let mut query = *query;
        let left = query.limits.expansions.saturating_sub(self.before.expanded);
        query.limits.expansions = left;
        match self.substitute {
            Some(goal) => PathQuery { goal, ..query }
                .with_last_step(false)
                .with_fallback(Fallback::ClosestReached),
            None => query,
        }
    }

    /// The result of a share of work after this checkpoint, with the work and the substitute of
    /// this checkpoint.
    pub(super) fn and_then(self, share: SliceResult<Self>) -> SliceResult<Self> {
        match share {
            SliceResult::Done(mut outcome) => {
                outcome.counters.add(&self.before);
                outcome.status = match outcome.status {
                    Status::Found if self.substitute.is_some() => {
                        Status::Partial(Stopped::Unreachable)
                    }
                    Status::AlreadyThere if self.substitute.is_some() => Status::Unreachable,
                    status => status,
                };
                SliceResult::Done(outcome)
            }
            SliceResult::Paused(mut there) => {
                there.before.add(&self.before);
                there.substitute = self.substitute;
                SliceResult::Paused(there)
            }
        }
    }
}

/// A share of the work of a search.
#[derive(Clone, Copy, Debug)]
pub(super) enum WorkShare {
    /// The whole search.
    All,
    /// The first slice, of this much work.
    First(u32),
    /// A later slice, of this much work.
    Next(u32),
}

/// A query on a terrain, and the share of the work to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueryShare<'a> {
    pub(super) terrain: Terrain<'a>,
    pub(super) query: &'a PathQuery,
    pub(super) share: WorkShare,
}

impl QueryShare<'_> {
    pub(super) fn run<S: Sliced>(self, search: &mut S, path: &mut Path) -> Progress {
        match self.share {
            WorkShare::All => Progress::Done(search.search(self.terrain, self.query, path)),
            WorkShare::First(work) => {
                search.begin(self.terrain, self.query);
                search.resume(self.terrain, work, path)
            }
            WorkShare::Next(work) => search.resume(self.terrain, work, path),
        }
    }

    /// The share that is left for the next method after `work`.
    pub(super) fn less(self, work: u32) -> Self {
        let share = match self.share {
            WorkShare::All => WorkShare::All,
            WorkShare::First(share) | WorkShare::Next(share) => {
                WorkShare::First(share.saturating_sub(work))
            }
        };
        Self { share, ..self }
    }

    /// An answer without a search.
    pub(super) fn at_once(status: Status) -> SliceResult<PlannerCheckpoint> {
        SliceResult::Done(Outcome::new(Method::Auto, status))
    }
}

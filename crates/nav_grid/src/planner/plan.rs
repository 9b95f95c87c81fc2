//! The plan of a search: the method that runs, those after it, and the share of the work to do.

use crate::{
    cell::Cell,
    path::Path,
    query::{
        Counters, Fallback, Fault, Method, Outcome, PathQuery, Progress, QueryEnd, Sliced, Status,
        Stopped, Terrain,
    },
};

/// The plan for a query: the method that runs now, and what comes after it. The checkpoint of a
/// paused search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The method that runs. [`Method::Line`] is also the walk before a choice.
    pub(super) method: Method,
    /// The methods to try after it if it does not serve the query, in order.
    pub(super) others: &'static [Method],
    /// A goal in place of that of the query.
    pub(super) substitute: Option<Cell>,
    /// The work before the method began.
    pub(super) before: Counters,
}

impl Plan {
    pub(super) const fn of(method: Method) -> Self {
        Self {
            method,
            others: &[],
            substitute: None,
            before: Counters::NONE,
        }
    }

    /// The plan that goes on with the first of some methods that serves the query.
    pub(super) const fn first_of(self, methods: &'static [Method]) -> Self {
        match methods {
            [] => self,
            [method, others @ ..] => Self {
                method: *method,
                others,
                ..self
            },
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

    /// Whether a method's answer is short of what it cannot do: to leave a wall, or to find the end
    /// of a path that falls short.
    pub(super) fn is_missed(outcome: &Outcome, fallback: Fallback) -> bool {
        let method = outcome.method;
        match outcome.status {
            Status::Invalid(QueryEnd::Start, Fault::Blocked) => method != Method::AStar,
            _ if fallback == Fallback::None => false,
            Status::Unreachable | Status::BudgetSpent => match method {
                Method::Line | Method::Sweep | Method::AStar => false,
                Method::Jps | Method::Portal => fallback != Fallback::ClosestReached,
                _ => true,
            },
            Status::TooFar | Status::Invalid(QueryEnd::Goal, Fault::Blocked) => {
                method != Method::Line
            }
            _ => false,
        }
    }

    /// The answer to the query, from that of the last method: with all work. A way to a substitute
    /// leads nearer at most.
    pub(super) fn end(&self, mut outcome: Outcome) -> Outcome {
        outcome.counters.add(&self.before);
        outcome.status = match outcome.status {
            Status::Found if self.substitute.is_some() => Status::Partial(Stopped::Unreachable),
            Status::AlreadyThere if self.substitute.is_some() => Status::Unreachable,
            status => status,
        };
        outcome
    }
}

/// A share of the work of a search.
#[derive(Clone, Copy, Debug)]
pub(super) enum Share {
    /// The whole search.
    All,
    /// The first slice, of this much work.
    First(u32),
    /// A later slice, of this much work.
    Next(u32),
}

impl Share {
    /// Runs a share of a search.
    pub(super) fn run<S: Sliced>(
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

    /// The share that is left for the next method after `work`.
    pub(super) const fn less(self, work: u32) -> Self {
        match self {
            Self::All => Self::All,
            Self::First(share) | Self::Next(share) => Self::First(share.saturating_sub(work)),
        }
    }
}

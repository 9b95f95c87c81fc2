//! Jobs for clients, requests that take work: walks, fields and paths, in one queue with a budget a
//! tick.

use crate::{
    connection::ClientId,
    messages::{FieldRequest, PathsRequest},
};
use nav_grid::Cell;
use std::{collections::VecDeque, mem::discriminant};

/// Work of jobs a tick, in expansions of searches: another job begins while less was done. A guess:
/// a millisecond, and on top of it what the last one takes, which is a search of up to 66,049
/// cells.
pub(crate) const WORK: u64 = 10_000;

/// A job.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Job {
    /// Sends the player of the client to a cell.
    Walk(Cell),
    /// Shows the field of an agent.
    Field(FieldRequest),
    /// Shows the paths of agents.
    Paths(PathsRequest),
}

/// Jobs that wait, the oldest first. A client has at most one of a kind: another one takes its
/// place, so that no client has two turns before each has one.
#[derive(Default)]
pub(crate) struct Jobs(VecDeque<(ClientId, Job)>);

impl Jobs {
    /// Adds the job of a client, or replaces the one of this kind.
    pub(crate) fn add(&mut self, id: ClientId, job: Job) {
        let mut waiting = self.0.iter_mut();
        let before = waiting.find(|(of, old)| *of == id && discriminant(old) == discriminant(&job));
        match before {
            Some((_, before)) => *before = job,
            None => self.0.push_back((id, job)),
        }
    }

    /// Removes the jobs of a client.
    pub(crate) fn forget(&mut self, id: ClientId) {
        self.0.retain(|(of, _)| *of != id);
    }

    /// Removes and returns the oldest job.
    pub(crate) fn next(&mut self) -> Option<(ClientId, Job)> {
        self.0.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_job_and_longest_wait() {
        let walk = |x| Job::Walk(Cell::new(x, 0));
        let mut jobs = Jobs::default();
        for link in 1..=4 {
            jobs.add(link, walk(0));
        }
        for x in 1..9 {
            jobs.add(1, walk(x));
        }
        jobs.forget(2);
        let order: Vec<_> = std::iter::from_fn(|| jobs.next()).collect();
        assert_eq!(order, [(1, walk(8)), (3, walk(0)), (4, walk(0))]);
    }
}

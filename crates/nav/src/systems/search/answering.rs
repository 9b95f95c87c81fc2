//! Answering requests within a share of the budget: first those with a known bound, in parallel.

use super::{
    long_search::LongSearch,
    params::{Asking, SearchParams},
    request::{PastStage, Request},
};
use crate::{
    NavMap,
    budget::WorkLeft,
    systems::{crowd::PastScratch, storage::threads::Threads},
};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Planner};

/// Searches from which on a task is worth it: near ones take about a microsecond each.
const TASK_SEARCHES_MIN: usize = Threads::least_of(1_000);

/// Scratch memory of the searches, one for each task.
#[derive(Resource, Default)]
pub(super) struct Planners {
    planners: Vec<Planner>,
    past: Vec<PastScratch>,
}

/// Searches past bodies that are answered together, before what they took shows. Four, since each
/// may take some ten thousand units: as many as a whole tick has beside other work.
const PAST_BATCH: usize = 4;

/// Answering the requests of a tick.
pub(super) struct Answering<'a, 'w, 's> {
    pub(super) left: WorkLeft,
    scratch: &'a mut Planners,
    pub(super) long: &'a mut LongSearch,
    pub(super) params: &'a SearchParams<'w, 's>,
    /// Those for which the search in slices is, if they walk on meanwhile.
    walkers: Option<&'a Query<'w, 's, Asking>>,
}

impl<'a, 'w, 's> Answering<'a, 'w, 's> {
    /// Answering for a share of the work, less what earlier ticks did beyond it.
    pub(super) fn new(
        work: u32,
        long: &'a mut LongSearch,
        walkers: Option<&'a Query<'w, 's, Asking>>,
        (params, scratch): (&'a SearchParams<'w, 's>, &'a mut Planners),
    ) -> Self {
        Self {
            left: WorkLeft::new(work, long.debt),
            scratch,
            long,
            params,
            walkers,
        }
    }

    /// Returns what is left of the share.
    pub(super) fn end(self) -> WorkLeft {
        self.long.debt = self.left.debt;
        self.left
    }

    /// Where the walker of the search in slices is by now.
    fn walker_at(&self) -> Option<Cell> {
        let request = self.long.under_way()?;
        match self.walkers {
            Some(chasers) => Some(chasers.get(request.asker).ok()?.position.cell),
            None => Some(request.query.start),
        }
    }

    /// Answers as many requests as the budget allows, those with the longest wait first.
    ///
    /// Requests whose work is bounded by their window get half of the budget first, and what the
    /// others leave. Searches past bodies get `past` units, and what all others leave. The others
    /// go one after the other. The search at the end of the budget goes on in the next tick, as
    /// does a bounded search that does not fit.
    pub(super) fn answer(&mut self, requests: &mut Vec<Request>, past: u32) {
        let rest = self.left.split();
        let mut next = self.answer_bounded(requests, 0);
        self.left.join(rest);
        self.answer_past(requests, past);
        self.answer_others(requests);
        loop {
            next = self.answer_bounded(requests, next);
            if next == requests.len() || !self.has_room() {
                break;
            }
            self.begin(&mut requests[next]);
            next += 1;
        }
        self.answer_past(requests, self.left.work);
    }

    /// Whether another search may begin in slices.
    pub(super) fn has_room(&self) -> bool {
        self.left.work > 0 && self.long.asker().is_none()
    }

    /// Begins to answer a request in slices.
    fn begin(&mut self, request: &mut Request) {
        self.long.start(request.take());
        if let Some(done) = self.resume() {
            *request = done;
        }
    }

    /// Answers as many bounded requests from `next` on as the budget allows in the worst case, in
    /// parallel. Work that they did not need goes to the next ones. Returns where it stopped.
    pub(super) fn answer_bounded(&mut self, requests: &mut [Request], mut next: usize) -> usize {
        let params = self.params;
        // Nothing is searched on a map that is gone.
        let work_max = |request: &Request| request.work_max(params.map(request.map)?.grid());
        while next < requests.len() {
            let (mut reserved, mut asked) = (0, 0);
            let fit = requests[next..].iter().take_while(|request| {
                let most = work_max(request);
                reserved += most.map_or(0, u64::from);
                let fits = reserved <= self.left.work.into();
                asked += usize::from(fits && most.is_some());
                fits
            });
            let end = next + fit.count();
            if end == next {
                break;
            }
            let now = &mut requests[next..end];
            let threads = Threads::for_work(asked, TASK_SEARCHES_MIN);
            let work = |now: &[Request]| now.iter().map(|one| u64::from(one.work())).sum::<u64>();
            let before = work(now);
            // The results do not depend on which task answers which request.
            threads.share_out(now, &mut self.scratch.planners, |request, planner| {
                if work_max(request).is_some()
                    && let Some(terrain) = params.terrain(request.map)
                {
                    request.answer(planner, terrain);
                }
            });
            self.left.take(work(now) - before);
            for request in &mut *now {
                if let Some(map) = params.map(request.map) {
                    request.look_further(map);
                }
            }
            next = end;
        }
        next
    }

    /// Answers searches past bodies, those with the longest wait first, until they took their
    /// share. The last ones may take more, which later ticks have less.
    fn answer_past(&mut self, requests: &mut [Request], share: u32) {
        let params = self.params;
        let is_open = |request: &&mut Request| {
            request.past == Some(PastStage::Through) && request.outcome.is_none()
        };
        let mut open = requests.iter_mut().filter(is_open);
        let end = self.left.taken + u64::from(share);
        let mut batch = Vec::new();
        while self.left.work > 0 && self.left.taken < end {
            batch.extend(open.by_ref().take(PAST_BATCH));
            if batch.is_empty() {
                break;
            }
            let threads = Threads::for_work(batch.len(), 1);
            threads.share_out(&mut batch, &mut self.scratch.past, |request, scratch| {
                params.answer_past(request, scratch);
            });
            let work = batch.drain(..).map(|request| u64::from(request.work()));
            self.left.take(work.sum());
        }
    }

    /// Answers the requests that are not bounded, in slices.
    fn answer_others(&mut self, requests: &mut Vec<Request>) {
        let before = self.long.asker();
        if let Some(done) = self.resume() {
            // The chaser may have asked again since its search began. If it went so far off that
            // the answer is of no use, it asks from where it is now.
            let mut again = requests.iter_mut();
            match again.find(|request| Some(request.asker) == before) {
                Some(_) if done.outcome.is_none() => {}
                Some(request) => *request = done,
                None => requests.push(done),
            }
        }
        for request in requests {
            if !self.has_room() {
                return;
            }
            let is_bounded = |map: &NavMap| request.work_max(map.grid()).is_some();
            let map = self.params.map(request.map);
            let is_open = request.outcome.is_none() && request.past.is_none();
            if is_open && !map.is_none_or(is_bounded) {
                self.begin(request);
            }
        }
    }

    /// Resumes the search in slices for the rest of the work. Returns its request once answered.
    pub(super) fn resume(&mut self) -> Option<Request> {
        let from = self.walker_at();
        let (taken, done) = self.long.resume(self.left.work, from, self.params);
        self.left.take(taken.into());
        let mut done = done?;
        let map = self.params.map(done.map)?;
        if !done.look_further(map) {
            return Some(done);
        }
        if done.work_max(map.grid()).is_none() {
            // In slices, too.
            self.long.start(done);
            return self.resume();
        }
        if let Some(terrain) = self.params.terrain(done.map) {
            let planners = &mut self.scratch.planners;
            let mut planner = planners.pop().unwrap_or_default();
            done.answer(&mut planner, terrain);
            planners.push(planner);
            self.left.take(done.work().into());
        }
        Some(done)
    }
}

//! Requests: which wait, how they are answered within their share of the budget, and how the
//! answers reach their entities.
//!
//! They have the order of the queue and its searches, but a share of their own. In one queue with
//! the chasers, ten thousand requests of one tick would come before all chasers of the next ones.

use super::{
    answering::Answering, long_search::LongSearch, params::SearchParams, queue::SearchQueue,
    reach_requests::ReachAsker, request::Request, sought::Sought, turn::Turn,
};
use crate::{
    AgentId, FindPathError, NavTime, OnMap, PathAnswer, PathRequest, ReachAnswer, ReachRequest,
};
use bevy_ecs::{prelude::*, query::QueryData, system::SystemParam};
use nav_grid::Cell;
use std::{cmp::Reverse, collections::BinaryHeap};

/// The work of an answer beside its search. Measured: replacing ten thousand requests in a tick
/// takes half a microsecond each, and a unit of work some 150 ns then.
const ANSWER_WORK: u64 = 3;

/// An entity with a path request.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Asker {
    entity: Entity,
    id: &'static AgentId,
    request: &'static mut PathRequest,
    on_map: Option<&'static OnMap>,
}

impl AskerReadOnlyItem<'_, '_> {
    /// Whether the entity still asks for a search that began in an earlier tick.
    fn asks_for(&self, under_way: &Request, (sought, others): (Sought, &[Cell])) -> bool {
        let turn = (self.request.since, self.on_map.map(|on_map| on_map.0));
        turn == (Some(under_way.since), Some(under_way.map))
            && self.request.query() == under_way.query
            && self.request.next_method() == under_way.method
            && Sought::by(self.request) == sought
            && (sought != Sought::AnyOf || self.request.others == others)
    }
}

/// All that ask.
#[derive(SystemParam)]
pub(super) struct Askers<'w, 's> {
    pub(super) paths: Query<'w, 's, Asker>,
    pub(super) reaches: Query<'w, 's, ReachAsker>,
}

impl Askers<'_, '_> {
    /// Whether what was begun in an earlier tick is still asked for.
    fn ask_for(&self, under_way: &Request, sought: (Sought, &[Cell])) -> bool {
        if let Sought::Reach(_) = sought.0 {
            let asker = self.reaches.get(under_way.asker);
            asker.is_ok_and(|asker| asker.asks_for(under_way, sought.0))
        } else {
            let asker = self.paths.get(under_way.asker);
            asker.is_ok_and(|asker| asker.asks_for(under_way, sought))
        }
    }
}

/// The requests of a tick.
///
/// The components alone say which ones wait. They are listed in each tick.
#[derive(Resource, Default)]
pub(crate) struct PathRequests {
    /// The search that takes several ticks.
    pub(crate) long: LongSearch,
    pub(super) waiting: Waiting,
    answers: Answers,
}

/// The answers of a tick, each list in the order in which they were found.
#[derive(Default)]
pub(super) struct Answers {
    paths: Vec<(Entity, PathAnswer)>,
    pub(super) reaches: Vec<(Entity, ReachAnswer)>,
}

/// The kind of a request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Question {
    Path,
    Reach,
}

/// The place of a request in the queue.
type Place = Reverse<(Turn, Question)>;

/// The requests that wait, by whether the window around their start may be enough. Those with the
/// longest wait come first.
#[derive(Default)]
pub(super) struct Waiting {
    near: BinaryHeap<Place>,
    far: BinaryHeap<Place>,
    /// Scratch memory.
    batch: Vec<Request>,
}

impl Waiting {
    /// Takes the first request of both kinds.
    fn next(&mut self) -> Option<(Turn, Question)> {
        // `Reverse` makes the first one the greatest, and none the least.
        let kind = if self.near.peek() > self.far.peek() {
            &mut self.near
        } else {
            &mut self.far
        };
        kind.pop().map(|Reverse(place)| place)
    }
}

impl PathRequests {
    /// Lists the requests that wait. O(n).
    pub(super) fn collect(&mut self, askers: &mut Askers, now: NavTime) {
        self.long
            .drop_unless(|under_way, sought| askers.ask_for(under_way, sought));
        let under_way = self.long.asker();
        let is_reach = matches!(self.long.sought(), Sought::Reach(_));
        let Waiting { near, far, .. } = &mut self.waiting;
        let [mut nears, mut fars] = [near, far].map(|heap| {
            heap.clear();
            std::mem::take(heap).into_vec()
        });
        for mut asker in &mut askers.paths {
            // Not a change by the game.
            let request = asker.request.bypass_change_detection();
            let since = *request.since.get_or_insert(now);
            if under_way == Some(asker.entity) && !is_reach {
                continue;
            }
            let turn = Turn::new(since, *asker.id, asker.entity);
            let list = if request.is_near() {
                &mut nears
            } else {
                &mut fars
            };
            list.push(Reverse((turn, Question::Path)));
        }
        for mut asker in &mut askers.reaches {
            let turn = asker.turn(now);
            if under_way != Some(turn.asker) || !is_reach {
                fars.push(Reverse((turn, Question::Reach)));
            }
        }
        (self.waiting.near, self.waiting.far) = (nears.into(), fars.into());
    }

    /// Whether no request waits, and the work of earlier ones is paid for.
    pub(super) fn is_idle(&self) -> bool {
        let Waiting { near, far, .. } = &self.waiting;
        near.is_empty() && far.is_empty() && self.long.is_idle()
    }

    /// The search in slices, and a desk for the others.
    pub(super) fn split<'a, 'w, 's>(
        &'a mut self,
        askers: &'a mut Askers<'w, 's>,
        queue: &'a mut SearchQueue,
    ) -> (&'a mut LongSearch, Desk<'a, 'w, 's>) {
        let desk = Desk {
            waiting: &mut self.waiting,
            answers: &mut self.answers,
            askers,
            queue,
        };
        (&mut self.long, desk)
    }
}

/// Where requests are taken from, and where their answers go.
pub(super) struct Desk<'a, 'w, 's> {
    waiting: &'a mut Waiting,
    pub(super) answers: &'a mut Answers,
    pub(super) askers: &'a mut Askers<'w, 's>,
    pub(super) queue: &'a mut SearchQueue,
}

impl Desk<'_, '_, '_> {
    /// Returns the search for a path request. `None` if the answer is known without one.
    fn open(&mut self, turn: Turn, params: &SearchParams) -> Option<Request> {
        let asker = self.askers.paths.get(turn.asker).ok()?;
        let request = asker.request;
        let on_map = asker.on_map.map(|on_map| on_map.0);
        let Some((entity, map)) = on_map.and_then(|entity| Some((entity, params.map(entity)?)))
        else {
            let answer = request.answer(Err(FindPathError::NoMap));
            self.answers.paths.push((turn.asker, answer));
            return None;
        };
        let path = self.queue.spare.pop().unwrap_or_default();
        if let Some(outcome) = request.known_reachability(map) {
            let answer = request.answer(request.result(outcome, &path, 0));
            self.answers.paths.push((turn.asker, answer));
            self.queue.spare.push(path);
            return None;
        }
        let query = request.query();
        if !request.is_near() && map.lacks(query.rules) {
            self.queue.wanted.push((entity, query.rules));
        }
        Some(Request {
            method: request.next_method(),
            path,
            ..Request::asked(turn, entity, query)
        })
    }

    /// The object of the search for a path request, and its further goals.
    fn sought(&self, asker: Entity) -> (Sought, &[Cell]) {
        let request = self.askers.paths.get(asker).map(|asker| asker.request);
        request.map_or((Sought::Goal, &[]), |request| {
            (Sought::by(request), &request.others)
        })
    }

    /// Takes the answer of a search, and the goal that it leads to. A request for which the window
    /// was not enough waits on as a far one.
    fn close(&mut self, mut done: Request, goal: u32, params: &SearchParams) {
        if let Some(outcome) = done.outcome
            && let Ok(mut asker) = self.askers.paths.get_mut(done.asker)
            && let Some(map) = params.map(done.map)
        {
            let request = asker.request.bypass_change_detection();
            if request.is_settled(&outcome, map) {
                let answer = request.answer(request.result(outcome, &done.path, goal));
                self.answers.paths.push((done.asker, answer));
            } else {
                request.look_further();
                let place = (done.turn(), Question::Path);
                self.waiting.far.push(Reverse(place));
            }
        }
        done.path.clear();
        self.queue.spare.push(done.path);
    }
}

impl Answering<'_, '_, '_> {
    /// Answers as many path requests as the work allows.
    ///
    /// Near ones get half of it first, as far as it is enough for certain. All others are answered
    /// one after the other by their turns, near ones among them: under a small budget no near one
    /// may fit for certain. The search at the end of the work goes on in the next tick.
    pub(super) fn answer_requests(&mut self, desk: &mut Desk) {
        let rest = self.left.split();
        self.answer_near(desk);
        self.left.join(rest);
        self.resume_request(desk);
        while self.has_room()
            && let Some((turn, question)) = desk.waiting.next()
        {
            if self.begin_request(desk, turn, question) {
                self.resume_request(desk);
            } else {
                self.left.take(ANSWER_WORK);
            }
        }
    }

    /// Begins to answer a request in slices. Returns whether it needs a search.
    fn begin_request(&mut self, desk: &mut Desk, turn: Turn, question: Question) -> bool {
        match question {
            Question::Path => desk.open(turn, self.params).is_some_and(|request| {
                let (sought, others) = desk.sought(turn.asker);
                self.long.start_for(sought, request, others);
                true
            }),
            Question::Reach => {
                let opened = desk.open_reach(turn, self.params);
                opened.is_some_and(|(sought, request)| {
                    self.long.start_for(sought, request, &[]);
                    true
                })
            }
        }
    }

    /// Answers near requests as long as the work is enough in the worst case.
    fn answer_near(&mut self, desk: &mut Desk) {
        let mut batch = std::mem::take(&mut desk.waiting.batch);
        let params = self.params;
        let work_max = |request: &Request| {
            let map = params.map(request.map);
            let most = map.and_then(|map| request.work_max(map.grid()));
            most.map_or(0, u64::from) + ANSWER_WORK
        };
        loop {
            // More would only be put back.
            let mut reserved: u64 = batch.iter().map(work_max).sum();
            while reserved < self.left.work.into()
                && let Some(Reverse((turn, _))) = desk.waiting.near.pop()
            {
                match desk.open(turn, params) {
                    Some(request) => {
                        reserved += work_max(&request);
                        batch.push(request);
                    }
                    None => self.left.take(ANSWER_WORK),
                }
            }
            let answered = self.answer_bounded(&mut batch, 0);
            self.left.take(answered as u64 * ANSWER_WORK);
            for done in batch.drain(..answered) {
                desk.close(done, 0, self.params);
            }
            if answered == 0 {
                break;
            }
        }
        for request in batch.drain(..) {
            let place = (request.turn(), Question::Path);
            desk.waiting.near.push(Reverse(place));
            desk.queue.spare.push(request.path);
        }
        desk.waiting.batch = batch;
    }

    fn resume_request(&mut self, desk: &mut Desk) {
        if let Some(done) = self.resume() {
            self.left.take(ANSWER_WORK);
            match self.long.sought() {
                Sought::Reach(_) => desk.close_reach(done, self.long),
                _ => desk.close(done, self.long.goal(), self.params),
            }
        }
    }
}

/// Replaces the answered requests by their answers.
pub(super) fn hand_out_answers(mut requests: ResMut<PathRequests>, mut commands: Commands) {
    let Answers { paths, reaches } = &mut requests.answers;
    for (entity, answer) in paths.drain(..) {
        let mut asker = commands.entity(entity);
        asker.try_remove::<PathRequest>().try_insert(answer);
    }
    for (entity, answer) in reaches.drain(..) {
        let mut asker = commands.entity(entity);
        asker.try_remove::<ReachRequest>().try_insert(answer);
    }
}

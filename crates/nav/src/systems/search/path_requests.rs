//! Path requests: which wait, how they are answered within their share of the budget, and how the
//! answers reach their entities.
//!
//! They have the order of the queue and its searches, but a share of their own. In one queue with
//! the chasers, ten thousand requests of one tick would come before all chasers of the next ones.

use super::{
    answering::Answering,
    long_search::LongSearch,
    params::SearchParams,
    queue::SearchQueue,
    request::{Looks, PathEnd, Request},
    turn::Turn,
};
use crate::{
    AgentId, CellPosition, FindPathError, NavTime, OnMap, PathAnswer, PathRequest, Period,
};
use bevy_ecs::{prelude::*, query::QueryData};
use nav_grid::Cell;
use std::{cmp::Reverse, collections::BinaryHeap};

/// The work of an answer beside its search. Measured: replacing ten thousand requests in a tick takes
/// half a microsecond each, and a unit of work some 150 ns then.
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
    fn asks_for(&self, under_way: &Request, others: &[Cell]) -> bool {
        let turn = (self.request.since, self.on_map.map(|on_map| on_map.0));
        turn == (Some(under_way.since), Some(under_way.map))
            && self.request.query() == under_way.query
            && self.request.next_method() == under_way.method
            && self.request.others == others
    }
}

/// The path requests of a tick.
///
/// The components alone say which ones wait. They are listed in each tick.
#[derive(Resource, Default)]
pub(crate) struct PathRequests {
    /// The search that takes several ticks.
    pub(crate) long: LongSearch,
    pub(super) waiting: Waiting,
    answers: Vec<(Entity, PathAnswer)>,
}

/// The requests that wait, by whether the window around their start may be enough. Those with the
/// longest wait come first.
#[derive(Default)]
pub(super) struct Waiting {
    near: BinaryHeap<Reverse<Turn>>,
    far: BinaryHeap<Reverse<Turn>>,
    /// Scratch memory.
    batch: Vec<Request>,
}

impl Waiting {
    /// Takes the first request of both kinds.
    fn next(&mut self) -> Option<Turn> {
        // `Reverse` makes the first one the greatest, and none the least.
        let kind = if self.near.peek() > self.far.peek() {
            &mut self.near
        } else {
            &mut self.far
        };
        kind.pop().map(|Reverse(turn)| turn)
    }
}

impl PathRequests {
    /// Lists the requests that wait. O(n).
    pub(super) fn collect(&mut self, askers: &mut Query<Asker>, now: NavTime) {
        self.long.drop_unless(|under_way, others| {
            let asker = askers.get(under_way.asker);
            asker.is_ok_and(|asker| asker.asks_for(under_way, others))
        });
        let Waiting { near, far, .. } = &mut self.waiting;
        let [mut nears, mut fars] = [near, far].map(|heap| {
            heap.clear();
            std::mem::take(heap).into_vec()
        });
        for mut asker in askers {
            // Not a change by the game.
            let request = asker.request.bypass_change_detection();
            let since = *request.since.get_or_insert(now);
            if self.long.asker() == Some(asker.entity) {
                continue;
            }
            let turn = Turn::new(since, *asker.id, asker.entity);
            let list = if request.is_near() {
                &mut nears
            } else {
                &mut fars
            };
            list.push(Reverse(turn));
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
        askers: &'a mut Query<'w, 's, Asker>,
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
    answers: &'a mut Vec<(Entity, PathAnswer)>,
    askers: &'a mut Query<'w, 's, Asker>,
    queue: &'a mut SearchQueue,
}

impl Desk<'_, '_, '_> {
    /// Returns the search for a request. `None` if the answer is known without one.
    fn open(&mut self, turn: Turn, params: &SearchParams) -> Option<Request> {
        let asker = self.askers.get(turn.asker).ok()?;
        let request = asker.request;
        let on_map = asker.on_map.map(|on_map| on_map.0);
        let Some((entity, map)) = on_map.and_then(|entity| Some((entity, params.map(entity)?)))
        else {
            let answer = request.answer(Err(FindPathError::NoMap));
            self.answers.push((turn.asker, answer));
            return None;
        };
        let path = self.queue.spare.pop().unwrap_or_default();
        if let Some(outcome) = request.known_reachability(map) {
            let answer = request.answer(request.result(outcome, &path, 0));
            self.answers.push((turn.asker, answer));
            self.queue.spare.push(path);
            return None;
        }
        let query = request.query();
        if !request.is_near() && map.lacks(query.rules) {
            self.queue.wanted.push((entity, query.rules));
        }
        Some(Request {
            asker: turn.asker,
            id: turn.id,
            target: Entity::PLACEHOLDER,
            map: entity,
            interval: Period::default(),
            period: Period::default(),
            since: turn.since,
            place: CellPosition::at(query.goal),
            query,
            end: PathEnd::Goal,
            looks: Looks::WindowOnly,
            past: None,
            may_leave: false,
            method: request.next_method(),
            path,
            outcome: None,
            is_repeated: false,
            sets_off: false,
        })
    }

    /// The further goals of a request.
    fn others(&self, asker: Entity) -> &[Cell] {
        let asker = self.askers.get(asker);
        asker.map_or(&[], |asker| &asker.request.others)
    }

    /// Takes the answer of a search, and the goal that it leads to. A request for which the window
    /// was not enough waits on as a far one.
    fn close(&mut self, mut done: Request, goal: u32, params: &SearchParams) {
        if let Some(outcome) = done.outcome
            && let Ok(mut asker) = self.askers.get_mut(done.asker)
            && let Some(map) = params.map(done.map)
        {
            let request = asker.request.bypass_change_detection();
            if request.is_settled(&outcome, map) {
                let answer = request.answer(request.result(outcome, &done.path, goal));
                self.answers.push((done.asker, answer));
            } else {
                request.look_further();
                self.waiting.far.push(Reverse(done.turn()));
            }
        }
        done.path.clear();
        self.queue.spare.push(done.path);
    }
}

impl Answering<'_, '_, '_> {
    /// Answers as many path requests as the work allows.
    ///
    /// Near ones get half of it first, as far as it is enough for certain. All others are answered one
    /// after the other by their turns, near ones among them: under a small budget no near one may
    /// fit for certain. The search at the end of the work goes on in the next tick.
    pub(super) fn answer_requests(&mut self, desk: &mut Desk) {
        let rest = self.left.split();
        self.answer_near(desk);
        self.left.join(rest);
        self.resume_request(desk);
        while self.has_room()
            && let Some(turn) = desk.waiting.next()
        {
            match desk.open(turn, self.params) {
                Some(request) => {
                    self.long.start_to(request, desk.others(turn.asker));
                    self.resume_request(desk);
                }
                None => self.left.take(ANSWER_WORK),
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
                && let Some(Reverse(turn)) = desk.waiting.near.pop()
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
            desk.waiting.near.push(Reverse(request.turn()));
            desk.queue.spare.push(request.path);
        }
        desk.waiting.batch = batch;
    }

    fn resume_request(&mut self, desk: &mut Desk) {
        if let Some(done) = self.resume() {
            self.left.take(ANSWER_WORK);
            desk.close(done, self.long.goal(), self.params);
        }
    }
}

/// Replaces the answered requests by their answers.
pub(super) fn hand_out_answers(mut requests: ResMut<PathRequests>, mut commands: Commands) {
    for (entity, answer) in requests.answers.drain(..) {
        let mut asker = commands.entity(entity);
        asker.try_remove::<PathRequest>().try_insert(answer);
    }
}

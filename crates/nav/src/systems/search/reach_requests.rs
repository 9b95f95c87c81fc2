//! Requests for reach: they wait in the queue of path requests, and are answered by its search in
//! slices.

use super::{
    long_search::LongSearch, params::SearchParams, path_requests::Desk, request::Request,
    sought::Sought, turn::Turn,
};
use crate::{AgentId, FindPathError, NavTime, OnMap, ReachAnswer, ReachRequest};
use bevy_ecs::{prelude::*, query::QueryData};
use nav_grid::{PathQuery, Status};

/// An entity with a request for reach.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct ReachAsker {
    entity: Entity,
    id: &'static AgentId,
    request: &'static mut ReachRequest,
    on_map: Option<&'static OnMap>,
}

impl ReachAskerItem<'_, '_> {
    /// The turn of the request, which begins to wait now if it is new.
    pub(super) fn turn(&mut self, now: NavTime) -> Turn {
        // Not a change by the game.
        let request = self.request.bypass_change_detection();
        let since = *request.since.get_or_insert(now);
        Turn::new(since, *self.id, self.entity)
    }
}

impl ReachAskerReadOnlyItem<'_, '_> {
    /// Whether the entity still asks for what was begun in an earlier tick.
    pub(super) fn asks_for(&self, under_way: &Request, sought: Sought) -> bool {
        let turn = (self.request.since, self.on_map.map(|on_map| on_map.0));
        turn == (Some(under_way.since), Some(under_way.map))
            && query(self.request) == under_way.query
            && Sought::Reach(self.request.limits) == sought
    }
}

/// Where the cells in reach begin, as the query of a search.
fn query(request: &ReachRequest) -> PathQuery {
    PathQuery::new(request.from, request.from).with_rules(request.ground_rules())
}

impl Desk<'_, '_, '_> {
    /// Returns the search for a request for reach, and what it looks for. `None` if the answer is
    /// known without one.
    pub(super) fn open_reach(
        &mut self,
        turn: Turn,
        params: &SearchParams,
    ) -> Option<(Sought, Request)> {
        let asker = self.askers.reaches.get(turn.asker).ok()?;
        let request = asker.request;
        let map = asker.on_map.map(|on_map| on_map.0);
        let Some(map) = map.filter(|&map| params.map(map).is_some()) else {
            let answer = request.answer(Err(FindPathError::NoMap));
            self.answers.reaches.push((turn.asker, answer));
            return None;
        };
        let search = Request {
            path: self.queue.spare.pop().unwrap_or_default(),
            ..Request::asked(turn, map, query(request))
        };
        Some((Sought::Reach(request.limits), search))
    }

    /// Takes the cells in reach, and answers the request.
    pub(super) fn close_reach(&mut self, done: Request, long: &LongSearch) {
        if let Some(outcome) = done.outcome
            && let Ok(asker) = self.askers.reaches.get(done.asker)
        {
            let result = match outcome.status {
                Status::Invalid(end, fault) => Err(FindPathError::Invalid(end, fault)),
                _ => Ok(long.reached().clone()),
            };
            let answer: ReachAnswer = asker.request.answer(result);
            self.answers.reaches.push((done.asker, answer));
        }
        self.queue.spare.push(done.path);
    }
}

//! The queue of a tick's searches, ordered by longest wait.

use super::request::Request;
use crate::{AgentId, NavTime};
use bevy_ecs::prelude::*;
use nav_grid::{Outcome, Path};

/// The searches of a tick and their outcomes. Buffers are kept from tick to tick, so a warm tick
/// allocates nothing here.
#[derive(Resource, Default)]
pub(crate) struct SearchQueue {
    pub(crate) requests: Vec<Request>,
    /// How many there are in this tick, with those of other processes.
    pub(super) together: usize,
    /// Kept for sorting.
    keys: Vec<Key>,
    /// Buffers for the paths of later requests.
    pub(super) spare: Vec<Path>,
    /// The work of searches and fields in this tick.
    pub(crate) expanded: u64,
    /// Those that the budget had no room for and who ask again in the next tick.
    pub(crate) unanswered: Vec<Entity>,
    /// Those who ask in later ticks, in order.
    waiting: Vec<Key>,
}

/// Where so many search in a tick, their next searches are spread over their intervals, and those
/// that fail over longer than they back off: a jitter of a quarter would keep thousands together. So are the
/// first ones after targets beyond the window.
const CROWDED: usize = 256;

/// Whose request comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    since: NavTime,
    id: AgentId,
    chaser: Entity,
    /// Where the request is.
    place: usize,
}

impl SearchQueue {
    /// The requests that were answered, in the order of the queue.
    pub(crate) fn answered(&self) -> impl Iterator<Item = (&Request, Outcome)> {
        self.requests
            .iter()
            .filter_map(|request| Some((request, request.outcome?)))
    }

    /// Whether many search in this tick.
    pub(super) fn is_crowded(&self) -> bool {
        self.together >= CROWDED
    }

    /// Puts requests in order: the longest wait goes first. Numbers are unique unless the game gave
    /// one twice, and who asked twice is answered once.
    pub(super) fn put_in_order(&mut self) {
        let Self { requests, keys, .. } = self;
        let key = |(place, request): (usize, &Request)| Key {
            since: request.since,
            id: request.id,
            chaser: request.chaser,
            place,
        };
        // Requests are large; they are moved once, when it is known where to.
        keys.clear();
        keys.extend(requests.iter().enumerate().map(key));
        keys.sort_unstable();
        for place in 0..keys.len() {
            let mut from = keys[place].place;
            // What was there is where it went when its place was taken.
            while from < place {
                from = keys[from].place;
            }
            keys[place].place = from;
            requests.swap(place, from);
        }
        requests.dedup_by_key(|request| request.chaser);
    }

    /// Has the first of those that were not answered ask again in the next tick, so many of them, and
    /// the others later, before their next move ticks. `in_slices` is answered already, in part.
    ///
    /// Those who have been answered meanwhile may be among them; they have no need to ask.
    pub(super) fn keep_waiting(&mut self, asking: usize, in_slices: Option<Entity>) {
        /// Ticks after which all others have had a move tick, at the periods that are usual.
        const TICKS: usize = 8;
        let Self {
            requests,
            keys,
            waiting,
            unanswered,
            ..
        } = self;
        let is_waiting =
            |request: &&Request| request.outcome.is_none() && Some(request.chaser) != in_slices;
        let key = |request: &Request| Key {
            since: request.since,
            id: request.id,
            chaser: request.chaser,
            place: 0,
        };
        // Both are in order.
        let mut now = requests.iter().filter(is_waiting).map(key).peekable();
        let mut before = waiting.drain(..).peekable();
        keys.clear();
        while keys.len() < asking * TICKS {
            let is_next = match (now.peek(), before.peek()) {
                (Some(now), Some(before)) => now <= before,
                (now, _) => now.is_some(),
            };
            let next = if is_next { now.next() } else { before.next() };
            let Some(next) = next else { break };
            if keys.last() != Some(&next) {
                keys.push(next);
            }
        }
        drop(before);
        unanswered.clear();
        let asking = asking.min(keys.len());
        unanswered.extend(keys.drain(..asking).map(|key| key.chaser));
        std::mem::swap(waiting, keys);
    }

    /// Forgets who waits to be answered: they ask again when they are due.
    #[cfg(feature = "serialize")]
    pub(crate) fn forget(&mut self) {
        self.unanswered.clear();
        self.waiting.clear();
    }

    /// Drops the requests and keeps their buffers.
    pub(crate) fn clear(&mut self) {
        self.spare
            .extend(self.requests.drain(..).map(|request| request.path));
    }
}

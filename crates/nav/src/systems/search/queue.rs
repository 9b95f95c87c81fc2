//! Search: what a tick's searches ask and answer.

use super::Request;
use crate::{
    AgentId, NavTime, PathFailure,
    systems::{
        by_agent::{ByAgent, Event},
        fields::FarNotes,
    },
};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Outcome, Path};

/// What the tick's searches ask and answer, and what else there is to report.
///
/// Everything in it lives for one tick; buffers are kept, so a warm tick allocates nothing
/// here.
#[derive(Resource, Default)]
pub(crate) struct SearchQueue {
    pub(super) requests: Vec<Request>,
    /// Kept for sorting.
    keys: Vec<Key>,
    /// Chasers that wanted to search and could not: after which target, and why.
    pub(crate) refusals: ByAgent<(Entity, PathFailure)>,
    /// Chasers that came within reach of their targets.
    pub(crate) arrivals: ByAgent<Entity>,
    /// Chasers whose paths an edit broke: on which map, and the first waypoint that is cut off.
    pub(crate) broken: ByAgent<(Entity, Cell)>,
    /// Buffers for the paths of later requests.
    pub(super) spare: Vec<Path>,
    /// What searches and fields expanded in this tick.
    pub(crate) expanded: u64,
}

/// Whose request comes first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    since: NavTime,
    id: AgentId,
    chaser: Entity,
    /// Where the request is.
    place: usize,
}

/// What is decided of chasers.
#[derive(Default)]
pub(crate) struct Notes {
    pub(crate) requests: Vec<Request>,
    pub(crate) refusals: Vec<Event<(Entity, PathFailure)>>,
    pub(crate) arrivals: Vec<Event<Entity>>,
    /// Chasers of a kind that is not prepared for.
    pub(crate) newcomers: Vec<Entity>,
    /// Chasers whose field is to be made first.
    pub(crate) expectant: Vec<Entity>,
    pub(crate) far: FarNotes,
}

impl SearchQueue {
    /// Takes up what the tasks of a decision noted.
    pub(crate) fn take_up(&mut self, notes: &mut Notes) {
        self.requests.append(&mut notes.requests);
        self.refusals.append(&mut notes.refusals);
        self.arrivals.append(&mut notes.arrivals);
    }

    pub(crate) fn answered(&self) -> impl Iterator<Item = (&Request, Outcome)> {
        self.requests
            .iter()
            .filter_map(|request| Some((request, request.outcome?)))
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

    /// Forgets the tick.
    pub(crate) fn clear(&mut self) {
        self.refusals.clear();
        self.arrivals.clear();
        self.broken.clear();
        self.spare
            .extend(self.requests.drain(..).map(|request| request.path));
    }
}

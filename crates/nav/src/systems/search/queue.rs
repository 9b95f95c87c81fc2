//! The queue of a tick's searches, ordered by longest wait.

use super::{request::Request, turn::Turn};
#[cfg(feature = "serialize")]
use crate::{AgentId, NavClock, NavTimer};
use crate::{Chaser, Heading, NavMap};
use bevy_ecs::prelude::*;
use nav_grid::{Outcome, Path, Rules};
use std::{cmp::Reverse, collections::BinaryHeap};

/// The searches of a tick and their outcomes. Buffers are kept from tick to tick, so that a warm
/// tick allocates nothing here.
#[derive(Resource, Default)]
pub(crate) struct SearchQueue {
    pub(crate) requests: Vec<Request>,
    /// Whether there are [many](super::results::CROWDED_SEARCHES) searches in this tick.
    pub(super) is_crowded: bool,
    /// Scratch memory: the order of the requests, and their places.
    keys: Vec<(Turn, usize)>,
    /// Buffers for the paths of later requests.
    pub(super) spare: Vec<Path>,
    /// The work of searches and fields in this tick.
    pub(crate) expanded: u64,
    /// Chasers for which the budget had no room, the longest wait first. Some no longer wait, as
    /// their timers show.
    pub(super) waiting: BinaryHeap<Reverse<Turn>>,
    /// Maps, and the rules of walkers that need more of them than their windows.
    pub(super) wanted: Vec<(Entity, Rules)>,
}

impl SearchQueue {
    /// Returns the answered requests, in the order of the queue.
    pub(crate) fn answered(&self) -> impl Iterator<Item = (&Request, Outcome)> {
        let requests = self.requests.iter();
        requests.filter_map(|request| Some((request, request.outcome?)))
    }

    /// Puts requests in order. A chaser that asked twice is answered once.
    ///
    /// `sort_by_cached_key` does the same and allocates in each tick.
    pub(super) fn put_in_order(&mut self) {
        let Self { requests, keys, .. } = self;
        // Requests are large; they are moved once, when it is known where to.
        keys.clear();
        keys.extend(requests.iter().map(Request::turn).zip(0..));
        keys.sort_unstable();
        for place in 0..keys.len() {
            let mut from = keys[place].1;
            // What was there is where it went when its place was taken.
            while from < place {
                from = keys[from].1;
            }
            keys[place].1 = from;
            requests.swap(place, from);
        }
        requests.dedup_by_key(|request| request.asker);
    }

    /// Takes out the turn with the longest wait. Some chasers no longer wait for it: see
    /// [`Turn::is_of`].
    pub(crate) fn next_turn(&mut self) -> Option<Turn> {
        self.waiting.pop().map(|Reverse(turn)| turn)
    }

    /// Queues an agent of a restored world again, if it waits for its turn.
    #[cfg(feature = "serialize")]
    pub(crate) fn restore(world: &mut World, agent: Entity) {
        let now = crate::sets::resource::<NavClock>(world).now();
        let timer = world.get::<NavTimer>(agent).copied().unwrap_or_default();
        if timer.waits_for_turn(now)
            && let Some(&id) = world.get::<AgentId>(agent)
            && let Some(mut queue) = world.get_resource_mut::<Self>()
        {
            queue.waiting.push(Reverse(Turn::of(timer, id, agent)));
        }
    }

    /// Drops the requests and keeps their buffers.
    pub(crate) fn clear(&mut self) {
        let requests = self.requests.drain(..);
        self.spare.extend(requests.map(|request| request.path));
    }
}

/// Redirects the searches of chasers with a heading to that.
pub(super) fn lead_searches(
    leading: Query<(&Heading, &Chaser)>,
    maps: Query<&NavMap>,
    mut queue: ResMut<SearchQueue>,
) {
    for request in &mut queue.requests {
        if let Ok((heading, chaser)) = leading.get(request.asker)
            && let Some(cell) = heading.cell()
            && let Ok(map) = maps.get(request.map)
        {
            request.lead_to(cell, chaser, map);
        }
    }
}

/// Begins to build the indexes that chasers need beyond their windows. Each map keeps a list of its
/// own, in an order that does not depend on that of the chasers.
pub(super) fn want_indexes(mut queue: ResMut<SearchQueue>, mut maps: Query<&mut NavMap>) {
    let wanted = &mut queue.wanted;
    // Mostly they are there, or under way.
    wanted.retain(|&(map, rules)| maps.get(map).is_ok_and(|map| map.lacks(rules)));
    wanted.sort_unstable_by_key(|&(_, rules)| rules);
    for (map, rules) in wanted.drain(..) {
        if let Ok(mut map) = maps.get_mut(map) {
            // What agents can do on the map stays the same.
            map.bypass_change_detection().want(rules);
        }
    }
}

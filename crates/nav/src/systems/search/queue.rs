//! The queue of a tick's searches, ordered by longest wait: what searches read, where they lead,
//! and how their results reach the chasers.

use super::{
    long_search::LongSearch,
    request::{Looks, PathEnd, Request, leaves_window},
};
use crate::{
    AgentId, CellPosition, Chaser, Chasing, Heading, MoveTimer, NavClock, NavMap, NavTime,
    NavTimer, OnMap, PathCursor,
    components::{Crowding, jitter},
    occupancy::BodyPlaces,
    systems::{
        crowd::{Crowd, PastBodies, PastScratch},
        guidance::reach::Approach,
        storage::targets::Targets,
    },
};
use bevy_ecs::{prelude::*, query::QueryData, system::SystemParam};
use nav_grid::{Outcome, Path, Rules, Status, Terrain, rules::BodyPolicy};
use std::{cmp::Reverse, collections::BinaryHeap};

/// From this many searches in one tick on, the next searches are spread over their intervals.
///
/// Measured on the scenario `mmo`, where 2,000 chasers have 100 targets: with 64 there are 0.6 % more
/// arrivals, with 1,024 0.9 % fewer. In small worlds a search comes when its interval is over.
const CROWDED_SEARCHES: usize = 256;

/// The inputs of searches.
#[derive(SystemParam)]
pub(super) struct SearchParams<'w, 's> {
    maps: Query<'w, 's, &'static NavMap>,
    occupancy: Res<'w, BodyPlaces>,
    clock: Res<'w, NavClock>,
    targets: Res<'w, Targets>,
    crowd: Crowd<'w, 's>,
}

/// The inputs of a search in slices from its chaser.
#[derive(QueryData)]
pub(super) struct Asking {
    pub(super) chasing: &'static Chasing,
    pub(super) chaser: &'static Chaser,
    pub(super) on_map: &'static OnMap,
    pub(super) position: &'static CellPosition,
}

impl AskingItem<'_, '_> {
    /// Whether the chaser still asks for a search that began in an earlier tick.
    pub(super) fn asks_for(&self, request: &Request) -> bool {
        let (tuning, query) = (self.chaser, &request.query);
        (self.chasing.0, self.on_map.0) == (request.target, request.map)
            && (tuning.rules, tuning.heuristic) == (query.rules, query.heuristic)
            && tuning.method == request.method
    }
}

impl SearchParams<'_, '_> {
    /// A map.
    pub(super) fn map(&self, map: Entity) -> Option<&NavMap> {
        self.maps.get(map).ok()
    }

    /// Searches for a way past the bodies around the target of a request; `None` if the asker is too far
    /// from it, or gone.
    pub(super) fn search_past(
        &self,
        request: &Request,
        scratch: &mut PastScratch,
        path: &mut Path,
    ) -> Option<Outcome> {
        let slot = self.targets.slot_on(request.target, request.map)?;
        let target = self.targets.at(slot);
        let asker = self.crowd.body(request.asker)?;
        let approach = Approach::from(asker.chaser);
        // At every other search since its last step: the way found before could not be cleared.
        let takes_another_way = asker.crowding.looks % 2 == 1;
        let search = PastBodies {
            grid: self.map(request.map)?.grid(),
            approach: Approach {
                rules: approach.rules.with_bodies(BodyPolicy::Ignore),
                through_links: false,
                ..approach
            },
            target: &target.seen,
            from: request.query.start,
            makes_room: target.anchor.is_pressed(self.clock.now()),
            closed: asker.next_on_detour().filter(|_| takes_another_way),
            is_stuck: takes_another_way && asker.crowding.failed_pushes > 0,
        };
        let among = (&self.crowd, self.occupancy.of(request.map)?);
        let is_near_enough = search.is_near_enough();
        is_near_enough.then(|| search.search(among, &asker.asker(false), scratch, path))
    }

    /// A map with its bodies and indexes.
    pub(super) fn terrain(&self, map: Entity) -> Option<Terrain<'_>> {
        let terrain = Terrain::from(self.maps.get(map).ok()?.indexed());
        Some(match self.occupancy.bodies(map) {
            Some(bodies) => terrain.with_bodies(bodies),
            None => terrain,
        })
    }
}

/// The searches of a tick and their outcomes. Buffers are kept from tick to tick, so that a warm
/// tick allocates nothing here.
#[derive(Resource, Default)]
pub(crate) struct SearchQueue {
    pub(crate) requests: Vec<Request>,
    /// The number of searches in this tick, in all apps that share the world.
    pub(super) together: usize,
    /// Scratch memory: the order of the requests, and their places.
    keys: Vec<(Turn, usize)>,
    /// Buffers for the paths of later requests.
    pub(super) spare: Vec<Path>,
    /// The work of searches and fields in this tick.
    pub(crate) expanded: u64,
    /// Chasers for which the budget had no room, the longest wait first. Some no longer wait, as their timers show.
    waiting: BinaryHeap<Reverse<Turn>>,
    /// Maps, and the rules of walkers that need more of them than their windows.
    pub(super) wanted: Vec<(Entity, Rules)>,
}

/// The order of requests: the longest wait goes first, then the least [`AgentId`]. Numbers are
/// unique unless the game gave one twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Turn {
    pub(super) since: NavTime,
    pub(super) id: AgentId,
    pub(crate) asker: Entity,
}

impl Turn {
    pub(super) const fn new(since: NavTime, id: AgentId, asker: Entity) -> Self {
        Self { since, id, asker }
    }

    /// The turn of a chaser by its timer.
    fn of(timer: NavTimer, id: AgentId, chaser: Entity) -> Self {
        Self::new(timer.next_search(), id, chaser)
    }

    /// Whether its chaser waits for this turn now.
    pub(crate) fn is_of(self, timer: NavTimer, id: AgentId, now: NavTime) -> bool {
        timer.waits_for_turn(now) && Self::of(timer, id, self.asker) == self
    }
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

    /// Takes out the turn with the longest wait. Some chasers no longer wait for it: see [`Turn::is_of`].
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

/// Hands the results to the chasers, in the order of the queue.
pub(super) fn hand_out_results(
    (clock, long): (Res<NavClock>, Res<LongSearch>),
    mut queue: ResMut<SearchQueue>,
    mut chasers: Query<(
        &mut PathCursor,
        &mut NavTimer,
        &mut MoveTimer,
        Option<&mut Crowding>,
    )>,
) {
    let crowded = queue.together >= CROWDED_SEARCHES;
    let now = clock.now();
    let queue = &mut *queue;
    for request in &mut queue.requests {
        let Ok((mut cursor, mut timer, mut move_timer, crowding)) = chasers.get_mut(request.asker)
        else {
            continue;
        };
        let (since, interval, number) = (request.since, request.interval, request.id.0.into());
        let Some(outcome) = request.outcome else {
            // Only the budget delays it, even if it asked before its interval was over.
            timer.set_next_search(since.min(now));
            timer.set_looks_beyond(request.looks == Looks::Beyond);
            if request.past.is_none() {
                cursor.queue();
            }
            if long.asker() != Some(request.asker) {
                timer.set_waits_for_turn(true);
                let turn = Turn::of(*timer, request.id, request.asker);
                queue.waiting.push(Reverse(turn));
            }
            continue;
        };
        timer.set_looks_beyond(false);
        if request.past.is_some() {
            if let Some(crowding) = crowding {
                let body = (&mut *cursor, &mut *timer, &mut *move_timer, crowding);
                hand_out_way_past(request, now, body);
            }
            // The chaser keeps what it has: no failure of its chase.
            request.is_repeated = true;
            continue;
        }
        let (status, leads_nearer) = (outcome.status, request.leads_nearer());
        let before = cursor.searched_for();
        let was_failing = timer.failures() > 0;
        request.is_repeated = status == Status::TooFar && was_failing
            || before.is_some_and(|before| before.cell == request.place.cell)
                && timer.awaited_change_at(request.query.start);
        // What a window shows is no reason to leave a path that leads beyond it.
        let keeps_path =
            matches!(status, Status::Partial(_)) && leaves_window(cursor.path(), &request.query);
        let found = (status.has_path() && !keeps_path).then_some(&mut request.path);
        cursor.searched(request.place, found);
        if matches!(request.end, PathEnd::Place(..)) && status == Status::Found {
            cursor.keep_path();
        }
        // Chasers that searched at their first possible move tick keep their turn. A chaser that
        // never searched has none.
        let is_late = since == NavTime::default() || now >= since.after(request.period);
        let is_spread = crowded && is_late;
        let spread_over = |period| {
            if is_spread {
                now.put_off(number, period)
            } else {
                now
            }
        };
        match status {
            Status::Found | Status::AlreadyThere => {
                timer.succeeded(spread_over(interval), interval);
            }
            Status::TooFar | Status::Invalid(..) | Status::Unsupported(_) => {
                timer.refused(spread_over(interval), interval);
            }
            // The chaser searches again from where the path ends.
            Status::Partial(_) if leads_nearer => {
                timer.came_nearer(spread_over(interval), interval);
            }
            _ => {
                let longer = jitter(*timer, request.id, now, (interval, move_timer.idle));
                timer.failed(now.after(longer), interval);
            }
        }
        let has_nothing = timer.failures() > 0 && cursor.path().is_empty();
        if request.may_leave && timer.failures() > 0 {
            queue.wanted.push((request.map, request.query.rules));
        }
        let is_first = !was_failing && matches!(request.end, PathEnd::GoalFirst);
        let in_vain = has_nothing && !is_first;
        timer.set_awaits_change(in_vain.then_some(request.query.start));
    }
}

/// Gives a body the way that a search past bodies found, or records that there is none. The more
/// searches since its last step, the longer until the next one.
fn hand_out_way_past(
    request: &mut Request,
    now: NavTime,
    (cursor, timer, move_timer, mut crowding): (
        &mut PathCursor,
        &mut NavTimer,
        &mut MoveTimer,
        Mut<Crowding>,
    ),
) {
    let status = request.outcome.map(|outcome| outcome.status);
    if status == Some(Status::Found) {
        cursor.searched(request.place, Some(&mut request.path));
        cursor.keep_path();
        // It took no step at its last move tick.
        move_timer.wake(now, true);
    }
    timer.look_again(now, request.interval, crowding.looks);
    crowding.look(status == Some(Status::Unreachable));
}

/// Begins to build the indexes that chasers need beyond their windows. Each map keeps a list of its own, in
/// an order that does not depend on that of the chasers.
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

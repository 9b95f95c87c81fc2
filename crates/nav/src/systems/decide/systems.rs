//! The systems that decide: for chasers at their move tick, for chasers that something happened to
//! in between, and once more for chasers whose field is made in this tick.

use crate::{
    AgentId, Chaser, NavClock, NavMap, NavTime, NavTimer, OnMap, PathCursor,
    budget::TickWork,
    components::{Chase, Event},
    occupancy::BodyPlaces,
    systems::{
        fields::{FieldRequests, Fields},
        guidance::TargetViews,
        search::{Request, SearchQueue},
        storage::{
            columns::{ChaserData, ChaserDataItem},
            pending::PendingDecisions,
            targets::Targets,
            tick_events::TickEvents,
            visit::{VisitPool, visit_due},
        },
    },
};
use bevy_ecs::{entity_disabling::Disabled, prelude::*, query::Allow, system::SystemParam};
use fixedbitset::FixedBitSet;
use nav_grid::Size;

/// The common inputs of all decisions of a tick.
#[derive(SystemParam)]
pub(crate) struct DecideParams<'w, 's> {
    pub(super) clock: Res<'w, NavClock>,
    targets: Res<'w, Targets>,
    pub(super) fields: Res<'w, Fields>,
    maps: Query<'w, 's, &'static NavMap>,
    pub(super) occupancy: Res<'w, BodyPlaces>,
}

impl DecideParams<'_, '_> {
    pub(super) fn now(&self) -> NavTime {
        self.clock.now()
    }

    /// Returns the time at which a body of a map of some size last moved, came or went, if there
    /// ever was one.
    pub(super) fn last_move(&self, map: Entity, size: Size) -> Option<NavTime> {
        self.occupancy.last_move(map, size)
    }

    fn views(&self) -> TargetViews<'_> {
        TargetViews::new(&self.targets, &self.fields, &self.maps, self.now())
    }

    /// Decides for listed chasers for which a condition holds. It may change their components.
    fn decide_again(
        &self,
        query: &mut Query<ChaserData>,
        chasers: &mut Vec<Entity>,
        scratch: &mut DecideScratch,
        mut holds: impl FnMut(&mut ChaserDataItem) -> bool,
    ) {
        let mut views = self.views();
        for chaser in chasers.drain(..) {
            if let Ok(mut chaser) = query.get_mut(chaser)
                && holds(&mut chaser)
            {
                chaser.visit(|mut chaser| self.decide_for(&mut chaser, &mut views, scratch));
            }
        }
    }
}

/// The results of a task that decides.
#[derive(Default)]
pub(crate) struct DecideScratch {
    pub(super) requests: Vec<Request>,
    pub(super) events: TickEvents,
    /// Chasers of a size that their map is not prepared for.
    pub(super) unprepared: Vec<Entity>,
    /// Chasers whose field is to be made first.
    pub(super) awaiting_field: Vec<Entity>,
    pub(super) fields: FieldRequests,
}

/// Where what tasks collected goes.
#[derive(SystemParam)]
pub(crate) struct Collected<'w> {
    pending: ResMut<'w, PendingDecisions>,
    queue: ResMut<'w, SearchQueue>,
    events: ResMut<'w, TickEvents>,
    fields: ResMut<'w, FieldRequests>,
}

impl Collected<'_> {
    fn take(&mut self, scratch: &mut DecideScratch) {
        self.queue.requests.append(&mut scratch.requests);
        self.events.append(&mut scratch.events);
        self.pending.unprepared.append(&mut scratch.unprepared);
        let awaiting = &mut scratch.awaiting_field;
        self.pending.awaiting_field.append(awaiting);
        self.fields.append(&mut scratch.fields);
    }
}

/// Decides for every chaser whose move tick it is: before, it could not step by what it found.
pub(super) fn decide_for_due(
    params: DecideParams,
    chasers: Query<ChaserData>,
    mut pool: Local<VisitPool<DecideScratch>>,
    mut collected: Collected,
) {
    let now = params.now();
    visit_due(
        chasers,
        |_, timer| timer.is_due(now),
        &mut pool,
        || params.views(),
        |mut chaser, views, scratch| params.decide_for(&mut chaser, views, scratch),
    );
    for scratch in pool.iter_mut() {
        collected.take(scratch);
    }
}

/// The work of a search, about. Bounds how many waiting chasers ask in a tick: asking in vain
/// takes a microsecond, as long as some 20 units. Two thirds of the searches of a crowd take 21
/// to 50.
const WORK_EXPECTED: u32 = 48;

/// Waiting chasers that ask in every tick: searches of far fewer units shall use a small budget,
/// too.
///
/// Measured on the scenario `mmo` with a budget of 1,000: with 1 to 8 there are 3 % fewer arrivals
/// than with 64, which take a thousandth of a tick. With 256 there are 0.6 % more.
const ASKING_MIN: u32 = 64;

/// Calls the chasers whose turn it is, about as many as the budget of the tick answers.
pub(super) fn call_waiting(
    (work, clock): (Res<TickWork>, Res<NavClock>),
    mut queue: ResMut<SearchQueue>,
    mut chasers: Query<(&mut PathCursor, &mut NavTimer, &AgentId), Allow<Disabled>>,
    mut pending: ResMut<PendingDecisions>,
) {
    let most = (work.all / WORK_EXPECTED).max(ASKING_MIN) as usize;
    while pending.called.len() < most
        && let Some(turn) = queue.next_turn()
    {
        if let Ok((cursor, timer, &id)) = chasers.get_mut(turn.asker)
            && turn.is_of(*timer, id, clock.now())
        {
            Chase::of(cursor, timer).apply(Event::Called);
            pending.called.push(turn.asker);
        }
    }
}

/// Prepares maps for chasers of a size, or a choice of classes, that they are not prepared for.
pub(super) fn prepare_footprints(
    pending: Res<PendingDecisions>,
    chasers: Query<(&Chaser, &OnMap)>,
    mut maps: Query<&mut NavMap>,
) {
    for (chaser, on_map) in chasers.iter_many(&pending.unprepared).flatten() {
        if let Ok(mut map) = maps.get_mut(on_map.0)
            && !map.grid().is_prepared(chaser.rules)
        {
            // What agents can do on the map stays the same.
            map.bypass_change_detection()
                .prepare_footprint(chaser.rules);
        }
    }
}

/// Decides for chasers whose map was prepared. Also, between two move ticks, for chasers that lost
/// their path, and for chasers whose search had no room in the budget.
pub(super) fn decide_for_pending(
    params: DecideParams,
    mut chasers: Query<ChaserData>,
    mut collected: Collected,
    mut scratch: Local<DecideScratch>,
) {
    let now = params.now();
    let PendingDecisions {
        unprepared,
        path_broken,
        called,
        ..
    } = &mut *collected.pending;
    params.decide_again(&mut chasers, unprepared, &mut scratch, |_| true);
    params.decide_again(&mut chasers, path_broken, &mut scratch, |chaser| {
        !chaser.move_timer.is_due(now) && !chaser.move_timer.is_paused()
    });
    params.decide_again(&mut chasers, called, &mut scratch, |chaser| {
        !chaser.move_timer.is_paused()
    });
    // Chasers whose map could not be prepared ask again at their next move tick.
    scratch.unprepared.clear();
    collected.take(&mut scratch);
}

/// Where at least one chaser in this many is looked for, looking through all rows in parallel takes
/// less time than looking each of them up: a row that is skipped takes a sixtieth of that.
const MANY_SHARE: usize = 64;

/// Decides for chasers whose field was not there yet, so that whether it was does not show. Chasers
/// whose field waits for the budget of a later tick are queued.
pub(super) fn decide_for_awaiting(
    params: DecideParams,
    mut chasers: Query<ChaserData>,
    mut collected: Collected,
    mut pool: Local<VisitPool<DecideScratch>>,
    mut marked: Local<FixedBitSet>,
) {
    let awaiting = &mut collected.pending.awaiting_field;
    if awaiting.len() * MANY_SHARE < params.targets.chasers() as usize {
        pool.collect(|scratch| {
            params.decide_again(&mut chasers, awaiting, scratch, |_| true);
        });
    } else {
        for chaser in awaiting.drain(..) {
            marked.grow_and_insert(chaser.index_u32() as usize);
        }
        visit_due(
            chasers.reborrow(),
            |chaser, _| marked.contains(chaser.index_u32() as usize),
            &mut pool,
            || params.views(),
            |mut chaser, views, scratch| params.decide_for(&mut chaser, views, scratch),
        );
        marked.clear();
    }
    for scratch in pool.iter_mut() {
        for chaser in scratch.awaiting_field.drain(..) {
            if let Ok(mut chaser) = chasers.get_mut(chaser) {
                chaser.visit(|mut chaser| _ = chaser.apply(Event::AwaitsField));
            }
        }
        collected.take(scratch);
    }
}

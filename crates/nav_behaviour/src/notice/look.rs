//! Looking around: who begins a chase of whom in this tick.

use super::{
    chosen::{Chosen, rank},
    components::{Noticeable, Noticed},
    crowd::Crowd,
    marks::Marks,
    nearby::{AskedClasses, Nearby},
    seen::Seen,
    watch::{Lookout, Watches},
    watchers::{Begun, NoticerItem, Outlook, Task, Visits, Watcher, Watchers},
};
use crate::{ActivityCause, activity::PendingCause};
use bevy_ecs::prelude::*;
use nav::{AgentId, CellPosition, Chaser, Chasing, NavClock, NavMap, OnMap, Period, WorldPosition};
use std::collections::BTreeMap;

/// How often those who need sight look around.
const GLANCE: Period = Period::from_millis(250);

/// What is kept from tick to tick, for its buffers only.
#[derive(Default)]
pub(super) struct LookScratch {
    seen: Crowd<Seen>,
    nearby: Nearby,
    asked: AskedClasses,
    watches: Watches,
    visits: Visits,
    begun: Vec<(ActivityCause, Begun)>,
    callers: Crowd<Begun>,
    heard: BTreeMap<(Entity, u8), Marks>,
    noticed: Vec<Entity>,
}

type CanBeSeen = (
    Entity,
    &'static AgentId,
    &'static Noticeable,
    Ref<'static, OnMap>,
    &'static CellPosition,
    Option<Ref<'static, WorldPosition>>,
    Has<Chaser>,
);

impl Watchers<'_, '_> {
    /// Whom one notices who stands where it is worth looking.
    fn look(&self, watcher: &Watcher, noticer: &NoticerItem, seen: &Crowd<Seen>) -> Option<Begun> {
        let &Watcher {
            agent,
            map,
            cell,
            ref notice,
            ..
        } = watcher;
        let ground = self.maps.get(map).ok()?;
        let mut nearest = Chosen::NOBODY;
        seen.for_each_near(map, cell, notice.range, |seen| {
            if seen.factions & notice.whom == 0 || seen.agent == agent {
                return;
            }
            nearest.offer(rank(cell, (seen.cell, seen.id, seen.agent)), seen, || {
                self.may_begin(noticer, cell, seen)
                    && (!notice.needs_sight || noticer.sees(&ground, cell, seen.cell))
            });
        });
        Some(watcher.begin(nearest.get()?))
    }

    /// Whose call one follows who may hear some.
    fn hear(
        &self,
        watcher: &Watcher,
        noticer: &NoticerItem,
        callers: &Crowd<Begun>,
        farthest: u16,
    ) -> Option<Begun> {
        let &Watcher {
            agent,
            map,
            cell,
            ref notice,
            ..
        } = watcher;
        let mut nearest = Chosen::NOBODY;
        callers.for_each_near(map, cell, farthest, |call| {
            let common = call.target.factions & call.notice.whom & notice.whom;
            let is_near = cell.chebyshev(call.cell) <= call.notice.calls;
            if common == 0 || !is_near || call.target.agent == agent {
                return;
            }
            nearest.offer(rank(cell, (call.cell, call.id, call.agent)), call, || {
                self.may_begin(noticer, cell, &call.target)
            });
        });
        Some(watcher.begin(&nearest.get()?.target))
    }
}

/// Whether one who needs sight looks around in this tick.
fn is_turn(id: AgentId, clock: &NavClock) -> bool {
    // Whether a multiple of the period lies between the two ticks, put off as its own turn is.
    let since = clock.now().0.saturating_sub(clock.previous().0);
    clock.now().put_off(id.0.into(), GLANCE).0 % GLANCE.nanos() < since
}

/// Begins chases of those who are noticed.
pub(super) fn notice(
    watchers: Watchers,
    visible: Query<CanBeSeen>,
    mut causes: Query<&mut PendingCause>,
    mut noticed: MessageWriter<Noticed>,
    mut commands: Commands,
    mut scratch: Local<LookScratch>,
) {
    let LookScratch {
        seen,
        nearby,
        asked,
        watches,
        visits,
        begun,
        callers,
        heard,
        noticed: own,
    } = &mut *scratch;
    if watchers.watchful.is_empty() {
        return;
    }
    seen.fill(visible.iter().map(|visible| see(visible, &watchers.maps)));
    if seen.is_empty() {
        return;
    }
    let size = |map| Some(watchers.maps.get(map).ok()?.grid().size());
    watches.update(seen, size);
    nearby.update(seen.iter().map(|seen| seen.cell), std::mem::take(asked));
    let nearby = &*nearby;

    let test = || {
        let mut lookout = Lookout::new(watches);
        move |from: Outlook, task: &mut Task| {
            nearby.may_be(from.cell(), from.notice.range, &mut task.asked)
                && lookout.is_worth_looking(from.map(), from.cell(), from.notice, &mut task.wanted)
        }
    };
    let is_turn = |one: &Watcher| !one.notice.needs_sight || is_turn(one.id, &watchers.clock);
    watchers.visit(visits, test, is_turn, |watcher, noticer| {
        watchers.look(watcher, noticer, seen)
    });
    for task in visits.tasks.iter_mut() {
        *asked = asked.and(std::mem::take(&mut task.asked));
        watches.add(
            task.wanted
                .drain(..)
                .filter(|key| size(key.map()).is_some()),
        );
    }
    let news = visits.begun.iter_mut().flat_map(|news| news.drain(..));
    begun.extend(news.map(|begun| (ActivityCause::Noticed, begun)));

    let calling = begun.iter().map(|&(_, begun)| begun);
    callers.fill(calling.filter(|begun| begun.notice.calls > 0));
    if !callers.is_empty() {
        own.clear();
        own.extend(begun.iter().map(|(_, begun)| begun.agent));
        own.sort_unstable();
        let farthest = mark_calls(callers, heard, size);
        let heard = &*heard;
        let test = || {
            let mut last = None;
            move |from: Outlook, _: &mut Task| {
                let floor = (from.map(), from.cell().floor);
                let marks = match last {
                    Some((last, marks)) if last == floor => marks,
                    _ => heard.get(&floor),
                };
                last = Some((floor, marks));
                marks.is_some_and(|marks| marks.has(from.cell()))
            }
        };
        let is_free = |one: &Watcher| own.binary_search(&one.agent).is_err();
        watchers.visit(visits, test, is_free, |watcher, noticer| {
            watchers.hear(watcher, noticer, callers, farthest)
        });
        let news = visits.begun.iter_mut().flat_map(|news| news.drain(..));
        begun.extend(news.map(|begun| (ActivityCause::Called, begun)));
    }

    begun.sort_unstable_by_key(|(_, begun)| (begun.id, begun.agent));
    for (cause, Begun { agent, target, .. }) in begun.drain(..) {
        if let Ok(mut pending) = causes.get_mut(agent) {
            pending.set(cause);
        }
        let target = target.agent;
        if let Ok(mut agent) = commands.get_entity(agent) {
            agent.try_insert(Chasing(target));
        }
        let news = Noticed {
            agent,
            target,
            cause,
        };
        noticed.write(news);
        commands.trigger(news);
    }
}

/// Marks where somebody is called, and returns how far the farthest call reaches.
fn mark_calls(
    callers: &Crowd<Begun>,
    heard: &mut BTreeMap<(Entity, u8), Marks>,
    size: impl Fn(Entity) -> Option<nav_grid::Size>,
) -> u16 {
    heard.retain(|&(map, _), marks| {
        let size = size(map);
        size.map(|size| marks.clear(size)).is_some()
    });
    let mut farthest = 0;
    for call in callers.iter() {
        let Some(size) = size(call.map) else {
            continue;
        };
        let marks = heard.entry((call.map, call.cell.floor)).or_insert_with(|| {
            let mut marks = Marks::default();
            marks.clear(size);
            marks
        });
        marks.mark(call.cell, call.notice.calls);
        farthest = farthest.max(call.notice.calls);
    }
    farthest
}

/// Where somebody is who can be noticed. A world position that the game wrote since the last tick counts
/// already.
fn see(
    (agent, id, noticeable, on_map, position, world, is_chaser): CanBeSeenItem,
    maps: &Query<Ref<NavMap>>,
) -> Seen {
    let mut cell = position.cell;
    if let Some(world) = world
        && !is_chaser
        && let Ok(map) = maps.get(on_map.0)
        && (world.is_changed() || on_map.is_changed() || map.is_added())
        && world.0.iter().all(|at| at.is_finite())
    {
        let floor = cell.floor;
        cell = CellPosition::from_world(map.frame(), *world).cell;
        cell.floor = floor;
    }
    Seen {
        agent,
        id: *id,
        map: on_map.0,
        cell,
        factions: noticeable.factions,
    }
}

type CanBeSeenItem<'a> = (
    Entity,
    &'a AgentId,
    &'a Noticeable,
    Ref<'a, OnMap>,
    &'a CellPosition,
    Option<Ref<'a, WorldPosition>>,
    bool,
);

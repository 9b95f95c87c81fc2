//! Looking around: who begins a chase of whom in this tick.

use super::{
    chosen::{Chosen, rank},
    components::{Notice, Noticeable, Noticed},
    crowd::{Crowd, Placed},
    marks::Marks,
    seen::Seen,
    watch::{Lookout, WatchKey, Watches},
};
use crate::{
    AgentId, CellPosition, Chaser, Chasing, Destination, NavClock, NavMap, NavTime, OnMap, Paused,
    Period, WorldPosition,
    behaviour::{ActivityCause, Home, Leash, Returning, activity::PendingCause},
    systems::storage::{
        scratch::ScratchPool,
        threads::{Split, Threads},
    },
};
use bevy_ecs::{prelude::*, query::QueryData, system::SystemParam};
use nav_grid::{Cell, Footprint, PathQuery, rules::BodyPolicy, smoothing::LineOfSight};
use std::{collections::BTreeMap, slice::from_ref};

/// How often those who need sight look around.
const GLANCE: Period = Period::from_millis(250);

/// Rows of a table that a task takes at a time.
const ROWS: (usize, usize) = (1024, 16 * 1024);

/// A chase that begins.
#[derive(Clone, Copy)]
pub(super) struct Begun {
    id: AgentId,
    agent: Entity,
    map: Entity,
    cell: Cell,
    notice: Notice,
    target: Seen,
}

impl Placed for Begun {
    fn map(&self) -> Entity {
        self.map
    }

    fn cell(&self) -> Cell {
        self.cell
    }
}

/// What is kept from tick to tick, for its buffers only.
#[derive(Default)]
pub(super) struct LookScratch {
    seen: Crowd<Seen>,
    watches: Watches,
    tasks: ScratchPool<Task>,
    begun: Vec<(ActivityCause, Begun)>,
    callers: Crowd<Begun>,
    heard: BTreeMap<(Entity, u8), Marks>,
    noticed: Vec<Entity>,
}

/// What a task collects.
#[derive(Default)]
struct Task {
    begun: Vec<Begun>,
    wanted: Vec<WatchKey>,
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

/// What is read of everybody in every tick.
type Watchful = (
    Entity,
    &'static AgentId,
    &'static Notice,
    &'static OnMap,
    &'static CellPosition,
    Option<&'static Chasing>,
);

type Awake = (With<Chaser>, Without<Paused>);

/// What is read of those who may begin a chase.
#[derive(QueryData)]
pub(super) struct Noticer {
    chaser: &'static Chaser,
    is_returning: Has<Returning>,
    leash: Option<&'static Leash>,
    home: Option<&'static Home>,
}

impl NoticerItem<'_, '_> {
    /// Whether it looks around at all.
    fn is_attentive(&self) -> bool {
        !self.is_returning || self.leash.is_some_and(|leash| leash.notices_on_return)
    }

    /// Whether it may follow from a cell to another one.
    fn may_follow(&self, from: Cell, to: Cell) -> bool {
        self.leash
            .is_none_or(|leash| leash.allows(self.home, from, to))
    }

    fn sees(&self, map: &NavMap, from: Cell, to: Cell) -> bool {
        let rules = self.chaser.rules.with_footprint(Footprint::ONE);
        let eye = rules.with_bodies(BodyPolicy::Ignore);
        LineOfSight::new(map.grid(), &PathQuery::new(from, to).with_rules(eye)).sees(from, to)
    }
}

/// Rows of a table of those who look around.
struct Rows<'a> {
    entities: &'a [Entity],
    ids: &'a [AgentId],
    notices: &'a [Notice],
    on_maps: &'a [OnMap],
    positions: &'a [CellPosition],
    chasing: Option<&'a [Chasing]>,
}

impl Split for Rows<'_> {
    fn len(&self) -> usize {
        self.entities.len()
    }

    fn split_at(self, at: usize) -> (Self, Self) {
        let entities = self.entities.split_at(at);
        let ids = self.ids.split_at(at);
        let notices = self.notices.split_at(at);
        let on_maps = self.on_maps.split_at(at);
        let positions = self.positions.split_at(at);
        let chasing = self.chasing.map(|chasing| chasing.split_at(at));
        let first = Self {
            entities: entities.0,
            ids: ids.0,
            notices: notices.0,
            on_maps: on_maps.0,
            positions: positions.0,
            chasing: chasing.map(|chasing| chasing.0),
        };
        let rest = Self {
            entities: entities.1,
            ids: ids.1,
            notices: notices.1,
            on_maps: on_maps.1,
            positions: positions.1,
            chasing: chasing.map(|chasing| chasing.1),
        };
        (first, rest)
    }
}

/// One who looks around, and is not sure to stay as it is.
struct Watcher<'a> {
    agent: Entity,
    id: AgentId,
    map: Entity,
    cell: Cell,
    notice: &'a Notice,
}

impl Watcher<'_> {
    fn begin(&self, target: &Seen) -> Begun {
        Begun {
            id: self.id,
            agent: self.agent,
            map: self.map,
            cell: self.cell,
            notice: *self.notice,
            target: *target,
        }
    }
}

/// Those who look around.
#[derive(SystemParam)]
pub(super) struct Watchers<'w, 's> {
    clock: Res<'w, NavClock>,
    maps: Query<'w, 's, Ref<'static, NavMap>>,
    watchful: Query<'w, 's, Watchful, Awake>,
    noticers: Query<'w, 's, Noticer>,
    destinations: Query<'w, 's, (), With<Destination>>,
}

impl Watchers<'_, '_> {
    /// Visits those who chase nobody and for whom a test of their place holds, in any order, in parallel
    /// if there is a task pool. Each stretch of rows has a test of its own.
    fn visit<T: FnMut(&Watcher, &mut Task) -> bool>(
        &self,
        tasks: &ScratchPool<Task>,
        test: impl Fn() -> T + Sync,
        visit: impl Fn(&Watcher, &NoticerItem) -> Option<Begun> + Sync,
    ) {
        let work = |rows: Rows| {
            let (mut task, mut test) = (tasks.take(), test());
            let task = task.get();
            // Those in a row mostly chase the same one.
            let mut last = None;
            for row in 0..rows.len() {
                let watcher = Watcher {
                    agent: rows.entities[row],
                    id: rows.ids[row],
                    map: rows.on_maps[row].0,
                    cell: rows.positions[row].cell,
                    notice: &rows.notices[row],
                };
                if !test(&watcher, task) {
                    continue;
                }
                if let Some(&Chasing(target)) = rows.chasing.map(|chasing| &chasing[row]) {
                    let is_chase = match last {
                        Some((last, is_chase)) if last == target => is_chase,
                        _ => !self.destinations.contains(target),
                    };
                    last = Some((target, is_chase));
                    if is_chase {
                        continue;
                    }
                }
                if let Ok(noticer) = self.noticers.get(watcher.agent)
                    && noticer.is_attentive()
                {
                    task.begun.extend(visit(&watcher, &noticer));
                }
            }
        };
        // Fails only where the game disables entities by a component that is not kept in tables.
        let Ok(tables) = self.watchful.contiguous_iter() else {
            for (entity, id, notice, on_map, position, chasing) in &self.watchful {
                work(Rows {
                    entities: from_ref(&entity),
                    ids: from_ref(id),
                    notices: from_ref(notice),
                    on_maps: from_ref(on_map),
                    positions: from_ref(position),
                    chasing: chasing.map(from_ref),
                });
            }
            return;
        };
        for (entities, ids, notices, on_maps, positions, chasing) in tables {
            let rows = Rows {
                entities,
                ids,
                notices,
                on_maps,
                positions,
                chasing,
            };
            Threads::for_work(rows.len(), 4 * ROWS.0).split(rows, ROWS, work);
        }
    }

    /// Whom one notices who stands where it is worth looking.
    fn look(&self, watcher: &Watcher, noticer: &NoticerItem, seen: &Crowd<Seen>) -> Option<Begun> {
        let &Watcher {
            agent,
            map,
            cell,
            notice,
            ..
        } = watcher;
        let ground = self.maps.get(map).ok()?;
        let mut nearest = Chosen::NOBODY;
        seen.for_each_near(map, cell, notice.range, |seen| {
            if seen.factions & notice.whom == 0 || seen.agent == agent {
                return;
            }
            nearest.offer(rank(cell, (seen.cell, seen.id, seen.agent)), seen, || {
                noticer.may_follow(cell, seen.cell)
                    && (!notice.needs_sight || noticer.sees(&ground, cell, seen.cell))
            });
        });
        Some(watcher.begin(nearest.get()?))
    }
}

/// Whether one who needs sight looks around in this tick.
fn is_turn(id: AgentId, clock: &NavClock) -> bool {
    let glances = |at: NavTime| at.put_off(id.0.into(), GLANCE).0 / GLANCE.nanos();
    glances(clock.now()) != glances(clock.previous())
}

/// Whose call one follows who may hear some.
fn hear(
    watcher: &Watcher,
    noticer: &NoticerItem,
    callers: &Crowd<Begun>,
    farthest: u16,
) -> Option<Begun> {
    let &Watcher {
        agent,
        map,
        cell,
        notice,
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
            noticer.may_follow(cell, call.target.cell)
        });
    });
    Some(watcher.begin(&nearest.get()?.target))
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
        watches,
        tasks,
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

    let test = || {
        let mut lookout = Lookout::new(watches);
        let clock = &*watchers.clock;
        move |one: &Watcher, task: &mut Task| {
            lookout.is_worth_looking(one.map, one.cell, one.notice, &mut task.wanted)
                && (!one.notice.needs_sight || is_turn(one.id, clock))
        }
    };
    watchers.visit(tasks, test, |watcher, noticer| {
        watchers.look(watcher, noticer, seen)
    });
    for task in tasks.iter_mut() {
        watches.add(
            task.wanted
                .drain(..)
                .filter(|key| size(key.map()).is_some()),
        );
        let news = task.begun.drain(..);
        begun.extend(news.map(|begun| (ActivityCause::Noticed, begun)));
    }

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
            move |one: &Watcher, _: &mut Task| {
                let floor = (one.map, one.cell.floor);
                let marks = match last {
                    Some((last, marks)) if last == floor => marks,
                    _ => heard.get(&floor),
                };
                last = Some((floor, marks));
                marks.is_some_and(|marks| marks.has(one.cell))
            }
        };
        watchers.visit(tasks, test, |watcher, noticer| {
            let is_free = own.binary_search(&watcher.agent).is_err();
            is_free.then(|| hear(watcher, noticer, callers, farthest))?
        });
        for task in tasks.iter_mut() {
            let news = task.begun.drain(..);
            begun.extend(news.map(|begun| (ActivityCause::Called, begun)));
        }
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

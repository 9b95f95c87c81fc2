//! Those who look around: who of them is visited, and what is read of whom.

use super::{components::Notice, crowd::Placed, nearby::AskedClasses, seen::Seen, watch::WatchKey};
use crate::{GivenUp, Home, Leash, Returning, given_up::is_cut_off};
use bevy_ecs::{prelude::*, query::QueryData, system::SystemParam};
use nav::{
    AgentId, Body, CellPosition, Chaser, Chasing, Destination, NavClock, NavMap, OnMap, Paused,
    tasks::{ScratchPool, Split, Threads},
};
use nav_grid::{Cell, Footprint, PathQuery, rules::BodyPolicy, smoothing::LineOfSight};
use std::slice::from_ref;

/// Rows of a table that a task takes at a time, and that are worth a task: most are passed by at a few
/// nanoseconds.
const ROWS: (usize, usize) = (1024, 16 * 1024);
const ROWS_OF_A_TASK: usize = 64 * 1024;

/// Of those who look around in a tick, so many are worth a task.
const WATCHERS_OF_A_TASK: usize = 256;

/// A chase that begins.
#[derive(Clone, Copy)]
pub(super) struct Begun {
    pub(super) id: AgentId,
    pub(super) agent: Entity,
    pub(super) map: Entity,
    pub(super) cell: Cell,
    pub(super) notice: Notice,
    pub(super) target: Seen,
}

impl Placed for Begun {
    fn map(&self) -> Entity {
        self.map
    }

    fn cell(&self) -> Cell {
        self.cell
    }
}

/// What is kept of visits.
#[derive(Default)]
pub(super) struct Visits {
    pub(super) tasks: ScratchPool<Task>,
    pub(super) watchers: Vec<Watcher>,
    pub(super) begun: Vec<Vec<Begun>>,
}

/// What a task collects of the rows that it goes through.
#[derive(Default)]
pub(super) struct Task {
    pub(super) watchers: Vec<Watcher>,
    pub(super) asked: AskedClasses,
    pub(super) wanted: Vec<WatchKey>,
}

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
    given_up: Option<&'static GivenUp>,
}

impl NoticerItem<'_, '_> {
    /// Whether it looks around at all.
    pub(super) fn is_attentive(&self) -> bool {
        !self.is_returning || self.leash.is_some_and(|leash| leash.notices_on_return)
    }

    /// Whether its leash lets it follow from a cell to another one.
    fn may_follow(&self, from: Cell, to: Cell) -> bool {
        self.leash
            .is_none_or(|leash| leash.allows(self.home, from, to))
    }

    pub(super) fn sees(&self, map: &NavMap, from: Cell, to: Cell) -> bool {
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
#[derive(Clone, Copy)]
pub(super) struct Watcher {
    pub(super) agent: Entity,
    pub(super) id: AgentId,
    pub(super) map: Entity,
    pub(super) cell: Cell,
    pub(super) notice: Notice,
}

/// Where and how one looks around. Of those who are far from everybody not even all of this is read.
#[derive(Clone, Copy)]
pub(super) struct Outlook<'a> {
    pub(super) on_map: &'a OnMap,
    pub(super) position: &'a CellPosition,
    pub(super) notice: &'a Notice,
}

impl Outlook<'_> {
    pub(super) const fn map(self) -> Entity {
        self.on_map.0
    }

    pub(super) const fn cell(self) -> Cell {
        self.position.cell
    }
}

impl Watcher {
    pub(super) fn begin(&self, target: &Seen) -> Begun {
        Begun {
            id: self.id,
            agent: self.agent,
            map: self.map,
            cell: self.cell,
            notice: self.notice,
            target: *target,
        }
    }
}

/// Those who look around.
#[derive(SystemParam)]
pub(super) struct Watchers<'w, 's> {
    pub(super) clock: Res<'w, NavClock>,
    pub(super) maps: Query<'w, 's, Ref<'static, NavMap>>,
    pub(super) watchful: Query<'w, 's, Watchful, Awake>,
    pub(super) noticers: Query<'w, 's, Noticer>,
    bodies: Query<'w, 's, &'static Body>,
    pub(super) destinations: Query<'w, 's, (), With<Destination>>,
}

impl Watchers<'_, '_> {
    /// Whether one who stands on a cell may begin a chase of somebody: its leash lets it, and it has not
    /// given that up.
    pub(super) fn may_begin(&self, noticer: &NoticerItem, from: Cell, target: &Seen) -> bool {
        let (to, now) = (target.cell, self.clock.now());
        let is_cut_off = || {
            let body = self.bodies.get(target.agent);
            let body = body.map(|body| body.footprint).unwrap_or_default();
            let map = self.maps.get(target.map);
            map.is_ok_and(|map| is_cut_off(&map, noticer.chaser, from, (to, body)))
        };
        let given_up = noticer.given_up;
        noticer.may_follow(from, to)
            && !given_up.is_some_and(|given_up| given_up.has(target.id, to, now, is_cut_off))
    }

    /// Visits those who chase nobody, and for whom a test of their outlook and then one of themselves holds:
    /// first all of them are listed, then the visits are shared among tasks, in any order. Each stretch of
    /// rows has a test of outlooks of its own.
    pub(super) fn visit<T: FnMut(Outlook, &mut Task) -> bool>(
        &self,
        Visits {
            tasks,
            watchers,
            begun,
        }: &mut Visits,
        test: impl Fn() -> T + Sync,
        is_wanted: impl Fn(&Watcher) -> bool + Sync,
        visit: impl Fn(&Watcher, &NoticerItem) -> Option<Begun> + Sync,
    ) {
        let list = |rows: Rows| {
            let (mut task, mut test) = (tasks.take(), test());
            let task = task.get();
            // Those in a row mostly chase the same one.
            let mut last = None;
            let places = rows.on_maps.iter().zip(rows.positions);
            for (row, ((on_map, position), notice)) in places.zip(rows.notices).enumerate() {
                let from = Outlook {
                    on_map,
                    position,
                    notice,
                };
                if !test(from, task) {
                    continue;
                }
                let watcher = Watcher {
                    agent: rows.entities[row],
                    id: rows.ids[row],
                    map: on_map.0,
                    cell: position.cell,
                    notice: *notice,
                };
                if !is_wanted(&watcher) {
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
                task.watchers.push(watcher);
            }
        };
        if let Ok(tables) = self.watchful.contiguous_iter() {
            for (entities, ids, notices, on_maps, positions, chasing) in tables {
                let rows = Rows {
                    entities,
                    ids,
                    notices,
                    on_maps,
                    positions,
                    chasing,
                };
                Threads::for_work(rows.len(), ROWS_OF_A_TASK).split(rows, ROWS, list);
            }
        } else {
            // Only where the game disables entities by a component that is not kept in tables.
            for (entity, id, notice, on_map, position, chasing) in &self.watchful {
                list(Rows {
                    entities: from_ref(&entity),
                    ids: from_ref(id),
                    notices: from_ref(notice),
                    on_maps: from_ref(on_map),
                    positions: from_ref(position),
                    chasing: chasing.map(from_ref),
                });
            }
        }
        watchers.clear();
        for task in tasks.iter_mut() {
            watchers.append(&mut task.watchers);
        }
        let threads = Threads::for_work(watchers.len(), WATCHERS_OF_A_TASK);
        threads.share_out(watchers, begun, |watcher, begun| {
            if let Ok(noticer) = self.noticers.get(watcher.agent)
                && noticer.is_attentive()
            {
                begun.extend(visit(watcher, &noticer));
            }
        });
    }
}

//! Looking around: which agents begin a chase in this tick, and of which targets.

use super::{
    components::{Notice, Noticeable, Noticed},
    index::{Crowd, Marks, WatchKey, Watches},
    view_cone::{ViewCone, face},
};
use crate::{
    ActivityCause, BehaviourSystems, GivenUp, Home, Interrupted, Leash, Returning,
    activity::PendingCause, given_up::is_cut_off, plugins::add_shared, plugins::behaviour_plugin,
    turns::is_turn,
};
use bevy_app::{App, Plugin};
use bevy_ecs::{prelude::*, query::QueryData, system::SystemParam};
use nav::{
    AgentId, Body, CellPosition, Chaser, Chasing, Destination, NavClock, NavMap, OnMap, Paused,
    WorldPosition,
    extend::{LastWorldPosition, Threads, on_demand, require_nav},
};
use nav_grid::Cell;

behaviour_plugin! {
    /// Begins the chases of [`Notice`].
    ///
    /// # Complexity
    ///
    /// A tick reads one bit for each agent with [`Notice`]: whether a target may be within range of
    /// its block of 4×4 cells. The bits are set in each tick around all targets, for each range and
    /// choice of factions in use. Only agents of which the bit is set look for a target, on several
    /// threads.
    NoticePlugin
}

impl Plugin for NoticePlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let face = on_demand::<With<ViewCone>, _>(face);
        let notice = on_demand::<With<Notice>, _>(notice);
        let look = (face, notice).chain().in_set(BehaviourSystems::Notice);
        app.add_message::<Noticed>()
            .add_systems(self.schedule, look);
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "NoticePlugin");
    }
}

/// Agents near a target that are worth a task: a look takes about 0.1 µs without sight,
/// and handing a task to another thread some 10 µs.
const WATCHERS_OF_A_TASK: usize = 256;

/// Ways of looking in turn, such as with ranges of 6 to 9, that find their marks without a search.
/// A guess.
const RECENT: usize = 8;

/// An agent that can be noticed.
#[derive(Clone, Copy)]
struct Seen {
    agent: Entity,
    id: AgentId,
    map: Entity,
    cell: Cell,
    factions: u32,
}

/// An agent that may notice a target, or hear a call.
#[derive(Clone, Copy)]
struct Watcher {
    agent: Entity,
    id: AgentId,
    map: Entity,
    cell: Cell,
    notice: Notice,
}

/// A chase that begins: the agent, its target, and whether it noticed that or was called.
type Begun = (Watcher, Seen, ActivityCause);

/// Buffers that are kept from tick to tick, and the marks of the tick before.
#[derive(Default)]
struct Buffers {
    seen: Crowd<Seen>,
    watches: Watches,
    keys: Vec<WatchKey>,
    callers: Crowd<Begun>,
    heard: Marks,
    lists: Lists,
}

#[derive(Default)]
struct Lists {
    watchers: Vec<Watcher>,
    /// The chases that each task found.
    found: Vec<Vec<Begun>>,
    begun: Vec<Begun>,
}

/// The components read of each agent with [`Notice`] in each tick.
type Watchful = (
    Entity,
    &'static AgentId,
    &'static Notice,
    &'static OnMap,
    &'static CellPosition,
    Option<&'static Chasing>,
);

/// An agent that may begin a chase.
type Attentive = (With<Chaser>, Without<Paused>, Without<Interrupted>);

/// The data of agents near a target or a caller.
#[derive(QueryData)]
struct Noticer {
    chaser: &'static Chaser,
    is_returning: Has<Returning>,
    leash: Option<&'static Leash>,
    home: Option<&'static Home>,
    given_up: Option<&'static GivenUp>,
    cone: Option<&'static ViewCone>,
}

/// How an agent comes to know of a target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Learns {
    BySight,
    /// Within range, in its cone.
    Nearby,
    FromOthers,
}

type Visible = (
    Entity,
    &'static AgentId,
    &'static Noticeable,
    &'static OnMap,
    &'static CellPosition,
    Option<(&'static WorldPosition, &'static LastWorldPosition)>,
    Has<Chaser>,
);

/// All that looking reads.
#[derive(SystemParam)]
struct Sight<'w, 's> {
    clock: Res<'w, NavClock>,
    maps: Query<'w, 's, &'static NavMap>,
    watchful: Query<'w, 's, Watchful, Attentive>,
    noticers: Query<'w, 's, Noticer>,
    visible: Query<'w, 's, Visible>,
    bodies: Query<'w, 's, &'static Body>,
    destinations: Query<'w, 's, (), With<Destination>>,
}

/// Begins chases of agents that notice a target, then of agents that they call.
fn notice(
    sight: Sight,
    mut causes: Query<&mut PendingCause>,
    mut messages: MessageWriter<Noticed>,
    mut commands: Commands,
    mut buffers: Local<Buffers>,
) {
    let Buffers {
        seen,
        watches,
        keys,
        callers,
        heard,
        lists,
    } = &mut *buffers;
    if sight.watchful.is_empty() {
        return;
    }
    seen.fill(sight.visible().map(|one| (one.map, one.cell, one)));
    if seen.is_empty() {
        return;
    }
    watches.update(keys, || {
        seen.iter().map(|one| (one.map, one.cell, one.factions))
    });
    let mut recent = [(None, None); RECENT];
    sight.begin(
        lists,
        ActivityCause::Noticed,
        |map, cell, notice| {
            let key = Watches::key(notice.range, notice.whom);
            let recent = &mut recent[(key.1 ^ u32::from(key.0 >> 2)) as usize % RECENT];
            if recent.0 != Some(key) {
                *recent = (Some(key), watches.marks(key, keys));
            }
            recent.1.is_none_or(|marks: &Marks| marks.has(map, cell))
        },
        |watcher| sight.look(watcher, seen),
    );
    let calling = lists.begun.iter().filter(|(by, ..)| by.notice.calls > 0);
    callers.fill(calling.map(|&begun| (begun.0.map, begun.0.cell, begun)));
    if !callers.is_empty() {
        heard.clear();
        let mut farthest = 0;
        for (by, ..) in callers.iter() {
            heard.mark(by.map, by.cell, by.notice.calls);
            farthest = by.notice.calls.max(farthest);
        }
        sight.begin(
            lists,
            ActivityCause::Called,
            |map, cell, _| heard.has(map, cell),
            |watcher| sight.hear(watcher, callers, farthest),
        );
    }
    begin_chases(&mut lists.begun, &mut causes, &mut messages, &mut commands);
}

/// Begins chases in the order of agents.
fn begin_chases(
    begun: &mut Vec<Begun>,
    causes: &mut Query<&mut PendingCause>,
    messages: &mut MessageWriter<Noticed>,
    commands: &mut Commands,
) {
    // An agent that noticed a target by itself follows no call.
    begun
        .sort_unstable_by_key(|(by, _, cause)| (by.id, by.agent, *cause != ActivityCause::Noticed));
    begun.dedup_by_key(|(by, ..)| by.agent);
    for (Watcher { agent, .. }, Seen { agent: target, .. }, cause) in begun.drain(..) {
        PendingCause::note(causes, agent, cause);
        // The agent may be despawned by a command of this tick.
        commands.entity(agent).try_insert(Chasing(target));
        let noticed = Noticed {
            agent,
            target,
            cause,
        };
        messages.write(noticed);
        commands.trigger(noticed);
    }
}

impl Sight<'_, '_> {
    /// All agents that can be noticed. A world position that the game wrote since the last tick
    /// counts already.
    fn visible(&self) -> impl Iterator<Item = Seen> {
        (self.visible.iter()).map(
            |(agent, id, noticeable, on_map, position, world, is_chaser)| {
                let mut cell = position.cell;
                if let Some((&world, last)) = world
                    && !is_chaser
                    && *last != LastWorldPosition::of(world, *on_map)
                    && world.is_finite()
                    && let Ok(map) = self.maps.get(on_map.0)
                {
                    cell = world.place_on(map, *position).cell;
                }
                Seen {
                    agent,
                    id: *id,
                    map: on_map.0,
                    cell,
                    factions: noticeable.factions,
                }
            },
        )
    }

    /// Adds the chases of agents that may begin one: without a target or on a walk, and where
    /// `is_near` holds. Threads share the search for targets.
    fn begin(
        &self,
        lists: &mut Lists,
        cause: ActivityCause,
        mut is_near: impl FnMut(Entity, Cell, &Notice) -> bool,
        target_of: impl Fn(&Watcher) -> Option<Seen> + Sync,
    ) {
        let Lists {
            watchers,
            found,
            begun,
        } = lists;
        watchers.clear();
        // Agents in a row mostly chase the same target.
        let mut last = (None, true);
        for (agent, id, notice, on_map, position, chasing) in &self.watchful {
            if !is_near(on_map.0, position.cell, notice) {
                continue;
            }
            let target = chasing.map(|chasing| chasing.0);
            if last.0 != target {
                let is_free = target.is_none_or(|target| self.destinations.contains(target));
                last = (target, is_free);
            }
            if last.1 {
                watchers.push(Watcher {
                    agent,
                    id: *id,
                    map: on_map.0,
                    cell: position.cell,
                    notice: *notice,
                });
            }
        }
        let threads = Threads::for_work(watchers.len(), WATCHERS_OF_A_TASK);
        threads.share_out(watchers, found, |watcher, found| {
            found.extend(target_of(watcher).map(|target| (*watcher, target, cause)));
        });
        begun.extend(found.iter_mut().flat_map(|found| found.drain(..)));
    }

    /// The target that an agent notices.
    fn look(&self, watcher: &Watcher, seen: &Crowd<Seen>) -> Option<Seen> {
        let (cell, notice) = (watcher.cell, &watcher.notice);
        if notice.needs_sight && !is_turn(&self.clock, watcher.id) {
            return None;
        }
        let near = seen.near(watcher.map, cell, notice.range).filter(|seen| {
            let is_near = seen.cell.chebyshev(cell) <= notice.range;
            is_near && seen.factions & notice.whom != 0 && seen.agent != watcher.agent
        });
        let ranked = near.map(|seen| (rank(cell, seen.cell, seen.id, seen.agent), seen));
        let learns = if notice.needs_sight {
            Learns::BySight
        } else {
            Learns::Nearby
        };
        first(ranked, |seen| self.may_begin(watcher, seen, learns)).copied()
    }

    /// The target of the call that an agent follows.
    fn hear(&self, watcher: &Watcher, callers: &Crowd<Begun>, farthest: u16) -> Option<Seen> {
        let cell = watcher.cell;
        let all = callers.near(watcher.map, cell, farthest);
        let near = all.filter(|(by, target, _)| {
            let common = target.factions & by.notice.whom & watcher.notice.whom;
            let is_near = cell.chebyshev(by.cell) <= by.notice.calls;
            common != 0 && is_near && target.agent != watcher.agent
        });
        let ranked = near.map(|(by, target, _)| (rank(cell, by.cell, by.id, by.agent), target));
        let target = first(ranked, |target| {
            self.may_begin(watcher, target, Learns::FromOthers)
        });
        target.copied()
    }

    /// Whether an agent may begin a chase of a target on its map: it does not return, its leash
    /// lets it follow, it has not given the target up, and it can learn of it.
    fn may_begin(&self, watcher: &Watcher, target: &Seen, learns: Learns) -> bool {
        let (Ok(one), Ok(map)) = (self.noticers.get(watcher.agent), self.maps.get(watcher.map))
        else {
            return false;
        };
        let (from, to, now) = (watcher.cell, target.cell, self.clock.now());
        let is_cut_off = || {
            let body = self.bodies.get(target.agent).map(|body| body.footprint);
            is_cut_off(map, one.chaser, from, (to, body.unwrap_or_default()))
        };
        let is_attentive = match one.leash {
            Some(leash) if one.is_returning && !leash.notices_on_return => false,
            Some(leash) => leash.allows(one.home, from, to),
            None => !one.is_returning,
        };
        is_attentive
            && !(one.given_up).is_some_and(|it| it.has(target.id, to, now, is_cut_off))
            && (learns == Learns::FromOthers || one.cone.is_none_or(|cone| cone.contains(from, to)))
            && (learns != Learns::BySight || map.grid().sees(from, to, one.chaser.rules))
    }
}

/// Columns or rows apart, whichever is more; the square of the straight distance; number. No two
/// are equal.
type Rank = (u16, u64, AgentId, Entity);

/// The place of an agent on a cell in the order by distance from another cell.
fn rank(from: Cell, cell: Cell, id: AgentId, agent: Entity) -> Rank {
    let (dx, dy) = (from.x.abs_diff(cell.x), from.y.abs_diff(cell.y));
    let square = u64::from(dx).pow(2) + u64::from(dy).pow(2);
    (from.chebyshev(cell), square, id, agent)
}

/// The first candidate by rank for which a test holds. Tests only candidates before the first one
/// so far: a test may follow a line of sight.
fn first<'a, T>(
    candidates: impl Iterator<Item = (Rank, &'a T)>,
    mut is_good: impl FnMut(&T) -> bool,
) -> Option<&'a T> {
    let mut first: Option<(Rank, &T)> = None;
    for (rank, one) in candidates {
        if first.is_none_or(|(least, _)| rank < least) && is_good(one) {
            first = Some((rank, one));
        }
    }
    first.map(|(_, one)| one)
}

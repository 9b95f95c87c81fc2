//! Chasers that lose sight of their targets: they go where they saw them last, look around, and
//! give up.

use crate::{
    Activity, ActivityCause, ChaseRecord, Home, Interrupted, LastPlace, Returning, Threat,
    ViewCone,
    activity::{PendingCause, announce},
    plugins::{GiveUpSystems, add_once, add_shared, behaviour_plugin},
    returning::{ReturnPlugin, begin_return, way_back},
    turns::is_turn,
};
use bevy_app::{App, Plugin};
use bevy_ecs::{prelude::*, query::QueryData};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{
    AgentId, CellPosition, Chaser, Chasing, Crowding, Destination, NavClock, NavMap, NavTime,
    NavTimer, OnMap, Period,
    extend::{on_demand, require_nav},
    go_to::WalkJudge,
    groups::ChasingGroup,
};
use nav_grid::Cell;

/// Lets a chaser lose its target: without it, a chase follows the target behind every wall.
///
/// Four times a second the chaser looks for its target: it sees one on its map and floor, at most
/// [`range`](Self::range) columns and rows away, with a clear line as for
/// [`Notice::needs_sight`](crate::Notice::needs_sight), to whatever side. It knows where the target
/// is while it sees it, and for [`follows`](Self::follows) longer. Then it goes to the cell where
/// it knew the target last: it is [`Searching`], and [`SightLost`] is sent.
///
/// It [looks around](Self::looks_around) there, or where no way leads on. [`Notice`](crate::Notice)
/// begins another chase whenever it sees somebody. Otherwise [`SearchEnded`] is sent, and it goes
/// home, or back to where the chase began, as at the end of a [`Leash`](crate::Leash). A leash and
/// [`GiveUp`](crate::GiveUp) hold for the search as for the chase.
///
/// It has no effect on walks, on chases of groups and on agents with [`Threat`](crate::Threat),
/// whose targets others choose.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(Activity, ChaseRecord, Chaser)]
pub struct Memory {
    /// Columns and rows within which it sees its target; 20 by default, twice those of
    /// [`Notice`](crate::Notice): who is chased is looked for.
    pub range: u16,
    /// How long it knows where a target is that it no longer sees; a second by default, which takes
    /// it around the corner behind which the target went.
    pub follows: Period,
    /// How long it looks around where it knew the target last; four seconds by default. An agent
    /// with a [`ViewCone`](crate::ViewCone) turns by a quarter each second.
    pub looks_around: Period,
    #[entities]
    target: Option<Entity>,
    /// Where it knew the target last, and when it saw it.
    seen: (Cell, NavTime),
}

impl Default for Memory {
    fn default() -> Self {
        Self::new(20)
    }
}

impl Memory {
    /// Sees its target within some columns and rows.
    pub const fn new(range: u16) -> Self {
        Self {
            range,
            follows: Period::from_millis(1000),
            looks_around: Period::from_millis(4000),
            target: None,
            seen: (Cell::new(0, 0), NavTime(0)),
        }
    }

    /// Replaces how long it knows where a target is that it no longer sees, and how long it looks
    /// around.
    #[must_use]
    pub fn with_times(self, follows: impl Into<Period>, looks_around: impl Into<Period>) -> Self {
        Self {
            follows: follows.into(),
            looks_around: looks_around.into(),
            ..self
        }
    }

    /// Takes in where a target is, if that is on the agent's map, and whether the agent sees it.
    /// Returns the cell where it loses the target, if it does.
    fn look(&mut self, target: Entity, at: Option<Cell>, sees: bool, now: NavTime) -> Option<Cell> {
        let is_new = self.target != Some(target);
        if is_new && at.is_none() {
            return None;
        }
        self.target = Some(target);
        // The sender of a chase tells where its target is.
        if let Some(at) = at.filter(|_| is_new || sees) {
            self.seen = (at, now);
        } else if now >= self.seen.1.after(self.follows) {
            self.target = None;
            return Some(self.seen.0);
        } else if let Some(at) = at {
            self.seen.0 = at;
        }
        None
    }

    /// Replaces the cell of a map that moved.
    pub(super) fn move_cells(&mut self, moved: impl Fn(Cell) -> Cell) {
        self.seen.0 = moved(self.seen.0);
    }
}

/// Marks an agent that [lost](Memory) its target: on its way to where it knew it last, or looking
/// around there. Removed when another chase begins and when the search ends. Remove
/// [`Chasing`](nav::Chasing) to end it at once.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
pub struct Searching {
    /// The time at which it began to look around.
    since: Option<NavTime>,
}

impl Searching {
    /// Whether it looks around, at the end of its way.
    pub const fn looks_around(&self) -> bool {
        self.since.is_some()
    }
}

/// The message that a chaser lost sight of its target. Also an observer event at the agent.
///
/// Written in [`BehaviourSystems::GiveUp`](crate::BehaviourSystems::GiveUp), in the order of
/// [`AgentId`]s.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SightLost {
    /// The agent that searches now.
    #[event_target]
    pub agent: Entity,
    /// The target that it lost.
    pub target: Entity,
    /// Where it goes to look for it.
    pub cell: Cell,
}

/// The message that an agent found nobody in its search. Also an observer event at the agent.
///
/// Written in [`BehaviourSystems::GiveUp`](crate::BehaviourSystems::GiveUp), in the order of
/// [`AgentId`]s.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchEnded {
    /// The agent that searched.
    #[event_target]
    pub agent: Entity,
    /// Where it knew its target last.
    pub cell: Cell,
}

/// How often an agent with a view cone turns while it looks around: four turns by a
/// quarter show all sides in the default time.
const TURN: Period = Period::from_millis(1000);

behaviour_plugin! {
    /// Lets chasers with [`Memory`] lose their targets.
    MemoryPlugin
}

impl Plugin for MemoryPlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        add_once(app, ReturnPlugin(self.schedule));
        let lose = on_demand::<Hunting, _>(lose_sight);
        let search = on_demand::<With<Searching>, _>(search);
        app.add_message::<SightLost>()
            .add_message::<SearchEnded>()
            .add_systems(
                self.schedule,
                (lose, search).chain().in_set(GiveUpSystems::LoseSight),
            )
            .add_observer(stop_after_chase)
            .add_observer(stop_for_chase);
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "MemoryPlugin");
    }
}

/// An agent that may lose its target.
type Hunting = (
    With<Memory>,
    With<Chasing>,
    Without<ChasingGroup>,
    Without<Threat>,
    Without<Searching>,
    Without<Returning>,
    Without<Interrupted>,
);

#[derive(QueryData)]
#[query_data(mutable)]
struct Hunter {
    entity: Entity,
    id: &'static AgentId,
    memory: &'static mut Memory,
    chasing: &'static Chasing,
    chaser: &'static Chaser,
    position: &'static CellPosition,
    on_map: &'static OnMap,
}

/// Sends chasers that see their targets no longer to where they knew them last.
fn lose_sight(
    clock: Res<NavClock>,
    mut hunters: Query<Hunter, Hunting>,
    targets: Query<(&CellPosition, &OnMap), Without<Destination>>,
    maps: Query<&NavMap>,
    mut causes: Query<&mut PendingCause>,
    mut commands: Commands,
    mut lost: Local<Vec<(AgentId, OnMap, SightLost)>>,
) {
    let now = clock.now();
    for mut one in &mut hunters {
        let target = one.chasing.0;
        if one.memory.target == Some(target) && !is_turn(&clock, *one.id) {
            continue;
        }
        let (Ok((place, on_map)), Ok(map)) = (targets.get(target), maps.get(one.on_map.0)) else {
            continue;
        };
        let at = (on_map == one.on_map).then_some(place.cell);
        let from = one.position.cell;
        let sees = at.is_some_and(|at| {
            at.floor == from.floor
                && at.chebyshev(from) <= one.memory.range
                && map.grid().sees(from, at, one.chaser.rules)
        });
        if let Some(cell) = one.memory.look(target, at, sees, now) {
            let agent = one.entity;
            let event = SightLost {
                agent,
                target,
                cell,
            };
            lost.push((*one.id, *one.on_map, event));
        }
    }
    lost.sort_unstable_by_key(|&(id, _, event)| (id, event.agent));
    for (_, on_map, event) in lost.drain(..) {
        PendingCause::note(&mut causes, event.agent, ActivityCause::SightLost);
        let place = (LastPlace, on_map, CellPosition::at(event.cell));
        let search = (Searching::default(), Chasing(commands.spawn(place).id()));
        commands.entity(event.agent).insert(search);
        announce(&mut commands, event);
    }
}

#[derive(QueryData)]
#[query_data(mutable)]
struct Searcher {
    entity: Entity,
    id: &'static AgentId,
    searching: &'static mut Searching,
    chasing: &'static Chasing,
    memory: Option<&'static Memory>,
    timer: &'static NavTimer,
    crowding: Option<&'static Crowding>,
    cone: Option<&'static mut ViewCone>,
    home: Option<&'static Home>,
    record: Option<&'static ChaseRecord>,
    on_map: &'static OnMap,
}

/// A search that is over: whose, on which map, where the agent goes back to, and the message.
type Over = (AgentId, OnMap, Option<Cell>, SearchEnded);

/// Lets agents look around at the ends of their searches, and sends those back that found nobody,
/// in the order of agents.
fn search(
    clock: Res<NavClock>,
    mut searchers: Query<Searcher>,
    places: Query<&CellPosition, With<LastPlace>>,
    judge: WalkJudge,
    mut causes: Query<&mut PendingCause>,
    mut commands: Commands,
    mut over: Local<Vec<Over>>,
) {
    let (now, before) = (clock.now(), clock.previous());
    for mut one in &mut searchers {
        let (agent, Ok(place)) = (one.entity, places.get(one.chasing.0)) else {
            continue;
        };
        let cell = place.cell;
        let Some(since) = one.searching.since else {
            let has_no_way =
                one.timer.failures() > 0 || one.crowding.is_some_and(Crowding::is_blocked);
            if has_no_way || judge.end(agent, cell).is_some() {
                one.searching.since = Some(now);
            }
            continue;
        };
        let looks_around = one.memory.map(|memory| memory.looks_around);
        if now >= since.after(looks_around.unwrap_or_default()) {
            let back = way_back(one.home, one.record);
            let ended = SearchEnded { agent, cell };
            over.push((*one.id, *one.on_map, back, ended));
        } else if let Some(cone) = &mut one.cone {
            let [turns, turned] =
                [now, before].map(|time| time.0.saturating_sub(since.0) / TURN.nanos());
            if turns > turned {
                cone.turn();
            }
        }
    }
    over.sort_unstable_by_key(|&(id, _, _, ended)| (id, ended.agent));
    for (_, on_map, back, ended) in over.drain(..) {
        PendingCause::note(&mut causes, ended.agent, ActivityCause::NotFound);
        commands.entity(ended.agent).remove::<Chasing>();
        if let Some(back) = back {
            begin_return(&mut commands, ended.agent, on_map, back);
        }
        announce(&mut commands, ended);
    }
}

/// Ends the search of an agent that goes nowhere any more.
fn stop_after_chase(
    removed: On<Remove<Chasing>>,
    searchers: Query<(), With<Searching>>,
    mut commands: Commands,
) {
    if searchers.contains(removed.entity) {
        commands.entity(removed.entity).try_remove::<Searching>();
    }
}

/// Ends the search of an agent that chases somebody, or goes elsewhere.
fn stop_for_chase(
    inserted: On<Insert<Chasing>>,
    searchers: Query<&Chasing, With<Searching>>,
    places: Query<(), With<LastPlace>>,
    mut commands: Commands,
) {
    let agent = inserted.entity;
    if searchers.get(agent).is_ok_and(|to| !places.contains(to.0)) {
        commands.entity(agent).try_remove::<Searching>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_it_saw() {
        let (one, other) = (Entity::from_raw_u32(1), Entity::from_raw_u32(2));
        let (one, other) = (one.unwrap(), other.unwrap());
        let mut memory = Memory::new(9);
        let mut look = |seconds: u64, target, x: Option<u16>, sees| {
            let at = x.map(|x| Cell::new(x, 0));
            let lost = memory.look(target, at, sees, NavTime(seconds * 1_000_000_000));
            lost.map(|cell| cell.x)
        };
        assert_eq!(look(10, one, Some(4), false), None, "was told");
        assert_eq!(look(10, one, Some(5), false), None);
        assert_eq!(look(11, one, Some(6), false), Some(5), "lost");
        assert_eq!(look(12, one, Some(6), true), None);
        assert_eq!(look(30, one, Some(7), true), None, "sees it");
        assert_eq!(look(31, one, None, false), Some(7), "on another map");
        assert_eq!(look(32, one, None, false), None, "begins on another map");
        assert_eq!(look(40, one, Some(8), true), None);
        assert_eq!(look(50, other, Some(3), false), None, "another target");
        assert_eq!(look(51, other, Some(2), false), Some(3));
    }
}

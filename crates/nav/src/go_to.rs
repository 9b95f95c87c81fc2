//! Walks onto cells: [`GoTo`].
//!
//! A walk is a chase of a [`Destination`] of the agent's own. Searches, throttles, budgets and
//! detours need no second form for walks.

use crate::{
    AgentId, Body, CellPosition, ChaseState, ChasedBy, Chaser, Chasing, Crowding, Destination,
    NavSystems, Occupancy, OnMap, PathCursor, sets::on_demand,
};
use bevy_app::App;
use bevy_ecs::{
    event::EventPattern,
    intern::Interned,
    prelude::*,
    query::{QueryData, QueryFilter},
    schedule::ScheduleLabel,
    system::SystemParam,
};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav_grid::Cell;

/// Marks the [`Destination`] of a walk. It is despawned in [`NavSystems::BeginWalks`] when no agent
/// goes there.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component))]
#[require(Destination)]
pub struct WalkEnd;

/// Sends a chaser onto a cell of its map while it chases nothing. A chase interrupts the walk,
/// which continues afterwards. Removed when the walk ends, see [`GoToEnded`]. Remove it to cancel
/// the walk, or insert another one to go elsewhere.
///
/// The agent chases a [`Destination`] of its own, a [`WalkEnd`], which is spawned and despawned
/// with the walk. It is searched, throttled and budgeted like any chase. To send many agents to one
/// cell, spawn a [`Destination`] and insert [`Chasing`] with it: they share a field.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
pub struct GoTo(pub Cell);

/// The message that a walk ended. Also an observer event at the agent.
///
/// Written in [`NavSystems::EndWalks`], in the order of [`AgentId`]s, or by a game that ends the
/// walk with [`WalkCommands`].
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoToEnded {
    /// The agent that walked.
    #[event_target]
    pub agent: Entity,
    /// The cell of the walk.
    pub cell: Cell,
    /// How it ended.
    pub end: GoToEnd,
}

/// How a [walk](GoTo) ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GoToEnd {
    /// The agent covers the cell.
    Arrived,
    /// Another body is on the cell. The agent is beside it, or as near as bodies at rest around it
    /// let it come.
    Taken,
    /// The cell was unreachable, or bodies kept the agent from it, for longer than the game waits:
    /// `GiveUp` of the crate `nav_behaviour`.
    Unreachable,
    /// The agent made no progress: `StuckWatch` of the crate `nav_behaviour`.
    Stuck,
}

/// The end of a walk to which no agent goes.
type Unused = (With<WalkEnd>, Without<ChasedBy>);

/// Despawns unused ends of walks.
///
/// Not at once when the last agent leaves: where an equal [`Chasing`] overwrites one, the end is
/// unused between two commands, and the second command needs the entity.
fn despawn_unused(ends: Query<Entity, Unused>, mut commands: Commands) {
    for end in &ends {
        commands.entity(end).try_despawn();
    }
}

/// Begins and ends the walks of [`GoTo`].
pub(crate) fn add_go_to(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    let begin = (
        on_demand::<OnTheWay, _>(redirect),
        on_demand::<Sent, _>(begin_walks),
        on_demand::<Unused, _>(despawn_unused),
    );
    let end = on_demand::<OnTheWay, _>(end_walks);
    app.add_message::<GoToEnded>()
        .add_systems(schedule, end.in_set(NavSystems::EndWalks))
        .add_systems(schedule, begin.chain().in_set(NavSystems::BeginWalks))
        .add_observer(stop_walking::<Remove<GoTo>, ()>);
}

/// An agent with a place to go to and a chase, of that place or of a target.
type OnTheWay = (With<GoTo>, With<Chasing>);

/// An agent with a place to go to and without a chase.
type Sent = (With<Chaser>, With<GoTo>, Without<Chasing>);

#[derive(QueryData)]
struct Walker {
    entity: Entity,
    position: &'static CellPosition,
    chaser: &'static Chaser,
    crowding: Option<&'static Crowding>,
    body: Option<&'static Body>,
    on_map: Option<&'static OnMap>,
}

/// Judges whether agents are at the ends of their walks.
#[derive(SystemParam)]
pub struct WalkJudge<'w, 's> {
    walkers: Query<'w, 's, Walker>,
    occupancy: Occupancy<'w, 's>,
    bodies: Query<'w, 's, (Has<Chasing>, Option<&'static PathCursor>)>,
}

impl WalkJudge<'_, '_> {
    /// How the walk of an agent to a cell ends in this tick, if it does.
    pub fn end(&self, walker: Entity, to: Cell) -> Option<GoToEnd> {
        let walker = self.walkers.get(walker).ok()?;
        let (from, footprint) = (walker.position.cell, walker.chaser.rules.footprint);
        if footprint.area(from).contains(to) {
            return Some(GoToEnd::Arrived);
        }
        // A body that moved at its last move tick may still find the cell free.
        let crowding = walker.crowding.filter(|crowding| crowding.stands)?;
        let is_beside = from.floor == to.floor && from.chebyshev(to) <= footprint.side().into();
        if walker.body.is_none() || !is_beside && !crowding.no_place {
            return None;
        }
        // Further away, a body that goes on may leave the cell before the agent comes.
        let rests = self.rests(walker.on_map?.0, to, walker.entity)?;
        (is_beside || rests).then_some(GoToEnd::Taken)
    }

    /// Whether another body than that of an agent holds a cell, and if so, whether it rests there.
    fn rests(&self, map: Entity, cell: Cell, agent: Entity) -> Option<bool> {
        let holder = self.occupancy.who(map, cell)?;
        let (is_chaser, cursor) = self.bodies.get(holder).ok()?;
        let is_reached = cursor.is_some_and(|cursor| cursor.state() == ChaseState::Reached);
        (holder != agent).then_some(!is_chaser || is_reached)
    }
}

fn end_walks(
    walkers: Query<(Entity, &AgentId, &GoTo, &Chasing)>,
    ends: Query<(), With<WalkEnd>>,
    judge: WalkJudge,
    mut commands: Commands,
    mut list: Local<Vec<(AgentId, GoToEnded)>>,
) {
    for (agent, &id, &GoTo(cell), chasing) in &walkers {
        if ends.contains(chasing.0)
            && let Some(end) = judge.end(agent, cell)
        {
            list.push((id, GoToEnded { agent, cell, end }));
        }
    }
    list.sort_unstable_by_key(|&(id, end)| (id, end.agent));
    for (_, end) in list.drain(..) {
        commands.end_walk(end);
    }
}

/// Begins and ends walks beside those of [`GoTo`]: for components of a game that send agents.
pub trait WalkCommands {
    /// Spawns the [end](WalkEnd) of a walk, and sends an agent there.
    fn begin_walk(&mut self, walker: Entity, map: OnMap, to: CellPosition);

    /// Ends the walk of an agent: removes its [`GoTo`] and its [`Chasing`], and reports the end.
    fn end_walk(&mut self, end: GoToEnded);
}

impl WalkCommands for Commands<'_, '_> {
    fn begin_walk(&mut self, walker: Entity, map: OnMap, to: CellPosition) {
        let end = self.spawn((WalkEnd, map, to)).id();
        self.entity(walker).insert(Chasing(end));
    }

    fn end_walk(&mut self, end: GoToEnded) {
        self.entity(end.agent).remove::<(GoTo, Chasing)>();
        self.write_message(end);
        self.trigger(end);
    }
}

/// A walk of which the end may have to move.
type Redirected = (With<Chaser>, Or<(Changed<GoTo>, Changed<OnMap>)>);

/// The end of a walk; no chaser itself.
type End = (With<WalkEnd>, Without<Chaser>);

/// Moves the ends of walks when the game sent the walker to another cell, or put it onto another
/// map.
fn redirect(
    walkers: Query<(&GoTo, &Chasing, &OnMap), Redirected>,
    mut ends: Query<(&mut CellPosition, &mut OnMap), End>,
) {
    // A new end would be a new chase, which is searched at once, past the throttle of searches.
    for (go_to, chasing, on_map) in &walkers {
        if let Ok((mut end, mut map)) = ends.get_mut(chasing.0) {
            end.set_if_neq(CellPosition::at(go_to.0));
            map.set_if_neq(*on_map);
        }
    }
}

fn begin_walks(walkers: Query<(Entity, &GoTo, &OnMap), Sent>, mut commands: Commands) {
    for (walker, go_to, on_map) in &walkers {
        commands.begin_walk(walker, *on_map, CellPosition::at(go_to.0));
    }
}

/// Ends the [walk](GoTo) of an agent that lost the component which sent it: an observer of its
/// removal.
pub fn stop_walking<E: EventPattern<Event: EntityEvent>, F: QueryFilter + 'static>(
    removed: On<E>,
    walkers: Query<&Chasing, F>,
    ends: Query<(), With<WalkEnd>>,
    mut commands: Commands,
) {
    let walker = removed.event().event_target();
    if let Ok(chasing) = walkers.get(walker)
        && ends.contains(chasing.0)
    {
        commands.entity(walker).try_remove::<Chasing>();
    }
}

//! Walks of single agents onto cells.
//!
//! A walk is a chase of a [`Destination`] of the agent's own. Searches, throttles, budgets and
//! detours need no second form for walks.

use crate::{Activity, BehaviourSystems, StuckWatch, on_demand::on_demand, plugins::add_shared};
use bevy_app::{App, Plugin};
use bevy_ecs::{
    entity::Entities,
    event::EventPattern,
    intern::Interned,
    prelude::*,
    query::{QueryData, QueryFilter},
    schedule::ScheduleLabel,
    system::SystemParam,
};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{
    AgentId, Body, CellPosition, ChaseState, ChasedBy, Chaser, Chasing, Crowding, Destination,
    Occupancy, OnMap, PathCursor,
};
use nav_grid::Cell;

/// Marks the [`Destination`] of a walk. It is despawned in [`BehaviourSystems::Walk`] when no agent
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
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
#[require(Activity)]
pub struct GoTo(pub Cell);

/// The message that a walk ended. Also an observer event at the agent.
///
/// Written in [`BehaviourSystems::Walk`], in the order of [`AgentId`]s.
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

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GoToEnd {
    /// The agent covers the cell.
    Arrived,
    /// Another body is on the cell. The agent is beside it, or as near as bodies at rest around it
    /// let it come.
    Taken,
    /// The cell was unreachable, or bodies kept the agent from it, for as long as its
    /// [`GiveUp`](crate::GiveUp) says.
    Unreachable,
    /// The agent made no progress, and no retry of its [`StuckWatch`] helped.
    Stuck,
}

/// The steps of [`BehaviourSystems::Walk`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum WalkSystems {
    /// Ends walks that arrived.
    End,
    /// Sends agents without a walk to the next stop of their patrol.
    Patrol,
    /// Sends members of formations to their slots.
    Form,
    /// Sends agents home that still have no walk.
    GoHome,
    /// Begins walks.
    Begin,
    /// Despawns the ends of walks without an agent.
    Clear,
}

/// The order of the steps of walks, and their cleaning up.
struct WalksPlugin(Interned<dyn ScheduleLabel>);

impl Plugin for WalksPlugin {
    fn build(&self, app: &mut App) {
        use WalkSystems::{Begin, Clear, End, Form, GoHome, Patrol};

        add_shared(app, self.0);
        let steps = (End, Patrol, Form, GoHome, Begin, Clear).chain();
        let despawn = on_demand::<Unused, _>(despawn_unused).in_set(Clear);
        app.configure_sets(self.0, steps.in_set(BehaviourSystems::Walk))
            .add_systems(self.0, despawn);
    }
}

/// Adds the order of walks once. Each plugin with walks calls it, so that any of them can be left
/// out.
pub(super) fn add_walks(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    if !app.is_plugin_added::<WalksPlugin>() {
        app.add_plugins(WalksPlugin(schedule));
    }
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
pub struct GoToPlugin(pub Interned<dyn ScheduleLabel>);

impl Plugin for GoToPlugin {
    fn build(&self, app: &mut App) {
        add_walks(app, self.0);
        let redirect = on_demand::<OnTheWay, _>(redirect);
        let begin = (redirect, on_demand::<Sent, _>(begin_walks)).chain();
        let end = on_demand::<OnTheWay, _>(end_walks);
        app.add_message::<GoToEnded>()
            .add_systems(self.0, end.in_set(WalkSystems::End))
            .add_systems(self.0, begin.in_set(WalkSystems::Begin))
            .add_observer(stop_walking::<Remove<GoTo>, ()>);
    }
}

/// An agent with a place to go to and a chase, of that place or of a target.
type OnTheWay = (With<GoTo>, With<Chasing>);

/// An agent with a place to go to and without a chase.
type Sent = (With<Chaser>, With<GoTo>, Without<Chasing>);

#[derive(QueryData)]
#[query_data(mutable)]
struct Walker {
    entity: Entity,
    id: &'static AgentId,
    go_to: &'static GoTo,
    chasing: &'static Chasing,
    position: &'static CellPosition,
    chaser: &'static Chaser,
    crowding: Option<&'static Crowding>,
    body: Option<&'static Body>,
    on_map: Option<&'static OnMap>,
    watch: Option<&'static mut StuckWatch>,
}

/// The bodies on cells where walks end.
#[derive(SystemParam)]
struct Holders<'w, 's> {
    entities: &'w Entities,
    occupancy: Option<Res<'w, Occupancy>>,
    bodies: Query<'w, 's, (Has<Chasing>, Option<&'static PathCursor>)>,
}

impl Holders<'_, '_> {
    /// Whether another body than that of an agent holds a cell, and if so, whether it rests there.
    fn rests(&self, map: Entity, cell: Cell, agent: Entity) -> Option<bool> {
        let holder = self.occupancy.as_ref()?.holder(map, cell)?;
        let holder = self.entities.resolve_from_index(holder);
        let (is_chaser, cursor) = self.bodies.get(holder).ok()?;
        let is_reached = cursor.is_some_and(|cursor| cursor.state() == ChaseState::Reached);
        (holder != agent).then_some(!is_chaser || is_reached)
    }
}

impl WalkerItem<'_, '_> {
    /// How the walk ends in this tick, if it does.
    fn end(&mut self, holders: &Holders) -> Option<GoToEnd> {
        let (from, to) = (self.position.cell, self.go_to.0);
        let footprint = self.chaser.rules.footprint;
        if footprint.area(from).contains(to) {
            return Some(GoToEnd::Arrived);
        }
        if let Some(watch) = self.watch.as_mut().filter(|watch| watch.is_stuck()) {
            watch.forget();
            return Some(GoToEnd::Stuck);
        }
        // A body that moved at its last move tick may still find the cell free.
        let crowding = self.crowding.filter(|crowding| crowding.stands)?;
        let is_beside = from.floor == to.floor && from.chebyshev(to) <= footprint.side().into();
        if self.body.is_none() || !is_beside && !crowding.no_place {
            return None;
        }
        // Further away, a body that goes on may leave the cell before the agent comes.
        let rests = holders.rests(self.on_map?.0, to, self.entity)?;
        (is_beside || rests).then_some(GoToEnd::Taken)
    }
}

fn end_walks(
    mut walkers: Query<Walker>,
    ends: Query<(), With<WalkEnd>>,
    holders: Holders,
    mut messages: MessageWriter<GoToEnded>,
    mut commands: Commands,
    mut list: Local<Vec<(AgentId, GoToEnded)>>,
) {
    for mut walker in &mut walkers {
        if ends.contains(walker.chasing.0)
            && let Some(end) = walker.end(&holders)
        {
            let (agent, cell) = (walker.entity, walker.go_to.0);
            list.push((*walker.id, GoToEnded { agent, cell, end }));
        }
    }
    list.sort_unstable_by_key(|&(id, end)| (id, end.agent));
    for (_, end) in list.drain(..) {
        end_walk(end, &mut messages, &mut commands);
    }
}

/// Ends a walk and reports it.
pub(super) fn end_walk(
    end: GoToEnded,
    messages: &mut MessageWriter<GoToEnded>,
    commands: &mut Commands,
) {
    commands.entity(end.agent).remove::<(GoTo, Chasing)>();
    messages.write(end);
    commands.trigger(end);
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
        begin_walk(walker, *on_map, CellPosition::at(go_to.0), &mut commands);
    }
}

/// Spawns the end of a walk, and sends an agent there.
pub(super) fn begin_walk(walker: Entity, map: OnMap, to: CellPosition, commands: &mut Commands) {
    let end = commands.spawn((WalkEnd, map, to)).id();
    commands.entity(walker).insert(Chasing(end));
}

/// Ends the walk of an agent that lost the component which sent it.
pub(super) fn stop_walking<E: EventPattern<Event: EntityEvent>, F: QueryFilter + 'static>(
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

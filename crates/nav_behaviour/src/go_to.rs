//! Walks of one agent onto a cell.

use crate::{
    Activity, WalkEnd,
    on_demand::on_demand,
    walks::{WalkSystems, add_walks},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, query::QueryData, schedule::ScheduleLabel};
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav::{AgentId, Body, CellPosition, Chaser, Chasing, NavTimer, Occupancy, OnMap};
use nav_grid::Cell;

/// Sends a chaser onto a cell of its map, whenever it chases nobody. A chase interrupts the walk, which
/// goes on afterwards. Removed when it comes to its end, see [`GoToEnded`]; remove it to call the walk
/// off, or insert another one to go elsewhere.
///
/// The agent chases a [`Destination`](nav::Destination) of its own, a [`WalkEnd`], which comes and goes
/// with the walk: a walk is searched, throttled and budgeted as a chase is, and bodies in the way are gone
/// round in the same way. To send many to one cell, spawn a [`Destination`](nav::Destination) and have
/// them chase that: they share a field.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
#[require(Activity)]
pub struct GoTo(pub Cell);

/// A walk came to its end. Also an observer event at the agent.
///
/// Written in [`BehaviourSystems::Walk`](crate::BehaviourSystems::Walk), in the order of [`AgentId`]s.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoToEnded {
    /// Who walked.
    #[event_target]
    pub agent: Entity,
    /// Where it was to go.
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
    /// The agent stands beside the cell, and another body on it.
    Taken,
    /// The cell could not be reached for as long as the agent's [`GiveUp`](crate::GiveUp) says.
    Unreachable,
}

/// Begins and ends the walks of [`GoTo`].
pub struct GoToPlugin(pub Interned<dyn ScheduleLabel>);

impl Plugin for GoToPlugin {
    fn build(&self, app: &mut App) {
        add_walks(app, self.0);
        app.add_message::<GoToEnded>()
            .add_systems(
                self.0,
                (
                    on_demand::<OnTheWay, _>(end_walks).in_set(WalkSystems::End),
                    (
                        on_demand::<OnTheWay, _>(redirect),
                        on_demand::<Sent, _>(begin_walks),
                    )
                        .chain()
                        .in_set(WalkSystems::Begin),
                ),
            )
            .add_observer(call_off);
    }
}

#[derive(QueryData)]
pub(super) struct OnWalk {
    entity: Entity,
    id: &'static AgentId,
    go_to: &'static GoTo,
    chasing: &'static Chasing,
    position: &'static CellPosition,
    chaser: &'static Chaser,
    timer: &'static NavTimer,
    body: Option<&'static Body>,
    on_map: Option<&'static OnMap>,
}

impl OnWalkItem<'_, '_> {
    /// How the walk ends now, if it does.
    fn end(&self, occupancy: Option<&Occupancy>) -> Option<GoToEnd> {
        let (from, to) = (self.position.cell, self.go_to.0);
        let footprint = self.chaser.rules.footprint;
        if footprint.area(from).contains(to) {
            return Some(GoToEnd::Arrived);
        }
        let is_beside = from.floor == to.floor && from.chebyshev(to) <= footprint.side().into();
        if self.body.is_none() || !is_beside || !self.timer.stands() {
            return None;
        }
        let is_taken = occupancy?.is_taken(self.on_map?.0, to, self.entity);
        is_taken.then_some(GoToEnd::Taken)
    }
}

fn end_walks(
    walkers: Query<OnWalk>,
    places: Query<(), With<WalkEnd>>,
    occupancy: Option<Res<Occupancy>>,
    mut ended: MessageWriter<GoToEnded>,
    mut commands: Commands,
    mut list: Local<Vec<(AgentId, GoToEnded)>>,
) {
    for walker in &walkers {
        if places.contains(walker.chasing.0)
            && let Some(end) = walker.end(occupancy.as_deref())
        {
            let (agent, cell) = (walker.entity, walker.go_to.0);
            list.push((*walker.id, GoToEnded { agent, cell, end }));
        }
    }
    list.sort_unstable_by_key(|&(id, end)| (id, end.agent));
    for (_, end) in list.drain(..) {
        end_walk(end, &mut ended, &mut commands);
    }
}

/// Ends a walk and says how.
pub(super) fn end_walk(
    end: GoToEnded,
    ended: &mut MessageWriter<GoToEnded>,
    commands: &mut Commands,
) {
    commands.entity(end.agent).remove::<(GoTo, Chasing)>();
    ended.write(end);
    commands.trigger(end);
}

/// Has somewhere to go, and chases somebody or is on the way.
type OnTheWay = (With<GoTo>, With<Chasing>);

/// Walks that may lead elsewhere by now.
type Redirected = (With<Chaser>, Or<(Changed<GoTo>, Changed<OnMap>)>);

/// The end of a walk; no chaser itself.
type End = (With<WalkEnd>, Without<Chaser>);

/// Moves the ends of walks that lead elsewhere by now: the game sent the walker to another cell, or put it
/// onto another map.
fn redirect(
    walkers: Query<(&GoTo, &Chasing, &OnMap), Redirected>,
    mut places: Query<(&mut CellPosition, &mut OnMap), End>,
) {
    for (go_to, chasing, on_map) in &walkers {
        if let Ok((mut place, mut map)) = places.get_mut(chasing.0) {
            place.set_if_neq(CellPosition::at(go_to.0));
            map.set_if_neq(*on_map);
        }
    }
}

/// Has somewhere to go, and is not on the way.
type Sent = (With<Chaser>, With<GoTo>, Without<Chasing>);

fn begin_walks(walkers: Query<(Entity, &GoTo, &OnMap), Sent>, mut commands: Commands) {
    for (walker, go_to, on_map) in &walkers {
        let place = commands.spawn((WalkEnd, *on_map, CellPosition::at(go_to.0)));
        let place = place.id();
        commands.entity(walker).insert(Chasing(place));
    }
}

/// Ends the walk of an agent whose [`GoTo`] was removed.
fn call_off(
    removed: On<Remove<GoTo>>,
    walkers: Query<&Chasing>,
    places: Query<(), With<WalkEnd>>,
    mut commands: Commands,
) {
    let walker = removed.entity;
    if let Ok(chasing) = walkers.get(walker)
        && places.contains(chasing.0)
        && let Ok(mut walker) = commands.get_entity(walker)
    {
        walker.try_remove::<Chasing>();
    }
}

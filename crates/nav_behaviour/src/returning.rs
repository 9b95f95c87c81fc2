//! The way back after a chase that an agent gave up.
//!
//! A return is a chase of a [`Destination`] of its own, as a walk is. It leaves the [`GoTo`] of the
//! agent alone: that is the order of the game, which goes on afterwards.
//!
//! [`GoTo`]: nav::GoTo

use crate::{
    ActivityCause, BehaviourSystems, ChaseRecord, Home, LastPlace, ReturnEnd,
    activity::{PendingCause, announce},
    ends::despawn_unused,
};
use bevy_app::{App, Plugin};
use bevy_ecs::{event::EventPattern, intern::Interned, prelude::*, schedule::ScheduleLabel};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{
    AgentId, CellPosition, Chasing, GoToEnd, NavSystems, OnMap, extend::on_demand, go_to::WalkJudge,
};
use nav_grid::Cell;

/// Marks an agent on its way back after a chase that it gave up: to its [`Home`](crate::Home), or
/// else to the start of the chase. Removed when the return ends, see [`ReturnEnded`], and when
/// another chase begins.
///
/// A walk by [`GoTo`](nav::GoTo) that the chase interrupted, or that the game orders meanwhile,
/// goes on after the return. Remove this component, or [`Chasing`], to end the return at once.
///
/// Games can read it as well, such as for invulnerability or healing on the way back.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component))]
pub struct Returning;

/// The message that a [return](Returning) ended. Also an observer event at the agent.
///
/// Written in [`NavSystems::Act`](nav::NavSystems::Act), in the order of [`AgentId`]s: first agents
/// that arrived, then stuck ones, then agents that gave up. A return that the game or
/// another chase ends writes none.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReturnEnded {
    /// The agent that returned.
    #[event_target]
    pub agent: Entity,
    /// The cell of the return.
    pub cell: Cell,
    /// How it ended.
    pub end: GoToEnd,
}

/// Ends returns of agents that are back.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct EndReturns;

/// Ends returns, for all behaviours that begin them.
pub(super) struct ReturnPlugin(pub(super) Interned<dyn ScheduleLabel>);

impl Plugin for ReturnPlugin {
    fn build(&self, app: &mut App) {
        let redirect = on_demand::<OnTheWay, _>(redirect);
        let despawn = (
            on_demand::<With<ReturnEnd>, _>(despawn_unused::<ReturnEnd>),
            on_demand::<With<LastPlace>, _>(despawn_unused::<LastPlace>),
        );
        let despawn = despawn.chain();
        let end = on_demand::<OnTheWay, _>(end_returns);
        let ends = EndReturns
            .in_set(NavSystems::Act)
            .after(NavSystems::EndWalks)
            .before(BehaviourSystems::GiveUp);
        let redirect = (redirect, despawn).chain().in_set(NavSystems::Act);
        app.add_message::<ReturnEnded>()
            .configure_sets(self.0, ends)
            .add_systems(self.0, end.in_set(EndReturns))
            .add_systems(self.0, redirect.after(NavSystems::BeginWalks))
            .add_observer(stop::<Remove<Returning>>)
            .add_observer(stop::<Remove<Chasing>>);
    }
}

/// An agent on its way back.
type OnTheWay = (With<Returning>, With<Chasing>);

/// An agent on its way back that the game put onto another map.
type Moved = (With<Returning>, Changed<OnMap>);

/// Where an agent goes after a chase: home, or to where the chase began.
pub(super) fn way_back(home: Option<&Home>, record: Option<&ChaseRecord>) -> Option<Cell> {
    let home = home.map(|home| home.0);
    home.or(record.and_then(|record| record.began_at))
}

/// Sends an agent back to a cell of its map.
pub(super) fn begin_return(commands: &mut Commands, agent: Entity, map: OnMap, back: Cell) {
    let end = commands
        .spawn((ReturnEnd, map, CellPosition::at(back)))
        .id();
    commands.entity(agent).insert((Returning, Chasing(end)));
}

/// Ends the return of an agent, and reports the end.
pub(super) fn end_return(commands: &mut Commands, end: ReturnEnded) {
    commands.entity(end.agent).remove::<(Returning, Chasing)>();
    announce(commands, end);
}

/// Ends the returns of agents that are back, in the order of agents.
fn end_returns(
    returning: Query<(Entity, &AgentId, &Chasing), With<Returning>>,
    ends: Query<&CellPosition, With<ReturnEnd>>,
    judge: WalkJudge,
    mut causes: Query<&mut PendingCause>,
    mut commands: Commands,
    mut list: Local<Vec<(AgentId, ReturnEnded)>>,
) {
    for (agent, &id, chasing) in &returning {
        if let Ok(&CellPosition { cell, .. }) = ends.get(chasing.0)
            && let Some(end) = judge.end(agent, cell)
        {
            list.push((id, ReturnEnded { agent, cell, end }));
        }
    }
    list.sort_unstable_by_key(|&(id, end)| (id, end.agent));
    for (_, end) in list.drain(..) {
        PendingCause::note(&mut causes, end.agent, ActivityCause::Arrived);
        end_return(&mut commands, end);
    }
}

/// Moves the ends of returns to the map onto which the game put the agent.
fn redirect(
    returning: Query<(&Chasing, &OnMap), Moved>,
    mut ends: Query<&mut OnMap, (With<ReturnEnd>, Without<Returning>)>,
) {
    for (chasing, on_map) in &returning {
        if let Ok(mut map) = ends.get_mut(chasing.0) {
            map.set_if_neq(*on_map);
        }
    }
}

/// Ends a return without a report when the mark or the chase of its end is removed.
fn stop<E: EventPattern<Event: EntityEvent>>(
    removed: On<E>,
    agents: Query<&Chasing, With<Returning>>,
    ends: Query<(), With<ReturnEnd>>,
    mut commands: Commands,
) {
    let agent = removed.event().event_target();
    if let Ok(chasing) = agents.get(agent)
        && ends.contains(chasing.0)
    {
        commands.entity(agent).try_remove::<(Returning, Chasing)>();
    }
}

//! Beginning and ending the stay of agents on links.

use super::{LinkEntered, LinkLeft, OnLink, any_slow_link, held_start};
use crate::{
    AgentId, Body, CellPosition, MoveTimer, NavClock, NavMap, OnMap, Period,
    systems::storage::tick_events::{AgentEvent, TickEvents, in_order},
};
use bevy_ecs::prelude::*;

/// The parts of an agent that tell whether it is still on its link.
type Passing = (
    Entity,
    Option<&'static AgentId>,
    &'static OnLink,
    &'static CellPosition,
    &'static OnMap,
);

/// Ends the stays that are over, and those of agents that the game put elsewhere.
pub(super) fn end_stays(
    clock: Res<NavClock>,
    passing: Query<Passing>,
    mut messages: MessageWriter<LinkLeft>,
    mut commands: Commands,
    mut left: Local<Vec<AgentEvent<LinkLeft>>>,
) {
    for (agent, id, on, position, on_map) in &passing {
        let is_there = position.cell == on.to && on_map.0 == on.map;
        if is_there && clock.now() < on.until {
            continue;
        }
        let message = on.left(agent, is_there);
        left.push((id.copied().unwrap_or_default(), agent, message));
    }
    for &(_, agent, message) in in_order(&mut left) {
        commands.entity(agent).try_remove::<OnLink>();
        messages.write(message);
        commands.trigger(message);
    }
    left.clear();
}

/// The parts of an agent that took a link.
type Entering = (
    Option<&'static mut MoveTimer>,
    Option<&'static Body>,
    Option<&'static OnLink>,
);

/// Begins the stays of agents that took a link in this tick.
pub(super) fn begin_stays(
    clock: Res<NavClock>,
    maps: Query<&NavMap>,
    mut agents: Query<Entering>,
    mut events: ResMut<TickEvents>,
    (mut entered, mut left): (MessageWriter<LinkEntered>, MessageWriter<LinkLeft>),
    mut commands: Commands,
) {
    for &(_, agent, (map, from, to)) in in_order(&mut events.entered) {
        let link = maps
            .get(map)
            .ok()
            .and_then(|map| any_slow_link(map, from, to));
        let (Some(link), Ok((timer, body, before))) = (link, agents.get_mut(agent)) else {
            continue;
        };
        let mut until = clock.now().after(Period::from_millis(link.millis.into()));
        if let Some(mut timer) = timer {
            until = until.max(timer.next_step);
            timer.next_step = until;
        }
        if let Some(before) = before {
            let message = before.left(agent, true);
            left.write(message);
            commands.trigger(message);
        }
        let holds = body.and_then(|body| held_start(body.footprint, from, to));
        let kind = link.kind;
        let on = OnLink {
            map,
            from,
            to,
            kind,
            until,
            holds,
        };
        commands.entity(agent).try_insert(on);
        let message = LinkEntered {
            agent,
            map,
            from,
            to,
            kind,
            until,
        };
        entered.write(message);
        commands.trigger(message);
    }
    events.entered.clear();
}

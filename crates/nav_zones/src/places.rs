//! Places of agents chased from other zones: the second half of sharing.

use crate::{
    Agents, LivesIn, Zone, ZoneId,
    agents::{agent_or_mirror, map_number, maps, set},
    chases::{Chased, Whereabouts},
    envelope::Topic,
};
use bevy_ecs::{component::Mutable, prelude::*};
use nav::{
    AgentId, Body, CellPosition, ChasedBy, Destination, OnMap, WorldPosition,
    extend::{ChasedElsewhere, Mirror},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Agent as chasers in another zone see it.
#[derive(Serialize, Deserialize)]
struct Place {
    agent: AgentId,
    position: CellPosition,
    /// Index of its map in the list of all maps.
    map: Option<u16>,
    world: Option<WorldPosition>,
    body: Option<Body>,
    is_destination: bool,
    /// Number of its chasers that live in other zones than the receiver.
    chased_elsewhere: u32,
}

/// Number of consecutive ticks in which no zone knew the agent of a mirror.
#[derive(Component, Clone, Copy, Default, PartialEq)]
struct Unknown(u32);

/// Answer to a zone about the agents that it chases.
#[derive(Default, Serialize, Deserialize)]
struct Answer {
    places: Vec<Place>,
    /// Agents that do not live in the sender.
    not_here: Vec<(AgentId, Whereabouts)>,
}

/// Consecutive ticks after which an agent that no zone knows counts as gone.
///
/// Until then it may be on its way between zones: two seconds at 20 ticks a second, and 99 of
/// 100 hand-overs take at most three ticks.
const UNKNOWN_MAX: u32 = 40;

/// Sends the zones of chasers the places of their targets, and updates the mirrors of targets in
/// other zones. Despawns the mirrors of agents that are gone.
pub(crate) fn share_places(world: &mut World, zone: &mut Zone) {
    let mut chased = std::mem::take(&mut *world.resource_mut::<Chased>());
    let maps = maps(world);
    count_chasers(world, &chased);
    let mut sent = 0;
    let shared = zone.exchange.send_and_receive(Topic::Places, |to| {
        let places = places_for(world, to, &chased, &maps);
        sent += places.len() as u64;
        let not_here = chased.not_here.remove(&to).unwrap_or_default();
        Answer { places, not_here }
    });
    zone.counts.places_sent += sent;
    let mut unknown: BTreeMap<AgentId, usize> = BTreeMap::new();
    for (from, _, answer) in shared {
        let Answer { places, not_here } = answer;
        for place in places {
            chased.elsewhere.remove(&place.agent);
            show(world, from, place, &maps);
        }
        for (id, whereabouts) in not_here {
            if let Whereabouts::Unknown = whereabouts {
                *unknown.entry(id).or_default() += 1;
            }
            ask_elsewhere(world, id, (zone.id, from), whereabouts);
        }
    }
    if zone.failure().is_none() {
        let others = usize::from(zone.layout.len()) - 1;
        for id in std::mem::take(&mut chased.elsewhere) {
            let is_unknown = unknown.get(&id).is_some_and(|&zones| zones >= others);
            lose(world, id, is_unknown);
        }
    }
    world.insert_resource(chased);
}

/// Redirects the question for an agent to the zone where it went, or to all if that is unknown.
///
/// The agent may have come here from that zone and gone back since: then it is still on its way.
fn ask_elsewhere(
    world: &mut World,
    id: AgentId,
    (own, asked): (ZoneId, ZoneId),
    whereabouts: Whereabouts,
) {
    let Some(mirror) = world.resource::<Agents>().get(id) else {
        return;
    };
    if world.get::<LivesIn>(mirror) != Some(&LivesIn(asked)) {
        return;
    }
    let mut mirror = world.entity_mut(mirror);
    match whereabouts {
        Whereabouts::HandedOver(to) if to == own => return,
        Whereabouts::HandedOver(to) => mirror.insert(LivesIn(to)),
        Whereabouts::Unknown => mirror.remove::<LivesIn>(),
    };
}

/// Despawns the mirror of an agent that no zone has.
///
/// The agent may be on its way, or in a zone that is silent just now. It is gone once no other zone
/// has known it for [`UNKNOWN_MAX`] ticks.
fn lose(world: &mut World, id: AgentId, is_unknown: bool) {
    let Some(mirror) = world.resource::<Agents>().get(id) else {
        return;
    };
    let mut mirror = world.entity_mut(mirror);
    let known = mirror.get::<Unknown>().copied().unwrap_or_default();
    let ticks = if is_unknown { known.0 + 1 } else { 0 };
    if ticks > UNKNOWN_MAX {
        mirror.despawn();
    } else {
        set(&mut mirror, Unknown(ticks));
    }
}

/// Records on local agents how many chasers they have in other zones.
fn count_chasers(world: &mut World, chased: &Chased) {
    let mut counted = world.query_filtered::<(&AgentId, &mut ChasedElsewhere), Without<Mirror>>();
    for (id, mut elsewhere) in counted.iter_mut(world) {
        if !chased.from.contains_key(id) {
            elsewhere.set_if_neq(ChasedElsewhere(0));
        }
    }
    for &id in chased.from.keys() {
        if let Some(agent) = world.resource::<Agents>().get(id) {
            let elsewhere = ChasedElsewhere(chased.count_elsewhere(id, None));
            set(&mut world.entity_mut(agent), elsewhere);
        }
    }
}

/// Returns the places that a zone needs.
fn places_for(world: &World, to: ZoneId, chased: &Chased, maps: &[Entity]) -> Vec<Place> {
    let mut places = Vec::new();
    for (&id, from) in &chased.from {
        if from.contains_key(&to)
            && let Some(agent) = world.resource::<Agents>().get(id)
            && let Ok(agent) = world.get_entity(agent)
            && let Some(&position) = agent.get()
        {
            let here = agent.get::<ChasedBy>().map_or(0, ChasedBy::len) as u32;
            places.push(Place {
                agent: id,
                position,
                map: (agent.get()).and_then(|on_map: &OnMap| map_number(maps, on_map.0)),
                world: agent.get().copied(),
                body: agent.get().copied(),
                is_destination: agent.contains::<Destination>(),
                chased_elsewhere: chased.count_elsewhere(id, Some(to)).saturating_add(here),
            });
        }
    }
    places
}

/// Moves the mirror of an agent to the agent's place and copies its state.
fn show(world: &mut World, from: ZoneId, place: Place, maps: &[Entity]) {
    let agent = agent_or_mirror(world, place.agent);
    let mut mirror = world.entity_mut(agent);
    if !mirror.contains::<Mirror>() {
        return;
    }
    let map = place.map.and_then(|map| maps.get(usize::from(map)));
    set(&mut mirror, LivesIn(from));
    mirror.remove::<Unknown>();
    set(&mut mirror, place.position);
    set_or_remove(&mut mirror, map.map(|&map| OnMap(map)));
    set_or_remove(&mut mirror, place.world);
    set_or_remove(&mut mirror, place.body);
    set_or_remove(&mut mirror, place.is_destination.then_some(Destination));
    set(&mut mirror, ChasedElsewhere(place.chased_elsewhere));
}

fn set_or_remove<C: Component<Mutability = Mutable> + PartialEq>(
    agent: &mut EntityWorldMut,
    value: Option<C>,
) {
    match value {
        Some(value) => set(agent, value),
        None => {
            agent.remove::<C>();
        }
    }
}

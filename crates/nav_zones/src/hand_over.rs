//! Handing agents over that stepped across a border, and taking those over that came.

use crate::{
    LivesIn, Zone, ZoneError, ZoneId,
    agents::{agent_or_mirror, maps},
    carried::{Carried, CarriedColumn},
    chases::Chased,
    rounds::Topic,
};
use bevy_ecs::{entity::EntityHashMap, prelude::*};
use nav::{
    AgentId, CellPosition, FieldAnchor,
    saving::{AgentsSave, leave_mirror},
    shared::Mirror,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What stands for an entity in all zones.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Name {
    Agent(AgentId),
    /// The place of a map among all.
    Map(u16),
}

/// Agents that go to a zone.
#[derive(Serialize, Deserialize)]
struct Leaving {
    agents: AgentsSave,
    /// What stands for the agents and for whatever they name.
    names: Vec<(Entity, Name)>,
    /// What the game has them keep.
    carried: Vec<CarriedColumn>,
}

/// What a zone is sent after a tick.
#[derive(Default, Serialize, Deserialize)]
struct AfterTick {
    leaving: Option<Leaving>,
    /// Who of those that it chases lives in another zone from now on.
    moved: Vec<(AgentId, ZoneId)>,
}

/// Hands over those that are in another zone, and takes over those that came.
pub(crate) fn hand_over(world: &mut World) {
    world.resource_scope(|world, mut zone: Mut<Zone>| {
        if zone.failure().is_some() {
            return;
        }
        let zone = &mut *zone;
        world.resource_scope(|world, carried: Mut<Carried>| {
            if let Err(error) = exchange(world, zone, &carried) {
                zone.rounds.fail(error);
            }
        });
    });
}

fn exchange(world: &mut World, zone: &mut Zone, carried: &Carried) -> Result<(), ZoneError> {
    let maps = maps(world);
    let leaving = leaving(world, zone);
    let mut sent: BTreeMap<ZoneId, AfterTick> = BTreeMap::new();
    for (&to, agents) in &leaving {
        zone.counts.handed_over += agents.len() as u64;
        let agents: Vec<Entity> = agents.iter().map(|&(_, agent)| agent).collect();
        let leaving = write(world, &agents, &maps, carried)?;
        sent.entry(to).or_default().leaving = Some(leaving);
    }
    let chased = world.resource::<Chased>();
    for (&to, agents) in &leaving {
        for &(id, _) in agents {
            let from = chased.from.get(&id).into_iter().flatten();
            for (&chaser_zone, _) in from.filter(|&(&of, _)| of != to) {
                sent.entry(chaser_zone).or_default().moved.push((id, to));
            }
        }
    }
    for (&to, agents) in &leaving {
        for &(_, agent) in agents {
            let mut agent = world.entity_mut(agent);
            carried.remove(&mut agent);
            leave_mirror(&mut agent);
            agent.insert(LivesIn(to));
        }
    }
    let none = AfterTick::default();
    let came = zone
        .rounds
        .exchange(Topic::HandOver, |to| sent.get(&to).unwrap_or(&none));
    for (from, after) in came {
        let AfterTick { leaving, moved } = after;
        for (id, to) in moved {
            let mirror = agent_or_mirror(world, id);
            let mut mirror = world.entity_mut(mirror);
            if mirror.contains::<Mirror>() {
                mirror.insert(LivesIn(to));
            }
        }
        if let Some(leaving) = leaving {
            let taken = take_over(world, leaving, &maps, carried);
            zone.counts.taken_over +=
                taken.map_err(|why| ZoneError::Refused { zone: from, why })?;
        }
    }
    Ok(())
}

/// The agents in other zones, by these, in the order of their numbers.
fn leaving(world: &mut World, zone: &Zone) -> BTreeMap<ZoneId, Vec<(AgentId, Entity)>> {
    let mut agents = world.query_filtered::<(Entity, &AgentId, &CellPosition), Without<Mirror>>();
    let mut leaving: BTreeMap<ZoneId, Vec<(AgentId, Entity)>> = BTreeMap::new();
    for (agent, &id, position) in agents.iter(world) {
        // Whoever is on no map stays where it is.
        let is_somewhere = *position != CellPosition::OUTSIDE;
        let to = zone.layout.zone_of(position.cell);
        if is_somewhere && to != zone.id {
            leaving.entry(to).or_default().push((id, agent));
        }
    }
    for agents in leaving.values_mut() {
        agents.sort_unstable();
    }
    leaving
}

fn write(
    world: &World,
    agents: &[Entity],
    maps: &[Entity],
    carried: &Carried,
) -> Result<Leaving, ZoneError> {
    let save = AgentsSave::of(world, agents.iter().copied());
    let named = save.named();
    let name = |&entity: &Entity| {
        let map = maps.binary_search(&entity).ok();
        let map = map.map(|map| Name::Map(map as u16));
        let id = || world.get::<AgentId>(entity).copied().map(Name::Agent);
        Some((entity, map.or_else(id)?))
    };
    let names = agents.iter().chain(&named).filter_map(name).collect();
    let carried = carried.write(world, agents).map_err(ZoneError::Unwritten)?;
    Ok(Leaving {
        agents: save,
        names,
        carried,
    })
}

/// Takes agents over: how many.
fn take_over(
    world: &mut World,
    leaving: Leaving,
    maps: &[Entity],
    carried: &Carried,
) -> Result<u64, String> {
    let Leaving {
        agents: save,
        names,
        carried: columns,
    } = leaving;
    let mut known = EntityHashMap::default();
    for (entity, name) in names {
        let here = match name {
            Name::Agent(id) => Some(agent_or_mirror(world, id)),
            Name::Map(place) => maps.get(usize::from(place)).copied(),
        };
        known.extend(here.map(|here| (entity, here)));
    }
    let came: Vec<Entity> = save.agents().collect();
    // Of those that are chased here this zone knows where their fields are aimed; the other one sends it if it
    // knows, too.
    let mirrors = came.iter().filter_map(|agent| known.get(agent).copied());
    let observed = &world.resource::<Chased>().observed;
    let mirrors = mirrors.filter(|mirror| observed.contains(mirror));
    let anchors = mirrors.filter_map(|mirror| Some((mirror, *world.get::<FieldAnchor>(mirror)?)));
    let anchors: Vec<(Entity, FieldAnchor)> = anchors.collect();
    let known = save
        .insert(world, known)
        .map_err(|error| error.to_string())?;
    let agents: Vec<Entity> = came
        .iter()
        .filter_map(|agent| known.get(agent).copied())
        .collect();
    for &agent in &agents {
        world.entity_mut(agent).remove::<(Mirror, LivesIn)>();
    }
    for (agent, anchor) in anchors {
        world.entity_mut(agent).insert(anchor);
    }
    carried.insert(world, &agents, columns)?;
    Ok(agents.len() as u64)
}

//! Hand-over of zones in step: in a round after each tick.

use crate::{
    LivesIn, Zone, ZoneError, ZoneId,
    agents::{agent_or_mirror, maps},
    carried::Carried,
    carried_agents::CarriedAgents,
    chases::Chased,
    departure::{leave_mirrors, leaving},
    envelope::Topic,
};
use bevy_ecs::prelude::*;
use nav::{AgentId, internals::Mirror};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Message to a zone after a tick.
#[derive(Default, Serialize, Deserialize)]
struct AfterTick {
    leaving: Option<CarriedAgents>,
    /// Agents that the receiver chases and that moved to another zone, with that zone.
    moved: Vec<(AgentId, ZoneId)>,
}

/// Hands over the agents that stand in another zone, and takes over arrivals.
pub(crate) fn hand_over_in_rounds(world: &mut World) {
    world.resource_scope(|world, mut zone: Mut<Zone>| {
        if zone.failure().is_some() {
            return;
        }
        let zone = &mut *zone;
        world.resource_scope(|world, carried: Mut<Carried>| {
            if let Err(error) = exchange(world, zone, &carried) {
                zone.exchange.fail(error);
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
        let written = CarriedAgents::of(world, agents, &maps, carried);
        let mut written = written.map_err(ZoneError::Unwritten)?;
        written.advance_epochs();
        sent.entry(to).or_default().leaving = Some(written);
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
        leave_mirrors(world, agents, to, carried);
    }
    let none = AfterTick::default();
    let came = zone
        .exchange
        .send_and_receive(Topic::HandOver, |to| sent.get(&to).unwrap_or(&none));
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
            let taken = leaving.insert(world, &maps, carried);
            zone.counts.taken_over +=
                taken.map_err(|why| ZoneError::Refused { zone: from, why })?;
        }
    }
    Ok(())
}

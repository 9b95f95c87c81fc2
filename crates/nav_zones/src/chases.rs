//! Chases across zones: the first half of sharing.

use crate::{
    Agents, ChaseAgent, LivesIn, Zone, ZoneId,
    agents::agent_or_mirror,
    borders::{Borders, Lent},
    departure::Departed,
    envelope::Topic,
};
use bevy_ecs::prelude::*;
use nav::{AgentId, ChasedBy, Chasing, extend::Mirror};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Target in another zone, as the zone of its chasers reports it.
#[derive(Serialize, Deserialize)]
struct Chase {
    target: AgentId,
    chasers: u32,
}

/// Chases across borders.
#[derive(Resource, Default)]
pub(crate) struct Chased {
    /// Local agents chased from other zones, with the number of chasers in each zone.
    pub(crate) from: BTreeMap<AgentId, BTreeMap<ZoneId, u32>>,
    /// Agents of other zones that local chasers chase.
    pub(crate) elsewhere: BTreeSet<AgentId>,
    /// Agents that do not live here, by the zone that asked for them.
    pub(crate) not_here: BTreeMap<ZoneId, Vec<(AgentId, Whereabouts)>>,
}

impl Chased {
    /// Counts the chasers of an agent in other zones, without those in the zone `but`.
    pub(crate) fn count_elsewhere(&self, agent: AgentId, but: Option<ZoneId>) -> u32 {
        let from = self.from.get(&agent).into_iter().flatten();
        let others = from.filter(|&(&zone, _)| Some(zone) != but);
        others.fold(0, |sum, (_, &count)| sum.saturating_add(count))
    }
}

/// Sends the zones of targets the number of local chasers. Records the chasers that other zones
/// have of agents that live here.
pub(crate) fn send_chases(world: &mut World, zone: &mut Zone) {
    find_targets(world);
    let mut mirrors =
        world.query_filtered::<(&AgentId, &ChasedBy, Option<&LivesIn>), With<Mirror>>();
    let mut chases: BTreeMap<Option<ZoneId>, Vec<Chase>> = BTreeMap::new();
    let mut elsewhere = BTreeSet::new();
    for (&target, chased_by, lives_in) in mirrors.iter(world) {
        let chasers = chased_by.len() as u32;
        if chasers > 0 {
            elsewhere.insert(target);
            let lives_in = lives_in.map(|lives_in| lives_in.0);
            let chase = Chase { target, chasers };
            chases.entry(lives_in).or_default().push(chase);
        }
    }
    // The zone of these targets is unknown, so that all zones are asked.
    let unknown = chases.remove(&None).unwrap_or_default();
    let none = Vec::new();
    let received = zone.exchange.send_and_receive(Topic::Chases, |to| {
        let known = chases.get(&Some(to)).unwrap_or(&none);
        known.iter().chain(&unknown).collect::<Vec<&Chase>>()
    });
    let mut chased = Chased {
        elsewhere,
        ..Chased::default()
    };
    for (from, _, chases) in received {
        let chases: Vec<Chase> = chases;
        for Chase { target, chasers } in chases {
            if let Some(whereabouts) = whereabouts(world, target) {
                let of_zone = chased.not_here.entry(from).or_default();
                of_zone.push((target, whereabouts));
            } else {
                let of_target = chased.from.entry(target).or_default();
                of_target.insert(from, chasers);
            }
        }
    }
    world.insert_resource(chased);
    drop_mirrors(world);
}

/// A zone's knowledge of an agent that does not live in it.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) enum Whereabouts {
    /// The zone does not know the agent.
    Unknown,
    /// The agent was recently handed over to this zone.
    HandedOver(ZoneId),
}

/// Returns what this zone knows of an agent that does not live in it. `None` if it does.
fn whereabouts(world: &World, id: AgentId) -> Option<Whereabouts> {
    let here = world.resource::<Agents>().get(id);
    if here.is_some_and(|agent| world.get::<Mirror>(agent).is_none()) {
        return None;
    }
    let handed_over = world.resource::<Departed>().to(id);
    Some(handed_over.map_or(Whereabouts::Unknown, Whereabouts::HandedOver))
}

/// Despawns mirrors without local chasers that are near no border.
fn drop_mirrors(world: &mut World) {
    type Unchased = (With<Mirror>, Without<ChasedBy>, Without<Lent>);
    let mut mirrors = world.query_filtered::<(Entity, &AgentId), Unchased>();
    let borders = world.resource::<Borders>();
    let mut unneeded = Vec::new();
    for (mirror, &agent) in mirrors.iter(world) {
        if !borders.is_in_view(agent) {
            unneeded.push(mirror);
        }
    }
    for mirror in unneeded {
        world.despawn(mirror);
    }
}

/// Replaces each [`ChaseAgent`] by a [`Chasing`] of the agent with that id.
fn find_targets(world: &mut World) {
    let mut chasers = world.query::<(Entity, &ChaseAgent)>();
    let named: Vec<_> = (chasers.iter(world)).map(|(it, of)| (it, of.0)).collect();
    for (chaser, id) in named {
        let target = agent_or_mirror(world, id);
        let mut chaser = world.entity_mut(chaser);
        chaser.remove::<ChaseAgent>();
        chaser.insert(Chasing(target));
    }
}

//! Chases across zones: the first half of sharing.

use crate::{
    Agents, ChaseAgent, LivesIn, Zone, ZoneId,
    agents::{agent_or_mirror, set},
    borders::{Borders, Lent},
    departure::Departed,
    envelope::Topic,
};
use bevy_ecs::{entity::EntityHashSet, prelude::*};
use nav::{
    AgentId, ChasedBy, Chasing,
    internals::{FieldAnchor, FieldsElsewhere, Mirror},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Target in another zone, as the zone of its chasers reports it.
#[derive(Serialize, Deserialize)]
struct Chase {
    target: AgentId,
    /// Number of chasers; 0 if the last ones stopped in this tick.
    chasers: u32,
    /// Where its fields were aimed after the last tick; `None` if it had no chasers here then.
    anchor: Option<FieldAnchor>,
    /// Fields made here.
    fields: FieldsElsewhere,
}

/// Chases across borders.
#[derive(Resource, Default)]
pub(crate) struct Chased {
    /// Local agents chased from other zones, with the number of chasers in each zone.
    pub(crate) from: BTreeMap<AgentId, BTreeMap<ZoneId, u32>>,
    /// Agents of other zones that local chasers chase.
    pub(crate) elsewhere: BTreeSet<AgentId>,
    /// Agents that do not live here, by the zone that asked for them. Empty for zones in step.
    pub(crate) not_here: BTreeMap<ZoneId, Vec<(AgentId, Whereabouts)>>,
    /// Agents with local chasers at the start of the tick. This zone knows where their fields were
    /// aimed in it.
    pub(crate) observed: EntityHashSet,
}

impl Chased {
    /// Counts the chasers of an agent in other zones, without those in the zone `but`.
    pub(crate) fn count_elsewhere(&self, agent: AgentId, but: Option<ZoneId>) -> u32 {
        let from = self.from.get(&agent).into_iter().flatten();
        let others = from.filter(|&(&zone, _)| Some(zone) != but);
        others.fold(0, |sum, (_, &count)| sum.saturating_add(count))
    }
}

/// Sends the zones of targets the number of local chasers and the aim of their fields. Merges the
/// reports of other zones about agents that live here.
pub(crate) fn send_chases(world: &mut World, zone: &Zone) {
    find_targets(world);
    let observed = std::mem::take(&mut world.resource_mut::<Chased>().observed);
    let mut mirrors = world.query_filtered::<(
        Entity,
        &AgentId,
        Option<&ChasedBy>,
        Option<&FieldAnchor>,
        Option<&LivesIn>,
    ), With<Mirror>>();
    let mut chases: BTreeMap<Option<ZoneId>, Vec<Chase>> = BTreeMap::new();
    let mut elsewhere = BTreeSet::new();
    for (mirror, &target, chased_by, anchor, lives_in) in mirrors.iter(world) {
        let anchor = anchor.copied().filter(|_| observed.contains(&mirror));
        let chasers = chased_by.map_or(0, ChasedBy::len) as u32;
        if chasers > 0 {
            elsewhere.insert(target);
        } else if anchor.is_none() {
            // Nothing to report: the target has no chasers here, now or in the last tick.
            continue;
        }
        let lives_in = lives_in.map(|lives_in| lives_in.0);
        chases.entry(lives_in).or_default().push(Chase {
            target,
            chasers,
            anchor,
            fields: FieldsElsewhere::made_here(world, mirror),
        });
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
        observed,
        ..Chased::default()
    };
    for (from, chases) in received {
        let chases: Vec<Chase> = chases;
        for chase in chases {
            if let Some(whereabouts) = whereabouts(world, chase.target) {
                let of_zone = chased.not_here.entry(from).or_default();
                of_zone.push((chase.target, whereabouts));
            }
            merge(world, &mut chased, from, chase);
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

/// Returns what this zone knows of an agent that does not live in it. `None` if it does, and for
/// zones in step, which know without asking.
fn whereabouts(world: &World, id: AgentId) -> Option<Whereabouts> {
    let departed = world.get_resource::<Departed>()?;
    let here = world.resource::<Agents>().get(id);
    let lives = here.is_some_and(|agent| world.get::<Mirror>(agent).is_none());
    let handed_over = departed.to(id).map(Whereabouts::HandedOver);
    (!lives).then(|| handed_over.unwrap_or(Whereabouts::Unknown))
}

/// Merges the report of another zone about an agent that lives here.
fn merge(world: &mut World, chased: &mut Chased, from: ZoneId, chase: Chase) {
    let Chase {
        target,
        chasers,
        anchor,
        fields,
    } = chase;
    let Some(agent) = world.resource::<Agents>().get(target) else {
        return;
    };
    let made_here = FieldsElsewhere::made_here(world, agent);
    let mut agent = world.entity_mut(agent);
    if agent.contains::<Mirror>() {
        return;
    }
    if chasers > 0 {
        let of_target = chased.from.entry(target).or_default();
        of_target.insert(from, chasers);
    }
    let mut made = agent.get::<FieldsElsewhere>().cloned().unwrap_or_default();
    made.add(&made_here);
    made.add(&fields);
    set(&mut agent, made);
    // Every chased agent has an anchor, whichever zone it comes from.
    let own = agent.get::<FieldAnchor>().copied();
    let known = own.filter(|_| chased.observed.contains(&agent.id()));
    let merged = known.zip(anchor).map(|(own, anchor)| own.merged(anchor));
    set(&mut agent, merged.or(anchor).or(own).unwrap_or_default());
    if anchor.is_some() {
        // The report of the next zone is merged with this one.
        chased.observed.insert(agent.id());
    }
}

/// Despawns mirrors without local chasers that are near no border.
fn drop_mirrors(world: &mut World) {
    let mut mirrors = world
        .query_filtered::<(Entity, &AgentId), (With<Mirror>, Without<ChasedBy>, Without<Lent>)>();
    let borders = world.resource::<Borders>();
    let mirrors = mirrors
        .iter(world)
        .filter(|&(_, &agent)| !borders.is_in_view(agent));
    let mirrors: Vec<Entity> = mirrors.map(|(mirror, _)| mirror).collect();
    for mirror in mirrors {
        world.despawn(mirror);
    }
}

/// Replaces each [`ChaseAgent`] by a [`Chasing`] of the agent with that id.
fn find_targets(world: &mut World) {
    let mut named = world.query::<(Entity, &ChaseAgent)>();
    let named: Vec<_> = named
        .iter(world)
        .map(|(chaser, of)| (chaser, of.0))
        .collect();
    for (chaser, target) in named {
        let target = agent_or_mirror(world, target);
        let mut chaser = world.entity_mut(chaser);
        chaser.remove::<ChaseAgent>();
        chaser.insert(Chasing(target));
    }
}

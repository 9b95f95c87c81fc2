//! The digest, and the sums it is computed from.

use super::agent_state::{AgentState, Identities};
use crate::{
    AgentIds, NavBudget, NavClock, NavMap, OnMap,
    budget::TickWork,
    occupancy::{BodyPlaces, MapOccupancy},
    sets::resource,
    state::{
        Agents, Fingerprint, NoParts, Part, PartHasher, Parts, StateComponents, registered_part,
    },
    systems::{
        fields::Fields,
        search::{LongSearch, PathRequests},
        storage::targets::Targets,
    },
};
use bevy_ecs::{entity_disabling::Disabled, prelude::*, query::Allow};
use std::{
    collections::BTreeMap,
    hash::{Hash, Hasher},
};

/// A fingerprint of everything that later ticks depend on.
///
/// It covers the clock, the numbers given out, and the budget. It covers every map with agents, its
/// edits and its indexes. Of every agent it covers each component that the plugin reads or that is
/// [registered](crate::state). Agents are all entities with a
/// [`CellPosition`](crate::CellPosition) or an [`AgentId`](crate::AgentId), disabled or not.
/// Existing fields and searches that take several ticks count as well.
///
/// Worlds that continue alike have equal digests on every machine, for any number of threads, in
/// debug and release, and across save and load. Neither entity ids nor storage order count: an
/// agent is identified by its [`AgentId`](crate::AgentId) and its state, and agents are summed up
/// map by map. Targets without a number that are otherwise alike cannot be told apart.
///
/// Messages, counters and [`Screens`](crate::Screens), which the plugin only writes, do not count.
/// Neither do other components of a game, nor what it states about other processes
/// (`nav::extend`).
///
/// Compute it between two ticks. What a game changed since the last one counts by its value.
///
/// # Complexity
///
/// One pass over all agents and the waypoints of their paths, and one over all maps, 64 cells at a
/// time.
pub fn digest(world: &mut World) -> u64 {
    digest_parts(world, &mut NoParts)
}

/// The [digest](crate::digest()) of a world, with the fingerprints of all parts of its state.
///
/// The parts show in what two worlds differ.
pub fn digest_parts(world: &mut World, parts: &mut impl Parts) -> u64 {
    let (sum, work) = WorldSum::with_work(world, parts);
    sum.digest(work)
}

/// The state of a world, summed up.
///
/// Unlike the [digest](crate::digest()) it leaves out what a save does. Fields follow from where
/// they are [aimed](crate::FieldAnchor), unless a budget delays them. A search that takes several
/// ticks starts again. The [mirrors](crate::shared::Mirror) of agents that live in another app
/// count only as targets of chasers.
pub(crate) struct WorldSum {
    clock: NavClock,
    ids: AgentIds,
    budget: NavBudget,
    /// The sum of the fingerprints of all maps with agents, and of the agents on no map.
    maps: u64,
}

/// The part of the digest beside the state: work that continues in the next tick.
#[derive(Clone, Copy, Default)]
struct Work {
    /// The fingerprint of the clock, the numbers, the budget and searches that take several ticks.
    search: Option<u64>,
    /// The sum of the fingerprints of what fields carry over.
    fields: u64,
}

#[cfg(feature = "serialize")]
impl WorldSum {
    /// Sums up a world, between two ticks, and reports the fingerprints of all parts.
    ///
    /// # Complexity
    ///
    /// The same as of the [digest](crate::digest()).
    pub(crate) fn with_parts<P: Parts>(world: &mut World, parts: &mut P) -> Self {
        Self::with_work(world, parts).0
    }

    /// The [digest](crate::digest()) of a world in which no work continues.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.digest(Work::default())
    }
}

impl WorldSum {
    /// Sums up a world and the work that continues, and reports the fingerprints of all parts.
    fn with_work<P: Parts>(world: &mut World, parts: &mut P) -> (Self, Work) {
        let mut maps = world.query_filtered::<(Entity, &NavMap, Has<Disabled>), Allow<Disabled>>();
        let mut agents = world.query_filtered::<AgentState, Agents>();
        let world = &*world;
        let (agents, maps) = (agents.query(world), maps.query(world));
        let mut identities = Identities::new(&agents);

        let mut whole = PartHasher::new(parts);
        let clock: NavClock = hash_resource(world, Part::NavClock, &mut whole);
        let ids: AgentIds = hash_resource(world, Part::AgentIds, &mut whole);
        let budget: NavBudget = hash_resource(world, Part::NavBudget, &mut whole);
        let due = maps
            .iter()
            .map(|(_, map, _)| map.indexed().progress().due)
            .sum();
        let work = Work {
            search: hash_searches(world, due, &mut identities, &mut whole),
            fields: add_fields(world, &mut identities, &mut whole),
        };

        // Agents that are on the same map, or on none, are summed up together.
        let mut on_maps: BTreeMap<Option<Entity>, u64> = BTreeMap::new();
        let occupancy = world.get_resource::<BodyPlaces>();
        let size = |map| Some(maps.get(map).ok()?.1.grid().size());
        let mut add = |on_map: Option<OnMap>, fingerprint: u64| {
            let map = on_map.map(|on| on.0).filter(|&map| maps.contains(map));
            let sum = on_maps.entry(map).or_default();
            *sum = sum.wrapping_add(fingerprint);
        };
        for agent in agents.iter().filter(|agent| !agent.is_mirror) {
            let of_agent = agent.fingerprint(&mut identities, world, size, clock.now(), parts);
            add(agent.on_map.copied(), of_agent);
        }
        let registered = world.get_resource::<StateComponents>().into_iter();
        for (place, component) in registered.flat_map(StateComponents::digested) {
            (component.digest)(world, &mut |agent, named, value| {
                let (identity, on_map) = identities.get(agent).unzip();
                let mut whole = Fingerprint::default();
                (identity, component.name, value).hash(&mut whole);
                for &entity in named {
                    identities.of(entity).hash(&mut whole);
                }
                add(on_map.flatten(), whole.finish());
                if P::COUNTED {
                    let mut part = Fingerprint::of(&value);
                    for &entity in named {
                        part = Fingerprint::of(&(part, parts.name(entity)));
                    }
                    parts.add(Some(agent), registered_part(place), part);
                }
            });
        }
        let of_maps = on_maps.into_iter().map(|(map, agents)| {
            let bodies = map.and_then(|map| occupancy?.of(map));
            let shared = bodies.and_then(|bodies| shared_cells(bodies, world, &mut identities));
            let mut on_map = PartHasher::new(parts);
            let found = map.and_then(|map| maps.get(map).ok());
            let state = found.map(|(_, map, is_disabled)| (map, is_disabled));
            state.hash(&mut on_map);
            on_map.end(map, Part::NavMap, map.is_some());
            if let (Some(map), Some(shared)) = (map, shared) {
                on_map.add(map, Part::SharedCells, shared);
            }
            let mut whole = Fingerprint::continued(on_map.finish());
            (agents, shared).hash(&mut whole);
            whole.finish()
        });
        let maps = of_maps.fold(0, u64::wrapping_add);
        let sum = Self {
            clock,
            ids,
            budget,
            maps,
        };
        (sum, work)
    }

    /// The digest of a world in which this work continues.
    fn digest(&self, work: Work) -> u64 {
        let begun =
            (work.search).unwrap_or_else(|| Fingerprint::of(&(self.clock, self.ids, self.budget)));
        let mut whole = Fingerprint::continued(begun);
        work.fields.hash(&mut whole);
        self.maps.hash(&mut whole);
        whole.finish()
    }
}

/// Hashes the searches that take several ticks, what is `due` of indexes, and the work that was
/// done beyond the budget. Returns the fingerprint of all so far; `None` if there is nothing of it.
fn hash_searches<P: Parts>(
    world: &World,
    due: usize,
    identities: &mut Identities,
    whole: &mut PartHasher<P>,
) -> Option<u64> {
    let requests: Option<&PathRequests> = world.get_resource();
    let searches: [(Option<&LongSearch>, Part); 2] = [
        (world.get_resource(), Part::LongSearch),
        (requests.map(|requests| &requests.long), Part::PathRequests),
    ];
    let mut fingerprint = None;
    let debt = world.get_resource().map_or(0, |work: &TickWork| work.debt);
    if debt > 0 || due > 0 {
        (debt, due).hash(whole);
        whole.end(None, Part::TickWork, true);
        fingerprint = Some(whole.finish());
    }
    for (search, part) in searches {
        if let Some(search) = search.filter(|search| !search.is_idle()) {
            search.hash(whole);
            if let Some(asker) = search.asker() {
                identities.of(asker).hash(whole.whole());
                whole.refer(asker);
            }
            whole.end(None, part, true);
            fingerprint = Some(whole.finish());
        }
    }
    fingerprint
}

/// Hashes a resource, or its default where the world has none, and returns it.
fn hash_resource<R: Resource + Copy + Default + Hash, P: Parts>(
    world: &World,
    part: Part,
    whole: &mut PartHasher<P>,
) -> R {
    let value: R = resource(world);
    value.hash(whole);
    whole.end(None, part, true);
    value
}

/// Reports the state that fields carry over a tick. Returns its sum.
fn add_fields<P: Parts>(
    world: &World,
    identities: &mut Identities,
    whole: &mut PartHasher<P>,
) -> u64 {
    let mut sum = 0_u64;
    if let Some(fields) = world.get_resource::<Fields>()
        && let Some(targets) = world.get_resource::<Targets>()
    {
        for (target, carried) in fields.carried(targets) {
            whole.add(target, Part::Fields, carried);
            sum = sum.wrapping_add(Fingerprint::of(&(identities.of(target), carried)));
        }
    }
    sum
}

/// The sum over the cells of a map that several bodies stand on: the holder of each, and the bodies
/// that would hold it next. `None` if there is no such cell.
fn shared_cells(on: &MapOccupancy, world: &World, identities: &mut Identities) -> Option<u64> {
    let mut shared = on.shared().peekable();
    shared.peek()?;
    let mut identity = |index| identities.of(world.entities().resolve_from_index(index));
    let cells = shared.map(|(cell, holder, others)| {
        let others: Vec<_> = others.map(&mut identity).collect();
        Fingerprint::of(&(cell, identity(holder), others))
    });
    Some(cells.fold(0, u64::wrapping_add))
}

//! The digest, and the sums it is computed from, which several processes can merge.

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
/// (`nav::internals`).
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

/// The state of a world, as far as this process has it, summed up.
///
/// [Merged](Self::merge) with the sums of the other processes that share a world, it equals the sum
/// of one process that has the whole world. All must have the same maps, spawned in the same order,
/// and equal clocks and budgets. The mirrors of agents that live elsewhere
/// ([`Mirror`](crate::shared::Mirror)) count only as targets of chasers, so they must equal the
/// originals.
///
/// Unlike the [digest](crate::digest()) it leaves out what a save does. Fields follow from where
/// they are [aimed](crate::FieldAnchor), unless a budget delays them. A search that takes several
/// ticks starts again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldSum {
    clock: NavClock,
    ids: AgentIds,
    budget: NavBudget,
    /// By the place of the map among all maps; `None` stands for no map.
    maps: BTreeMap<Option<u32>, MapSum>,
}

/// The part of the digest beside the state: work that continues in the next tick.
#[derive(Clone, Copy, Default)]
struct Work {
    /// The fingerprint of the clock, the numbers, the budget and searches that take several ticks.
    search: Option<u64>,
    /// The sum of the fingerprints of what fields carry over.
    fields: u64,
}

/// The sums of a map with agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
struct MapSum {
    /// The fingerprint of the map.
    map: u64,
    /// The sum of the fingerprints of the agents on it.
    agents: u64,
    /// The sum of the fingerprints of cells that several bodies stand on, if there are any.
    shared: Option<u64>,
}

impl WorldSum {
    /// Sums up a world, between two ticks.
    ///
    /// # Complexity
    ///
    /// The same as of the [digest](crate::digest()).
    pub fn of(world: &mut World) -> Self {
        Self::with_work(world, &mut NoParts).0
    }

    /// Sums up a world as [`Self::of`], and reports the fingerprints of all parts.
    #[cfg(feature = "serialize")]
    pub(crate) fn with_parts<P: Parts>(world: &mut World, parts: &mut P) -> Self {
        Self::with_work(world, parts).0
    }

    /// Sums up a world and the work that continues, and reports the fingerprints of all parts.
    fn with_work<P: Parts>(world: &mut World, parts: &mut P) -> (Self, Work) {
        let mut maps = world.query_filtered::<(Entity, &NavMap, Has<Disabled>), Allow<Disabled>>();
        let mut agents = world.query_filtered::<AgentState, Agents>();
        let world = &*world;
        let (agents, maps) = (agents.query(world), maps.query(world));
        let mut identities = Identities::new(&agents);

        let mut whole = PartHasher::new(parts);
        let clock: NavClock = resource(world);
        clock.hash(&mut whole);
        whole.end(None, Part::NavClock, true);
        let ids: AgentIds = resource(world);
        ids.hash(&mut whole);
        whole.end(None, Part::AgentIds, true);
        let budget: NavBudget = resource(world);
        budget.hash(&mut whole);
        whole.end(None, Part::NavBudget, true);
        let due = |(_, map, _): (Entity, &NavMap, bool)| map.indexed().progress().due;
        let due = maps.iter().map(due).sum();
        let mut work = Work {
            search: hash_searches(world, due, &mut identities, &mut whole),
            ..Work::default()
        };
        if let Some(fields) = world.get_resource::<Fields>()
            && let Some(targets) = world.get_resource::<Targets>()
        {
            for (target, carried) in fields.carried(targets) {
                whole.add(target, Part::Fields, carried);
                let of_target = Fingerprint::of(&(identities.of(target), carried));
                work.fields = work.fields.wrapping_add(of_target);
            }
        }

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
        let registered = world.get_resource::<StateComponents>();
        let registered = registered.into_iter().flat_map(StateComponents::digested);
        for (place, component) in registered {
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
        let mut order: Vec<Entity> = maps.iter().map(|(map, ..)| map).collect();
        order.sort_unstable();
        let of_maps = on_maps.into_iter().map(|(map, agents)| {
            let bodies = map.and_then(|map| occupancy?.of(map));
            let shared = bodies.and_then(|bodies| shared_cells(bodies, world, &mut identities));
            let mut on_map = PartHasher::new(parts);
            let state = map.and_then(|map| maps.get(map).ok());
            let state = state.map(|(_, map, is_disabled)| (map, is_disabled));
            state.hash(&mut on_map);
            on_map.end(map, Part::NavMap, map.is_some());
            if let (Some(map), Some(shared)) = (map, shared) {
                on_map.add(map, Part::SharedCells, shared);
            }
            let place = map.and_then(|map| order.binary_search(&map).ok());
            let map = on_map.finish();
            let sum = MapSum {
                map,
                agents,
                shared,
            };
            (place.map(|place| place as u32), sum)
        });
        let maps = of_maps.collect();
        let sum = Self {
            clock,
            ids,
            budget,
            maps,
        };
        (sum, work)
    }

    /// Adds the sum of another process that shares the world.
    pub fn merge(&mut self, other: Self) {
        self.ids = self.ids.merged(other.ids);
        for (place, map) in other.maps {
            let own = self.maps.entry(place).or_insert(MapSum {
                map: map.map,
                ..MapSum::default()
            });
            own.agents = own.agents.wrapping_add(map.agents);
            if let Some(shared) = map.shared {
                own.shared = Some(own.shared.unwrap_or_default().wrapping_add(shared));
            }
        }
    }

    /// The [digest](crate::digest()) of a world in which no work continues.
    pub fn fingerprint(&self) -> u64 {
        self.digest(Work::default())
    }

    /// The digest of a world in which this work continues.
    fn digest(&self, work: Work) -> u64 {
        let head = || Fingerprint::of(&(self.clock, self.ids, self.budget));
        let mut whole = Fingerprint::continued(work.search.unwrap_or_else(head));
        work.fields.hash(&mut whole);
        let maps = self.maps.values().map(|sum| {
            let mut on_map = Fingerprint::continued(sum.map);
            (sum.agents, sum.shared).hash(&mut on_map);
            on_map.finish()
        });
        maps.fold(0, u64::wrapping_add).hash(&mut whole);
        whole.finish()
    }
}

/// Hashes the searches that take several ticks, what is `due` of indexes, and the work that was done
/// beyond the budget. Returns the fingerprint of all so far; `None` if there is nothing of it.
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

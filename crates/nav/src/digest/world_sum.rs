//! The state of a world as sums that several processes can merge, from which its digest is computed.

use super::{agent_state::AgentState, identities::Identities};
use crate::{
    AgentIds, NavBudget, NavClock, NavMap,
    occupancy::{MapOccupancy, Occupancy},
    resource::resource,
    state::{Fingerprint, NoParts, Part, PartHasher, Parts, StateComponents, registered_part},
    systems::{fields::Fields, search::LongSearch, storage::targets::Targets},
};
use bevy_ecs::{entity::Entities, entity_disabling::Disabled, prelude::*, query::Allow};
use std::{
    collections::BTreeMap,
    hash::{Hash, Hasher},
};

/// The state of a world, as far as this process has it, summed up.
///
/// [Merged](Self::merge) with those of the other processes that share a world it equals that of the one process
/// that has all of it. All have the same maps, spawned in the same order, and equal clocks and budgets. The mirrors
/// of agents that live elsewhere ([`Mirror`](crate::shared::Mirror)) do not count, but for what stands for them where
/// chasers refer to them: it is to be as it is where they live.
///
/// Unlike the [digest](crate::digest()) it leaves out what a save does: the fields that there are, which follow from
/// where they are [aimed](crate::FieldAnchor) unless a budget has them wait, and a search that takes several ticks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldSum {
    clock: NavClock,
    ids: AgentIds,
    budget: NavBudget,
    /// By the place of the map among all maps; `None` stands for no map.
    maps: BTreeMap<Option<u32>, MapSum>,
}

/// What the digest covers beside the state: work that goes on in the next tick.
#[derive(Clone, Copy, Default)]
pub(super) struct Work {
    /// The fingerprint of the clock, the numbers, the budget, and a search that takes several ticks.
    search: Option<u64>,
    /// The sum of those of what fields carry over.
    fields: u64,
}

/// A map that somebody is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
struct MapSum {
    /// The fingerprint of the map.
    map: u64,
    /// The sum of those of the agents on it.
    agents: u64,
    /// That of the cells that several stand on, if there are any.
    shared: Option<u64>,
}

impl WorldSum {
    /// That of a world, between two ticks.
    ///
    /// # Complexity
    ///
    /// That of the [digest](crate::digest()).
    pub fn of(world: &mut World) -> Self {
        Self::with_work(world, &mut NoParts).0
    }

    /// The same with the work that goes on, and on the way the fingerprints of all parts.
    pub(super) fn with_work<P: Parts>(world: &mut World, parts: &mut P) -> (Self, Work) {
        let mut maps = world.query_filtered::<(Entity, &NavMap, Has<Disabled>), Allow<Disabled>>();
        let mut agents = world.query_filtered::<AgentState, Allow<Disabled>>();
        let world = &*world;
        let (agents, maps) = (agents.query(world), maps.query(world));
        let mut identities = Identities::new(&agents);

        let mut whole = PartHasher::new(parts);
        let (clock, ids, budget) = (resource(world), resource(world), resource(world));
        NavClock::hash(&clock, &mut whole);
        whole.end(None, Part::NavClock, true);
        AgentIds::hash(&ids, &mut whole);
        whole.end(None, Part::AgentIds, true);
        NavBudget::hash(&budget, &mut whole);
        whole.end(None, Part::NavBudget, true);
        let mut work = Work::default();
        if let Some(search) = world.get_resource::<LongSearch>()
            && let Some(chaser) = search.chaser()
        {
            search.hash(&mut whole);
            identities.of(chaser).hash(whole.whole());
            whole.refer(chaser);
            whole.end(None, Part::LongSearch, true);
            work.search = Some(whole.finish());
        }
        if let (Some(fields), Some(targets)) = (
            world.get_resource::<Fields>(),
            world.get_resource::<Targets>(),
        ) {
            for (target, carried) in fields.carried(targets) {
                whole.add(target, Part::Fields, carried);
                let of_target = Fingerprint::of(&(identities.of(target), carried));
                work.fields = work.fields.wrapping_add(of_target);
            }
        }

        // Those who are on one map, or on none, belong together.
        let mut on_maps: BTreeMap<Option<Entity>, u64> = BTreeMap::new();
        let occupancy = world.get_resource::<Occupancy>();
        let size = |map| Some(maps.get(map).ok()?.1.grid().size());
        for agent in agents.iter().filter(|agent| !agent.is_mirror) {
            let map = agent.on_map.map(|on_map| on_map.0);
            let map = map.filter(|&map| size(map).is_some());
            let sum = on_maps.entry(map).or_default();
            let of_agent = agent.fingerprint(&mut identities, occupancy, size, clock.now(), parts);
            *sum = sum.wrapping_add(of_agent);
        }
        let registered = world.get_resource::<StateComponents>();
        let registered = registered.into_iter().flat_map(StateComponents::digested);
        for (place, component) in registered {
            (component.digest)(world, &mut |agent, named, value| {
                let of = identities.get(agent);
                let map = of.and_then(|(_, on_map)| on_map).map(|on_map| on_map.0);
                let map = map.filter(|&map| size(map).is_some());
                let sum = on_maps.entry(map).or_default();
                let identity = of.map(|(identity, _)| identity);
                let mut whole = Fingerprint::default();
                (identity, component.name, value).hash(&mut whole);
                for &one in named {
                    identities.of(one).hash(&mut whole);
                }
                *sum = sum.wrapping_add(whole.finish());
                if P::COUNTED {
                    let mut part = Fingerprint::of(&value);
                    for &one in named {
                        part = Fingerprint::of(&(part, parts.name(one)));
                    }
                    parts.add(Some(agent), registered_part(place), part);
                }
            });
        }
        let mut order: Vec<Entity> = maps.iter().map(|(map, ..)| map).collect();
        order.sort_unstable();
        let of_maps = on_maps.into_iter().map(|(map, agents)| {
            let shared = map.and_then(|map| occupancy?.of(map));
            let shared =
                shared.and_then(|bodies| shared_cells(bodies, world.entities(), &mut identities));
            let mut on_map = PartHasher::new(parts);
            let state = map.and_then(|map| maps.get(map).ok());
            state
                .map(|(_, map, is_disabled)| (map, is_disabled))
                .hash(&mut on_map);
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

    /// Adds what another process has of the same world.
    pub fn merge(&mut self, other: Self) {
        self.ids = self.ids.merged(other.ids);
        for (place, map) in other.maps {
            let own = self.maps.entry(place).or_insert(MapSum {
                agents: 0,
                shared: None,
                ..map
            });
            own.agents = own.agents.wrapping_add(map.agents);
            own.shared = match (own.shared, map.shared) {
                (Some(one), Some(other)) => Some(one.wrapping_add(other)),
                (one, other) => one.or(other),
            };
        }
    }

    /// The fingerprint of it: the [digest](crate::digest()) of a world in which no work goes on.
    pub fn fingerprint(&self) -> u64 {
        self.digest(Work::default())
    }

    /// The digest of a world in which some work goes on.
    pub(super) fn digest(&self, work: Work) -> u64 {
        let Self {
            clock,
            ids,
            budget,
            maps,
        } = self;
        let head = work.search.unwrap_or_else(|| {
            let mut head = Fingerprint::default();
            clock.hash(&mut head);
            ids.hash(&mut head);
            budget.hash(&mut head);
            head.finish()
        });
        let mut whole = Fingerprint::going_on(head);
        work.fields.hash(&mut whole);
        let maps = maps.values().map(|sum| {
            let mut on_map = Fingerprint::going_on(sum.map);
            (sum.agents, sum.shared).hash(&mut on_map);
            on_map.finish()
        });
        maps.fold(0, u64::wrapping_add).hash(&mut whole);
        whole.finish()
    }
}

/// Who holds each cell of a map that several bodies stand on, and who would after it. `None` if there is no
/// such cell.
fn shared_cells(
    map: &MapOccupancy,
    entities: &Entities,
    identities: &mut Identities,
) -> Option<u64> {
    let mut shared = map.shared().peekable();
    shared.peek()?;
    let mut identity = |index| identities.of(entities.resolve_from_index(index));
    let cells = shared.map(|(cell, holder, others)| {
        let others: Vec<_> = others.map(&mut identity).collect();
        Fingerprint::of(&(cell, identity(holder), others))
    });
    Some(cells.fold(0, u64::wrapping_add))
}

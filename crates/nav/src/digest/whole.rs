//! The fingerprint of a world's navigation state.

use super::{agent_state::AgentState, identities::Identities};
use crate::{
    AgentIds, NavBudget, NavClock, NavMap,
    fingerprint::Fingerprint,
    occupancy::{MapOccupancy, Occupancy},
    parts::{NoParts, Part, PartHasher, Parts},
    systems::{fields::Fields, search::LongSearch, storage::targets::Targets},
};
use bevy_ecs::{entity::Entities, entity_disabling::Disabled, prelude::*, query::Allow};
use std::{
    collections::BTreeMap,
    hash::{Hash, Hasher},
};

/// A fingerprint of everything that later ticks depend on: the clock, the numbers given out, the
/// budget, every map that somebody is on with its edits and what is built of it, and of every agent
/// each component that the plugin or a [behaviour](crate::behaviour) reads. An agent is whoever has a
/// [`CellPosition`](crate::CellPosition), disabled or not.
///
/// Worlds that go on alike have equal digests on every machine, for any number of threads, in debug
/// and release, and across save and load: agents stand for themselves by their [`AgentId`](crate::AgentId) and
/// their state and are summed up map by map, so neither entity ids nor storage order leak in. Of
/// targets without a number those that are alike in all other things cannot be told apart.
///
/// What is no component counts as well: the fields that there are, and a search that takes several ticks.
/// Messages, counters and [`Screens`](crate::Screens), which the plugin only writes, do not count, nor does
/// what a game keeps for itself.
///
/// Take it between two ticks. What a game changed since the last one counts by its value.
///
/// # Complexity
///
/// One pass over all agents and the waypoints of their paths, and one over all maps, 64 cells at a
/// time.
pub fn digest(world: &mut World) -> u64 {
    digest_with(world, &mut NoParts)
}

/// The digest, and on the way the fingerprints of all parts.
pub(crate) fn digest_with(world: &mut World, parts: &mut impl Parts) -> u64 {
    let mut maps = world.query_filtered::<(&NavMap, Has<Disabled>), Allow<Disabled>>();
    let mut agents = world.query_filtered::<AgentState, Allow<Disabled>>();
    let world = &*world;
    let (agents, maps) = (agents.query(world), maps.query(world));
    let mut identities = Identities::new(&agents);

    let mut whole = PartHasher::new(parts);
    let clock: NavClock = resource(world);
    clock.hash(&mut whole);
    whole.end(None, Part::NavClock, true);
    resource::<AgentIds>(world).hash(&mut whole);
    whole.end(None, Part::AgentIds, true);
    let budget: NavBudget = resource(world);
    budget.hash(&mut whole);
    whole.end(None, Part::NavBudget, true);
    if let Some(search) = world.get_resource::<LongSearch>()
        && let Some(chaser) = search.chaser()
    {
        search.hash(&mut whole);
        identities.of(chaser).hash(whole.whole());
        whole.refer(chaser);
        whole.end(None, Part::LongSearch, true);
    }
    let mut sum = 0_u64;
    if let (Some(fields), Some(targets)) = (
        world.get_resource::<Fields>(),
        world.get_resource::<Targets>(),
    ) {
        for (target, carried) in fields.carried(targets) {
            whole.add(target, Part::Fields, carried);
            sum = sum.wrapping_add(Fingerprint::of(&(identities.of(target), carried)));
        }
    }
    let mut whole = whole.into_whole();
    sum.hash(&mut whole);

    // Those who are on one map, or on none, belong together.
    let mut on_maps: BTreeMap<Option<Entity>, u64> = BTreeMap::new();
    let occupancy = world.get_resource::<Occupancy>();
    let size = |map| Some(maps.get(map).ok()?.0.grid().size());
    for agent in &agents {
        let map = agent.on_map.map(|on_map| on_map.0);
        let map = map.filter(|&map| size(map).is_some());
        let sum = on_maps.entry(map).or_default();
        let of_agent = agent.fingerprint(&mut identities, occupancy, size, clock.now(), parts);
        *sum = sum.wrapping_add(of_agent);
    }
    let mut sum = 0_u64;
    for (map, agents_on_it) in on_maps {
        let shared = map.and_then(|map| occupancy?.of(map));
        let shared =
            shared.and_then(|bodies| shared_cells(bodies, world.entities(), &mut identities));
        let mut on_map = PartHasher::new(parts);
        map.and_then(|map| maps.get(map).ok()).hash(&mut on_map);
        on_map.end(map, Part::NavMap, map.is_some());
        if let (Some(map), Some(shared)) = (map, shared) {
            on_map.add(map, Part::SharedCells, shared);
        }
        let mut on_map = on_map.into_whole();
        (agents_on_it, shared).hash(&mut on_map);
        sum = sum.wrapping_add(on_map.finish());
    }
    sum.hash(&mut whole);
    whole.finish()
}

fn resource<R: Resource + Copy + Default>(world: &World) -> R {
    world.get_resource().copied().unwrap_or_default()
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

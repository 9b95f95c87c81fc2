//! The fingerprint of a world's navigation state.

use crate::{
    AgentId, AgentIds, Body, CellPosition, Chaser, Chasing, Destination, FieldAnchor, MoveTimer,
    NavBudget, NavClock, NavMap, NavTime, NavTimer, OnMap, PathCursor, Paused, WorldPosition,
    behaviour::{BehaviourState, InFormation},
    components::{Unlike, stand, stands_unlike},
    fingerprint::Fingerprint,
    occupancy::{MapOccupancy, Occupancy},
    systems::{fields::Fields, search::LongSearch, storage::targets::Targets},
};
use bevy_ecs::{
    entity::Entities,
    entity_disabling::Disabled,
    prelude::*,
    query::{Allow, QueryData},
};
use nav_grid::{Size, rules::BodyPolicy};
use std::{
    collections::BTreeMap,
    hash::{Hash, Hasher},
};

/// A fingerprint of everything that later ticks depend on: the clock, the numbers given out, the
/// budget, every map that somebody is on with its edits and what is built of it, and of every agent
/// each component that the plugin or a [behaviour](crate::behaviour) reads. An agent is whoever has a
/// [`CellPosition`], disabled or not.
///
/// Worlds that go on alike have equal digests on every machine, for any number of threads, in debug
/// and release, and across save and load: agents stand for themselves by their [`AgentId`] and
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
    let mut maps = world.query_filtered::<(&NavMap, Has<Disabled>), Allow<Disabled>>();
    let mut agents = world.query_filtered::<AgentState, Allow<Disabled>>();
    let world = &*world;
    let (agents, maps) = (agents.query(world), maps.query(world));

    let mut whole = Fingerprint::default();
    let clock = world.get_resource::<NavClock>().copied();
    let ids = world.get_resource::<AgentIds>().copied();
    let budget = world.get_resource::<NavBudget>().copied();
    let budget = budget.unwrap_or_default();
    (clock.unwrap_or_default(), ids.unwrap_or_default(), budget).hash(&mut whole);
    if let Some(search) = world.get_resource::<LongSearch>()
        && let Some(chaser) = search.chaser()
    {
        let chaser = agents.get(chaser).map(|agent| agent.identity());
        (search, chaser.ok()).hash(&mut whole);
    }
    let mut sum = 0_u64;
    if let (Some(fields), Some(targets)) = (
        world.get_resource::<Fields>(),
        world.get_resource::<Targets>(),
    ) {
        for (target, carried) in fields.carried(targets) {
            let target = agents.get(target).map(|agent| agent.identity());
            sum = sum.wrapping_add(Fingerprint::of(&(target.ok(), carried)));
        }
    }
    sum.hash(&mut whole);

    // Those who are on one map, or on none, belong together.
    let mut on_maps: BTreeMap<Option<Entity>, u64> = BTreeMap::new();
    let occupancy = world.get_resource::<Occupancy>();
    let now = clock.unwrap_or_default().now();
    let size = |map| Some(maps.get(map).ok()?.0.grid().size());
    for agent in &agents {
        let map = agent.on_map.map(|on_map| on_map.0);
        let map = map.filter(|&map| size(map).is_some());
        let sum = on_maps.entry(map).or_default();
        *sum = sum.wrapping_add(agent.fingerprint(&agents, occupancy, size, now));
    }
    let on_maps = on_maps.into_iter().map(|(map, agents_on_it)| {
        let shared = map.and_then(|map| occupancy?.of(map));
        let shared = shared.and_then(|bodies| shared_cells(bodies, world.entities(), &agents));
        let map = map.and_then(|map| maps.get(map).ok());
        Fingerprint::of(&(map, agents_on_it, shared))
    });
    on_maps.fold(0_u64, u64::wrapping_add).hash(&mut whole);
    whole.finish()
}

/// Who holds each cell of a map that several bodies stand on, and who would after it. `None` if there is no
/// such cell.
fn shared_cells(
    map: &MapOccupancy,
    entities: &Entities,
    agents: &Query<AgentState, Allow<Disabled>>,
) -> Option<u64> {
    let mut shared = map.shared().peekable();
    shared.peek()?;
    let identity = |index| {
        let agent = agents.get(entities.resolve_from_index(index));
        agent.ok().map(|agent| agent.identity())
    };
    let cells = shared.map(|(cell, holder, others)| {
        let others: Vec<_> = others.map(identity).collect();
        Fingerprint::of(&(cell, identity(holder), others))
    });
    Some(cells.fold(0, u64::wrapping_add))
}

/// The components of an agent that the plugin reads.
///
/// Whoever adds one has to say below what becomes of it: all are taken apart without `..`.
#[derive(QueryData)]
struct AgentState {
    entity: Entity,
    is_disabled: Has<Disabled>,
    id: Option<&'static AgentId>,
    position: &'static CellPosition,
    world: Option<&'static WorldPosition>,
    on_map: Option<&'static OnMap>,
    body: Option<&'static Body>,
    is_destination: Has<Destination>,
    anchor: Option<&'static FieldAnchor>,
    chaser: Option<&'static Chaser>,
    chasing: Option<&'static Chasing>,
    cursor: Option<&'static PathCursor>,
    search_timer: Option<&'static NavTimer>,
    move_timer: Option<&'static MoveTimer>,
    paused: Option<&'static Paused>,
    behaviour: BehaviourState,
    in_formation: Option<&'static InFormation>,
}

impl AgentStateItem<'_, '_> {
    /// What stands for it where another agent refers to it.
    fn identity(&self) -> u64 {
        let anchor = self.anchor.map(anchor_words);
        Fingerprint::of(&(self.id, self.position, self.body, anchor))
    }

    fn fingerprint(
        &self,
        agents: &Query<AgentState, Allow<Disabled>>,
        occupancy: Option<&Occupancy>,
        size: impl Fn(Entity) -> Option<Size>,
        now: NavTime,
    ) -> u64 {
        let &Self {
            entity,
            is_disabled,
            id,
            position,
            world,
            // It is summed up with the others on its map.
            on_map,
            body,
            is_destination,
            anchor,
            chaser,
            chasing,
            cursor,
            search_timer,
            move_timer,
            paused,
            ref behaviour,
            in_formation,
        } = self;
        let mut fingerprint = Fingerprint::default();
        (is_disabled, id, position, body, is_destination).hash(&mut fingerprint);
        let world = world.map(|WorldPosition(place)| place.map(f64::to_bits));
        (world, anchor.map(anchor_words)).hash(&mut fingerprint);
        if let Some(chaser) = chaser {
            hash_chaser(chaser, &mut fingerprint);
        }
        (cursor, search_timer, move_timer, paused).hash(&mut fingerprint);
        if let Some(words) = behaviour.words() {
            words.hash(&mut fingerprint);
        }
        if let Some(&InFormation(leader)) = in_formation {
            let leader = agents.get(leader).ok();
            leader
                .map(|leader| leader.identity())
                .hash(&mut fingerprint);
        }
        if let Some(&Chasing(target)) = chasing {
            let target = agents.get(target).ok();
            let seen = target.map(|target| (target.identity(), target.on_map == on_map));
            seen.hash(&mut fingerprint);
        }
        if let Some(occupancy) = occupancy {
            // Only those who go around bodies search again because some moved.
            let goes_around = |chaser: &Chaser| chaser.rules.bodies != BodyPolicy::Ignore;
            if chaser.is_some_and(goes_around) {
                let moved = on_map.and_then(|map| occupancy.last_move(map.0, size(map.0)?));
                moved.hash(&mut fingerprint);
            }
            let said = stand(body, on_map, Some(position), is_disabled);
            let signs = search_timer.zip(move_timer).zip(cursor);
            let signs = signs.map(|((timer, moves), cursor)| (timer, moves, cursor));
            match stands_unlike(
                occupancy,
                entity,
                said,
                signs,
                |map| size(map).is_some(),
                now,
            ) {
                Some(Unlike::Elsewhere(put, sleeps)) => {
                    let is_here = |map| on_map.is_some_and(|on_map| on_map.0 == map);
                    let put = put.map(|put| (is_here(put.map), put.cell, put.footprint, sleeps));
                    ("elsewhere", put).hash(&mut fingerprint);
                }
                Some(Unlike::Asleep(sleeps)) => Some(sleeps).hash(&mut fingerprint),
                None if said.is_some() => None::<bool>.hash(&mut fingerprint),
                None => {}
            }
        }
        fingerprint.finish()
    }
}

fn hash_chaser(chaser: &Chaser, state: &mut impl Hasher) {
    let &Chaser {
        repath_interval,
        displacement,
        stop_distance,
        stop_slack,
        needs_sight,
        reach_through_links,
        rules,
        heuristic,
        limits,
        fallback,
        method,
        pace,
    } = chaser;
    (repath_interval, displacement.to_bits(), stop_distance).hash(state);
    (stop_slack, needs_sight, reach_through_links).hash(state);
    (rules, heuristic, limits, fallback, method, pace).hash(state);
}

fn anchor_words(anchor: &FieldAnchor) -> impl Hash + use<> {
    let FieldAnchor {
        aimed,
        far,
        interval,
        displacement,
        still,
        before,
        reached,
        wanted,
    } = *anchor;
    let throttles = (interval, displacement.to_bits(), wanted);
    (aimed, far, throttles, still, before, reached)
}

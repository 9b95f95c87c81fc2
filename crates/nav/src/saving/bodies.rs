//! Where bodies stand: what positions and timers do not say of it.

use crate::{
    Body, CellPosition, NavClock, NavMap, NavTime, OnMap, components::seems_asleep,
    occupancy::Occupancy,
};
use bevy_ecs::{
    entity::{EntityHashMap, EntityHashSet},
    prelude::*,
};
use nav_grid::Cell;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where bodies stand, as far as positions and timers do not say it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct BodiesSave {
    /// Agents that sleep though their timers do not say so, or the other way round.
    unlike_timers: Vec<Entity>,
    /// Cells that several stand on.
    shared: Vec<SharedCell>,
}

/// A cell that several bodies stand on.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SharedCell {
    map: Entity,
    cell: Cell,
    holder: Entity,
    /// Those who hold it after that, last first.
    others: Vec<Entity>,
}

impl BodiesSave {
    /// That of some agents on some maps.
    pub(super) fn of(
        world: &World,
        agents: impl Iterator<Item = Entity> + Clone,
        maps: impl Iterator<Item = Entity>,
    ) -> Self {
        let Some(occupancy) = world.get_resource::<Occupancy>() else {
            return Self::default();
        };
        let now = now(world);
        let unlike_timers = agents.clone().filter(|&agent| {
            let Ok(agent) = world.get_entity(agent) else {
                return false;
            };
            let sleeps = spot(agent).and_then(|(body, map, cell)| {
                occupancy.sleeps(agent.id(), map, body.footprint, cell)
            });
            sleeps.is_some_and(|sleeps| sleeps != seems_asleep_there(agent, now))
        });
        let by_index: BTreeMap<u32, Entity> = agents
            .clone()
            .map(|agent| (agent.index_u32(), agent))
            .collect();
        let agent = |index: &u32| by_index.get(index).copied();
        let shared = maps.filter_map(|map| Some((map, occupancy.of(map)?)));
        let shared = shared.flat_map(|(map, bodies)| {
            bodies.shared().filter_map(move |(cell, holder, others)| {
                Some(SharedCell {
                    map,
                    cell,
                    holder: agent(&holder)?,
                    others: others.iter().filter_map(agent).collect(),
                })
            })
        });
        Self {
            shared: shared.collect(),
            unlike_timers: unlike_timers.collect(),
        }
    }

    /// Puts the bodies of agents down as they stood in the world that was saved.
    pub(super) fn put_down(
        self,
        world: &mut World,
        agents: &[Entity],
        known: &EntityHashMap<Entity>,
    ) {
        let now = now(world);
        let unlike_timers = self.unlike_timers.iter();
        let unlike_timers: EntityHashSet = unlike_timers
            .filter_map(|agent| known.get(agent).copied())
            .collect();
        world.resource_scope(|world, mut occupancy: Mut<Occupancy>| {
            for &agent in agents {
                let Ok(agent) = world.get_entity(agent) else {
                    continue;
                };
                let Some((body, map, cell)) = spot(agent) else {
                    continue;
                };
                let Some(size) = world.get::<NavMap>(map).map(|map| map.grid().size()) else {
                    continue;
                };
                occupancy.put(agent.id(), map, size, body.footprint, cell);
                let is_unlike = unlike_timers.contains(&agent.id());
                if seems_asleep_there(agent, now) != is_unlike
                    && let Some(mut floor) = occupancy.floor(map, cell.floor)
                {
                    floor.sleep(cell);
                }
            }
            for SharedCell {
                map,
                cell,
                holder,
                others,
            } in self.shared
            {
                let index = |agent: &Entity| Some(known.get(agent)?.index_u32());
                let map = known
                    .get(&map)
                    .copied()
                    .and_then(|map| occupancy.of_mut(map));
                if let (Some(map), Some(holder)) = (map, index(&holder)) {
                    map.share(cell, holder, others.iter().filter_map(index).collect());
                }
            }
        });
    }
}

fn now(world: &World) -> NavTime {
    world
        .get_resource::<NavClock>()
        .map(NavClock::now)
        .unwrap_or_default()
}

/// The body of an agent, its map and its cell.
fn spot(agent: EntityRef) -> Option<(Body, Entity, Cell)> {
    let (body, on_map) = (agent.get::<Body>()?, agent.get::<OnMap>()?);
    Some((*body, on_map.0, agent.get::<CellPosition>()?.cell))
}

fn seems_asleep_there(agent: EntityRef, now: NavTime) -> bool {
    seems_asleep(agent.get(), agent.get(), agent.get(), now)
}

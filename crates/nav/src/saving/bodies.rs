//! Where bodies stand: what positions and timers do not say of it.

use crate::{
    NavClock, NavMap, NavTime,
    components::{SleepSigns, Unlike, seems_asleep, stand_of, stands_unlike},
    occupancy::{Occupancy, Stand},
};
use bevy_ecs::{
    entity::{EntityHashMap, EntityHashSet},
    prelude::*,
};
use nav_grid::Cell;
use serde::{Deserialize, Serialize};

/// Where bodies stand, as far as positions and timers do not say it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct BodiesSave {
    /// Agents that sleep though their timers do not say so, or the other way round.
    unlike_timers: Vec<Entity>,
    /// Agents that the game moved since the last tick, and where they are still put down.
    elsewhere: Vec<Elsewhere>,
    /// Cells that several stand on.
    shared: Vec<SharedCell>,
    /// Maps on which there ever was a body, and when one last moved.
    moved: Vec<(Entity, NavTime)>,
}

/// An agent that is not put down where its components say.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Elsewhere {
    agent: Entity,
    /// Where it is, if anywhere.
    put: Option<Stand>,
    /// Whether it sleeps there.
    sleeps: bool,
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
        agents: impl Iterator<Item = Entity>,
        maps: impl Iterator<Item = Entity> + Clone,
    ) -> Self {
        let mut save = Self::default();
        let Some(occupancy) = world.get_resource::<Occupancy>() else {
            return save;
        };
        let now = now(world);
        let is_map = |map| world.get::<NavMap>(map).is_some();
        for of in agents.filter_map(|agent| world.get_entity(agent).ok()) {
            let (agent, said) = (of.id(), stand_of(of));
            let signs = of.get_components::<SleepSigns>().ok();
            match stands_unlike(occupancy, agent, said, signs, is_map, now) {
                Some(Unlike::Elsewhere(put, sleeps)) => {
                    save.elsewhere.push(Elsewhere { agent, put, sleeps });
                }
                Some(Unlike::Asleep(_)) => save.unlike_timers.push(agent),
                None => {}
            }
        }
        let moved = maps.clone().filter_map(|map| {
            let size = world.get::<NavMap>(map)?.grid().size();
            Some((map, occupancy.last_move(map, size)?))
        });
        save.moved.extend(moved);
        let agent = |index| world.entities().resolve_from_index(index);
        let shared = maps.filter_map(|map| Some((map, occupancy.of(map)?)));
        save.shared.extend(shared.flat_map(|(map, bodies)| {
            let shared = bodies.shared();
            shared.map(move |(cell, holder, others)| SharedCell {
                map,
                cell,
                holder: agent(holder),
                others: others.map(agent).collect(),
            })
        }));
        save
    }

    /// Puts the bodies of agents down as they stood in the world that was saved.
    pub(super) fn put_down(
        self,
        world: &mut World,
        agents: &[Entity],
        known: &EntityHashMap<Entity>,
    ) {
        let now = now(world);
        let known = |one: Entity| known.get(&one).copied();
        let unlike_timers: EntityHashSet =
            self.unlike_timers.into_iter().filter_map(known).collect();
        let elsewhere = self.elsewhere.into_iter();
        let elsewhere: EntityHashMap<_> = elsewhere
            .filter_map(|one| Some((known(one.agent)?, (one.put, one.sleeps))))
            .collect();
        world.resource_scope(|world, mut occupancy: Mut<Occupancy>| {
            occupancy.begin_tick(now);
            for &agent in agents {
                let Ok(of) = world.get_entity(agent) else {
                    continue;
                };
                let (put, sleeps) = if let Some(&(put, sleeps)) = elsewhere.get(&agent) {
                    let put = put.and_then(|put: Stand| {
                        let map = known(put.map)?;
                        Some(Stand { map, ..put })
                    });
                    (put, sleeps)
                } else {
                    let signs = of.get_components::<SleepSigns>().ok();
                    let seems = signs.is_some_and(|signs| seems_asleep(signs, now));
                    (stand_of(of), seems != unlike_timers.contains(&agent))
                };
                if let Some(put) = put
                    && let Some(map) = world.get::<NavMap>(put.map)
                {
                    let Stand {
                        map: on_map,
                        cell,
                        footprint,
                    } = put;
                    occupancy.put(agent, on_map, map.grid().size(), footprint, cell);
                    if sleeps && let Some(mut floor) = occupancy.floor(on_map, cell.floor) {
                        floor.sleep(cell);
                    }
                }
            }
            for SharedCell {
                map,
                cell,
                holder,
                others,
            } in self.shared
            {
                let index = |agent| known(agent).map(|agent: Entity| agent.index_u32());
                let map = known(map).and_then(|map| occupancy.of_mut(map));
                if let (Some(map), Some(holder)) = (map, index(holder)) {
                    map.share(cell, holder, others.into_iter().filter_map(index).collect());
                }
            }
            for (map, moved) in self.moved {
                if let Some(map) = known(map)
                    && let Some(nav_map) = world.get::<NavMap>(map)
                {
                    occupancy.set_last_move(map, nav_map.grid().size(), moved);
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

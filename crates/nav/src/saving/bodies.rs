//! Where bodies stand and sleep in a save, as far as components do not determine it.

use crate::{
    NavClock, NavMap, NavTime,
    components::{BodyMismatch, SleepInputs, body_mismatch, derives_asleep, stand_of},
    occupancy::{BodyPlaces, MapOccupancy, Stand},
    sets::resource,
};
use bevy_ecs::{entity::EntityHashMap, prelude::*};
use nav_grid::Cell;
use serde::{Deserialize, Serialize};

/// Where bodies stand and sleep, as far as components do not determine it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct BodiesSave {
    /// Agents that the game moved since the last tick, or that do not sleep as their timers say.
    mismatches: Vec<(Entity, BodyMismatch)>,
    /// Cells that several bodies stand on.
    shared: Vec<SharedCell>,
    /// Maps that ever had a body, and when one last moved.
    moved: Vec<(Entity, NavTime)>,
}

/// A cell that several bodies stand on.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SharedCell {
    map: Entity,
    cell: Cell,
    holder: Entity,
    /// The bodies that hold it next, last first.
    others: Vec<Entity>,
}

impl BodiesSave {
    pub(super) fn of(
        world: &World,
        agents: impl Iterator<Item = Entity>,
        maps: impl Iterator<Item = Entity>,
    ) -> Self {
        let mut save = Self::default();
        let Some(occupancy) = world.get_resource::<BodyPlaces>() else {
            return save;
        };
        let now = resource::<NavClock>(world).now();
        for of in agents.filter_map(|agent| world.get_entity(agent).ok()) {
            let mismatch =
                body_mismatch(occupancy, of, |map| world.get::<NavMap>(map).is_some(), now);
            save.mismatches
                .extend(mismatch.map(|mismatch| (of.id(), mismatch)));
        }
        for map in maps {
            let size = world.get::<NavMap>(map).map(|map| map.grid().size());
            let moved = size.and_then(|size| occupancy.last_move(map, size));
            save.moved.extend(moved.map(|moved| (map, moved)));
            let entities = world.entities();
            let shared = occupancy.of(map).into_iter().flat_map(MapOccupancy::shared);
            for (cell, holder, others) in shared {
                save.shared.push(SharedCell {
                    map,
                    cell,
                    holder: entities.resolve_from_index(holder),
                    others: others
                        .map(|other| entities.resolve_from_index(other))
                        .collect(),
                });
            }
        }
        save
    }

    /// Puts the bodies of restored agents where they stood in the saved world.
    pub(super) fn put_down(
        self,
        world: &mut World,
        agents: &[Entity],
        known: &EntityHashMap<Entity>,
    ) {
        let now = resource::<NavClock>(world).now();
        let known = |entity: Entity| known.get(&entity).copied();
        let mut mismatches: EntityHashMap<BodyMismatch> = self
            .mismatches
            .into_iter()
            .filter_map(|(agent, of)| Some((known(agent)?, of)))
            .collect();
        world.resource_scope(|world, mut occupancy: Mut<BodyPlaces>| {
            let size = |map| Some(world.get::<NavMap>(map)?.grid().size());
            occupancy.begin_tick(now);
            let agents = agents.iter();
            for of in agents.filter_map(|&agent| world.get_entity(agent).ok()) {
                let (put, sleeps) = match mismatches.remove(&of.id()) {
                    Some(BodyMismatch::Elsewhere(put, sleeps)) => {
                        let map = put.and_then(|put| known(put.map));
                        (put.zip(map).map(|(put, map)| Stand { map, ..put }), sleeps)
                    }
                    Some(BodyMismatch::Asleep(sleeps)) => (stand_of(of), sleeps),
                    None => {
                        let inputs = of.get_components::<SleepInputs>();
                        (
                            stand_of(of),
                            inputs.is_ok_and(|inputs| derives_asleep(inputs, now)),
                        )
                    }
                };
                if let Some(put) = put
                    && let Some(size) = size(put.map)
                {
                    occupancy.put(of.id(), put.map, size, put.footprint, put.cell);
                    if sleeps && let Some(mut floor) = occupancy.floor(put.map, put.cell.floor) {
                        floor.sleep(put.cell);
                    }
                }
            }
            for shared in self.shared {
                let (Some(map), Some(holder)) = (known(shared.map), known(shared.holder)) else {
                    continue;
                };
                if let Some(mut floor) = occupancy.floor(map, shared.cell.floor) {
                    let others = shared.others.into_iter().filter_map(known);
                    let indices = others.map(Entity::index_u32).collect();
                    floor.share(shared.cell, holder.index_u32(), indices);
                }
            }
            for (map, moved) in self.moved {
                if let Some(map) = known(map)
                    && let Some(size) = size(map)
                {
                    occupancy.set_last_move(map, size, moved);
                }
            }
        });
    }
}

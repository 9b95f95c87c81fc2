//! Who is on another map than at the last tick: what the components of a save do not say of it.

use super::stand_ins::StandIns;
use crate::{Chaser, components::LastMap};
use bevy_ecs::{entity::EntityMapper, prelude::*};
use serde::{Deserialize, Serialize};

/// The maps on which agents were at the last tick, as far as others do not say it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct LastMapsSave(Vec<LastMapSave>);

/// An agent that is not a chaser on the map where it was at the last tick.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LastMapSave {
    agent: Entity,
    /// Where it was; `None` if no tick has seen it yet.
    map: Option<Entity>,
}

impl LastMapsSave {
    /// That of some agents.
    pub(super) fn of(world: &World, agents: impl Iterator<Item = Entity>) -> Self {
        let agents = agents.filter_map(|agent| world.get_entity(agent).ok());
        let others = agents.filter_map(|agent| {
            let &last = agent.get::<LastMap>()?;
            let is_settled = agent.contains::<Chaser>() && last == LastMap::settled(agent.get());
            (!is_settled).then(|| LastMapSave {
                agent: agent.id(),
                map: (last != LastMap::default()).then_some(last.0),
            })
        });
        Self(others.collect())
    }

    /// Has agents of a world, chasers among them, be where they were.
    pub(super) fn restore(self, entities: &mut StandIns, agents: &[Entity]) {
        for &agent in agents {
            let mut agent = entities.world.entity_mut(agent);
            let settled = LastMap::settled(agent.get());
            if let Some(mut last) = agent.get_mut::<LastMap>() {
                *last = settled;
            }
        }
        for LastMapSave { agent, map } in self.0 {
            let map = map.map(|map| LastMap(entities.get_mapped(map)));
            let agent = entities.known.get(&agent).copied();
            if let Some(mut agent) =
                agent.and_then(|agent| entities.world.get_entity_mut(agent).ok())
            {
                agent.insert(map.unwrap_or_default());
            }
        }
    }
}

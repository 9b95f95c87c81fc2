//! What stands for agents where others refer to them.

use super::agent_state::AgentState;
use crate::OnMap;
use bevy_ecs::{entity::EntityHashMap, entity_disabling::Disabled, prelude::*, query::Allow};

/// What stands for an agent, and the map that it is on.
pub(super) type Identity = (u64, Option<OnMap>);

/// What stands for agents, computed once for each: most refer to a few targets.
pub(super) struct Identities<'w, 's, 'a> {
    agents: &'a Query<'w, 's, AgentState, Allow<Disabled>>,
    known: EntityHashMap<Option<Identity>>,
}

impl<'w, 's, 'a> Identities<'w, 's, 'a> {
    pub(super) fn new(agents: &'a Query<'w, 's, AgentState, Allow<Disabled>>) -> Self {
        Self {
            agents,
            known: EntityHashMap::default(),
        }
    }

    /// That of an entity; `None` if it is no agent.
    pub(super) fn get(&mut self, entity: Entity) -> Option<Identity> {
        *self.known.entry(entity).or_insert_with(|| {
            let agent = self.agents.get(entity).ok()?;
            Some((agent.identity(), agent.on_map.copied()))
        })
    }

    /// What stands for it alone.
    pub(super) fn of(&mut self, entity: Entity) -> Option<u64> {
        self.get(entity).map(|(identity, _)| identity)
    }
}

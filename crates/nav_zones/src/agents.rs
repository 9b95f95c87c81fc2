//! Agents of a zone by id.

use bevy_ecs::{component::Mutable, prelude::*};
use bevy_platform::collections::HashMap;
use nav::{AgentId, CellPosition, extend::Mirror};

/// Agents of a zone by id: its residents, and mirrors of others.
// A hash map, since a tick looks up each body near a border: the fixed cost of an ordered one was a
// tenth of a tick.
#[derive(Resource, Debug, Default)]
pub struct Agents(HashMap<AgentId, Entity>);

impl Agents {
    /// Returns the agent with this id, which may be a mirror.
    pub fn get(&self, id: AgentId) -> Option<Entity> {
        self.0.get(&id).copied()
    }

    /// Returns the agents that live in the zone, ordered by id.
    pub fn living(&self, world: &World) -> Vec<(AgentId, Entity)> {
        let mut living = Vec::new();
        for (&id, &agent) in &self.0 {
            if let Ok(there) = world.get_entity(agent)
                && there.contains::<CellPosition>()
                && !there.contains::<Mirror>()
            {
                living.push((id, agent));
            }
        }
        living.sort_unstable();
        living
    }
}

/// Indexes an agent that gets an id.
pub(crate) fn list(
    numbered: On<Insert<AgentId>>,
    ids: Query<&AgentId>,
    mut agents: ResMut<Agents>,
) {
    if let Ok(&id) = ids.get(numbered.entity) {
        agents.0.insert(id, numbered.entity);
    }
}

/// Removes an agent from the index when it loses its id or is despawned.
pub(crate) fn forget(
    unnumbered: On<Discard<AgentId>>,
    ids: Query<&AgentId>,
    mut agents: ResMut<Agents>,
) {
    if let Ok(id) = ids.get(unnumbered.entity)
        && agents.0.get(id) == Some(&unnumbered.entity)
    {
        agents.0.remove(id);
    }
}

/// Returns the agent with this id. Spawns an empty mirror if the agent is unknown.
pub(crate) fn agent_or_mirror(world: &mut World, id: AgentId) -> Entity {
    let known = world.resource::<Agents>().get(id);
    known.unwrap_or_else(|| world.spawn((id, Mirror)).id())
}

/// Returns the index of a map in the list of all maps.
pub(crate) fn map_number(maps: &[Entity], map: Entity) -> Option<u16> {
    let place = maps.binary_search(&map).ok()?;
    u16::try_from(place).ok()
}

/// Returns all maps in entity order, by which zones number them.
pub(crate) fn maps(world: &World) -> Vec<Entity> {
    // None while no map was ever spawned.
    let query = world.try_query_filtered::<Entity, With<nav::NavMap>>();
    let mut maps: Vec<Entity> = query.map_or_else(Vec::new, |mut all| all.iter(world).collect());
    maps.sort_unstable();
    maps
}

/// Sets a component. An equal value is left alone, so that change detection does not see it.
pub(crate) fn set<C: Component<Mutability = Mutable> + PartialEq>(
    agent: &mut EntityWorldMut,
    value: C,
) {
    if let Some(mut there) = agent.get_mut::<C>() {
        there.set_if_neq(value);
    } else {
        agent.insert(value);
    }
}

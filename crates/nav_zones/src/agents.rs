//! The agents of a zone by their numbers.

use bevy_ecs::{component::Mutable, prelude::*};
use nav::{AgentId, CellPosition, shared::Mirror};
use std::collections::BTreeMap;

/// The agents of a zone by their numbers: those that live in it, and mirrors of others.
#[derive(Resource, Debug, Default)]
pub struct Agents(BTreeMap<AgentId, Entity>);

impl Agents {
    /// The agent with a number, be it a mirror.
    pub fn get(&self, id: AgentId) -> Option<Entity> {
        self.0.get(&id).copied()
    }

    /// The agents that live in the zone, in the order of their numbers.
    pub fn living<'a>(&'a self, world: &'a World) -> impl Iterator<Item = (AgentId, Entity)> + 'a {
        let all = self.0.iter().map(|(&id, &agent)| (id, agent));
        all.filter(|&(_, agent)| {
            let lives =
                |agent: EntityRef| agent.contains::<CellPosition>() && !agent.contains::<Mirror>();
            world.get_entity(agent).is_ok_and(lives)
        })
    }
}

/// Lists an agent that is numbered.
pub(crate) fn list(
    numbered: On<Insert<AgentId>>,
    ids: Query<&AgentId>,
    mut agents: ResMut<Agents>,
) {
    if let Ok(&id) = ids.get(numbered.entity) {
        agents.0.insert(id, numbered.entity);
    }
}

/// Forgets one whose number is taken, or that is despawned.
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

/// The agent with a number; an empty mirror of one that is not known yet.
pub(crate) fn agent_or_mirror(world: &mut World, id: AgentId) -> Entity {
    let known = world.resource::<Agents>().get(id);
    known.unwrap_or_else(|| world.spawn((id, Mirror)).id())
}

/// The place of a map among all.
pub(crate) fn map_number(maps: &[Entity], map: Entity) -> Option<u16> {
    let place = maps.binary_search(&map).ok()?;
    u16::try_from(place).ok()
}

/// All maps in the order of their entities, by which zones number them.
pub(crate) fn maps(world: &mut World) -> Vec<Entity> {
    let mut maps = world.query_filtered::<Entity, With<nav::NavMap>>();
    let mut maps: Vec<Entity> = maps.iter(world).collect();
    maps.sort_unstable();
    maps
}

/// Gives an agent a component, unless it has it already with this value.
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

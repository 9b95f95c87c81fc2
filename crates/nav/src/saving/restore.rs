//! Bringing a save back.

use super::{
    agents_save::write_unknown,
    columns::{ColumnError, RegisteredValues},
    nav_save::{MapSave, NavSave},
    stand_ins::StandIns,
};
use crate::{
    AgentIds, CellPosition, NavMap, digest::digest, occupancy::Occupancy, state::StateComponents,
    systems::Restored,
};
use bevy_ecs::{
    entity::{EntityHashMap, EntityHashSet},
    entity_disabling::Disabled,
    prelude::*,
    query::Allow,
};
use std::fmt;

/// Why a save was not restored. The world is as it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RestoreError {
    /// The world has maps or agents already: restore into a fresh app.
    NotEmpty {
        /// Maps that there are.
        maps: usize,
        /// Agents that there are.
        agents: usize,
    },
    /// The save names an agent or a map that it does not have, or the same one twice.
    Inconsistent,
    /// The save has a component that is not [registered](crate::state) in this app.
    Unknown {
        /// The name of the component.
        component: String,
    },
    /// The contents are not those that were saved.
    Damaged {
        /// The digest of the world that was saved.
        saved: u64,
        /// The digest of what is in the save.
        found: u64,
    },
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEmpty { maps, agents } => write!(
                f,
                "the world has {maps} maps and {agents} agents already: restore into a fresh app"
            ),
            Self::Inconsistent => write!(
                f,
                "the save is damaged: it names agents or maps twice, or some that it does not have"
            ),
            Self::Unknown { component } => write_unknown(f, component),
            Self::Damaged { saved, found } => write!(
                f,
                "the save is damaged: its digest is {saved:016x}, and that of its contents {found:016x}"
            ),
        }
    }
}

impl std::error::Error for RestoreError {}

impl From<ColumnError> for RestoreError {
    fn from(error: ColumnError) -> Self {
        match error {
            ColumnError::Inconsistent => Self::Inconsistent,
            ColumnError::Unknown(component) => Self::Unknown { component },
        }
    }
}

impl NavSave {
    /// Restores the state into a world in which there are no maps and no agents. Its
    /// [`NavPlugin`](crate::NavPlugin) may be added before or after, plugins that
    /// [register](crate::state) components of the save before. Returns the new entity of each map and agent by the one that it was, and that of every entity
    /// that they referred to.
    ///
    /// The clock goes on from where it was; the app's own [`Time`](bevy_time::Time) is the game's.
    ///
    /// # Errors
    ///
    /// [`RestoreError`]; the world is then as it was.
    ///
    /// # Complexity
    ///
    /// Twice what it takes to spawn all agents: the contents are checked in a world of their own before
    /// anything is changed. Indexes of maps were built when the save was read.
    pub fn restore(self, world: &mut World) -> Result<EntityHashMap<Entity>, RestoreError> {
        self.restore_with(world, spawn_in_order)
    }

    /// The same, with entities of one's own: the function spawns empty ones, in the order of those of the save
    /// that it is given.
    ///
    /// # Errors
    ///
    /// As [`Self::restore`].
    pub fn restore_with(
        mut self,
        world: &mut World,
        spawn: impl FnMut(&mut World, &[Entity]) -> Vec<Entity>,
    ) -> Result<EntityHashMap<Entity>, RestoreError> {
        let mut maps = world.query_filtered::<(), (With<NavMap>, Allow<Disabled>)>();
        let mut agents = world.query_filtered::<(), (With<CellPosition>, Allow<Disabled>)>();
        let (maps, agents) = (maps.iter(world).count(), agents.iter(world).count());
        if maps + agents > 0 {
            return Err(RestoreError::NotEmpty { maps, agents });
        }
        let registered = world.get_resource::<StateComponents>().cloned();
        let registered = registered.unwrap_or_default();
        self.check(&registered)?;
        let values = self.columns.read(&registered, self.agents.len())?;
        Ok(self.spawn_into(world, values, &registered, spawn))
    }

    /// Whether the contents are those that were saved.
    fn check(&mut self, registered: &StateComponents) -> Result<(), RestoreError> {
        let all = self.agents.iter().map(|&(agent, _)| agent);
        let maps = self.maps.iter().map(|map| map.entity);
        let mut known = EntityHashSet::default();
        let is_twice = all.chain(maps).any(|entity| !known.insert(entity));
        if is_twice {
            return Err(RestoreError::Inconsistent);
        }
        let values = self.columns.read(registered, self.agents.len())?;
        // Maps are large: the scratch world borrows them.
        let maps = std::mem::take(&mut self.maps);
        let lent: Vec<Entity> = maps.iter().map(|map| map.entity).collect();
        let rest = self.clone();
        let mut scratch = World::new();
        scratch.insert_resource(registered.clone());
        let known =
            Self { maps, ..rest }.spawn_into(&mut scratch, values, registered, spawn_in_order);
        let (saved, found) = (self.digest, digest(&mut scratch));
        if saved != found {
            return Err(RestoreError::Damaged { saved, found });
        }
        self.maps.extend(lent.into_iter().filter_map(|entity| {
            let mut back = scratch.entity_mut(*known.get(&entity)?);
            Some(MapSave {
                entity,
                is_disabled: back.contains::<Disabled>(),
                map: back.take()?,
                screens: back.take(),
            })
        }));
        Ok(())
    }

    fn spawn_into(
        self,
        world: &mut World,
        mut values: RegisteredValues,
        registered: &StateComponents,
        mut spawn: impl FnMut(&mut World, &[Entity]) -> Vec<Entity>,
    ) -> EntityHashMap<Entity> {
        let Self {
            version: _,
            digest: _,
            clock,
            ids,
            budget,
            diagnostics,
            maps,
            agents,
            mut columns,
            bodies,
            last_maps,
            news,
        } = self;
        world.init_resource::<Occupancy>();
        world.insert_resource(clock);
        world.insert_resource(budget);
        world.insert_resource(diagnostics);
        let mut known = EntityHashMap::default();
        let saved: Vec<Entity> = maps.iter().map(|map| map.entity).collect();
        let new_maps = spawn(world, &saved);
        for (new, map) in new_maps.into_iter().zip(maps) {
            let MapSave {
                entity,
                is_disabled,
                mut map,
                screens,
            } = map;
            map.see_all();
            let mut spawned = world.entity_mut(new);
            spawned.insert(map);
            if let Some(screens) = screens {
                spawned.insert(screens);
            }
            if is_disabled {
                spawned.insert(Disabled);
            }
            known.insert(entity, new);
        }
        let saved: Vec<Entity> = agents.iter().map(|&(agent, _)| agent).collect();
        let spawned = spawn(world, &saved);
        known.extend(saved.into_iter().zip(spawned.iter().copied()));
        let mut entities = StandIns { known, world };
        columns.map_entities(&mut values, &mut entities);
        columns.insert(values, registered, entities.world, &spawned);
        last_maps.restore(&mut entities, &spawned);
        let StandIns { known, world } = &mut entities;
        for (&agent, &(_, is_disabled)) in spawned.iter().zip(&agents) {
            if is_disabled {
                world.entity_mut(agent).insert(Disabled);
            }
        }
        bodies.put_down(world, &spawned, known);
        // Last, since numbers are counted as agents get them.
        world.insert_resource::<AgentIds>(ids);
        let restored = Restored::now(world);
        world.insert_resource(restored);
        news.restore(&mut entities);
        entities.known
    }
}

/// Spawns an entity for each of a save, in their order: that of agents decides where nothing else does.
fn spawn_in_order(world: &mut World, saved: &[Entity]) -> Vec<Entity> {
    let spawned = std::iter::repeat_with(|| world.spawn_empty().id());
    let mut spawned: Vec<Entity> = spawned.take(saved.len()).collect();
    spawned.sort_unstable();
    spawned
}

//! The save of a world: how it is taken and restored.

use super::{
    agents_save::{
        LastMaps, ReadColumns, RestoreError, RestoredEntities, SaveError, SavedAgents,
        UnreadPlaces, VERSION, last_maps, read_version, restore_last_maps, restore_read_places,
        unread_places,
    },
    bodies::BodiesSave,
    part_sums::PartSums,
};
use crate::{
    AgentIds, Body, Chaser, NavBudget, NavClock, NavDiagnostics, NavMap, Screens,
    budget::TickWork,
    components::{LastSettings, Retargeted, UnseenEdits},
    occupancy::BodyPlaces,
    sets::resource,
    state::{Agents, StateComponents},
    systems::{
        fields::{FieldRequests, Fields, note_tunings},
        search::{LongSearch, PathRequests},
    },
};
use bevy_app::App;
use bevy_ecs::{
    component::Mutable, entity::EntityHashMap, entity_disabling::Disabled, prelude::*, query::Allow,
};
use serde::{Deserialize, Serialize};

/// The whole navigation state of a world.
///
/// It holds the maps with their indexes, the agents with all components of this crate and the
/// [registered](crate::state) ones, the clock, the budget and the counters. Maps are all entities
/// with a [`NavMap`], agents all with a [`CellPosition`](crate::CellPosition) or an
/// [`AgentId`](crate::AgentId), disabled or not.
/// Reading refuses other versions and other contents.
///
/// # Size
///
/// In postcard some 140 bytes a chaser, with a path of some cells, and a bit a cell of plain
/// ground. In JSON an estimated four times as much: values of components are lists of bytes there.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NavSave {
    #[serde(deserialize_with = "read_version")]
    version: u32,
    /// The digest of the world.
    digest: u64,
    /// By which a damaged save names what differs.
    parts: PartSums,
    clock: NavClock,
    ids: AgentIds,
    budget: NavBudget,
    diagnostics: NavDiagnostics,
    maps: Vec<MapSave>,
    /// The agents in the order of their entities.
    agents: SavedAgents,
    bodies: BodiesSave,
    last_maps: LastMaps,
    unread_places: UnreadPlaces,
    /// Chasers that got another target since their last tick, each with the one of that tick, in
    /// order.
    retargeted: Vec<(Entity, Entity)>,
}

/// A map with its other components.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MapSave {
    entity: Entity,
    is_disabled: bool,
    map: NavMap,
    /// The edits that the plugin has not seen yet; `None` for a new map.
    unseen: Option<UnseenEdits>,
    screens: Option<Screens>,
}

/// Saves the whole navigation state of a world, between two ticks.
///
/// Shared fields and searches that take several ticks are not saved. This world drops them too,
/// and both worlds start them again, so that they continue alike. The next tick takes longer by the
/// time to make the fields of all targets; under a [budget](NavBudget) they wait for their turn.
///
/// # Errors
///
/// [`SaveError`]: half of a world is not saved.
///
/// # Complexity
///
/// One pass over all agents and maps, which are copied.
pub fn save(world: &mut World) -> Result<NavSave, SaveError> {
    let registered = world.get_resource::<StateComponents>();
    if let Some(component) = registered.and_then(|all| all.first_unsaved(world)) {
        return Err(SaveError::NotSaved { component });
    }
    reset::<LongSearch>(world);
    reset::<PathRequests>(world);
    reset::<FieldRequests>(world);
    reset::<TickWork>(world);
    if let Some(mut fields) = world.get_resource_mut::<Fields>() {
        fields.forget_carried();
    }
    let dropped = world.get_resource::<DroppedBySaves>().cloned();
    for forget in dropped.unwrap_or_default().0 {
        forget(world);
    }
    for mut map in world.query::<&mut NavMap>().iter_mut(world) {
        if map.bypass_change_detection().complete() {
            map.set_changed();
        }
    }
    Ok(save_as_is(world))
}

/// Functions that drop fields, and all else that takes several ticks.
#[derive(Resource, Clone, Default)]
struct DroppedBySaves(Vec<fn(&mut World)>);

/// Lets [`save`] call a function that drops what takes several ticks, so that the saved and the
/// restored world begin it again alike.
pub fn drop_by_saves(app: &mut App, forget: fn(&mut World)) {
    let mut dropped = app.world_mut().get_resource_or_init::<DroppedBySaves>();
    dropped.0.push(forget);
}

/// Replaces a resource by its default, if the world has it.
fn reset<R: Resource<Mutability = Mutable> + Default>(world: &mut World) {
    if let Some(mut resource) = world.get_resource_mut::<R>() {
        *resource = R::default();
    }
}

/// Saves the state, and keeps the fields and the searches that [`save`] drops.
///
/// A restored world lacks them, so it may continue differently from this one.
pub fn save_as_is(world: &mut World) -> NavSave {
    // To the systems of its first tick, all of a restored chaser is new. Changes that the game made
    // to its tuning must be handled before.
    if world.contains_resource::<Fields>() {
        // Fails only if a resource of the plugin was removed, and then the next tick fails as well.
        let _ = world.run_system_cached(note_tunings);
    }
    let mut all = world.query_filtered::<Entity, Agents>();
    let mut agents: Vec<Entity> = all.iter(world).collect();
    agents.sort_unstable();
    let mut maps = world.query_filtered::<Entity, (With<NavMap>, Allow<Disabled>)>();
    let mut entities: Vec<Entity> = maps.iter(world).collect();
    entities.sort_unstable();
    entities.extend(&agents);
    let (digest, parts) = PartSums::of(world, entities.into_iter());
    let (agents, _) = SavedAgents::of(world, agents.into_iter());
    let mut maps = world
        .query_filtered::<(Entity, &NavMap, Has<Disabled>, Option<&Screens>), Allow<Disabled>>();
    let world = &*world;
    let maps = maps.iter(world);
    let maps = maps.map(|(entity, map, is_disabled, screens)| MapSave {
        entity,
        is_disabled,
        map: map.clone(),
        unseen: map.unseen_edits(),
        screens: screens.cloned(),
    });
    let mut maps: Vec<_> = maps.collect();
    maps.sort_unstable_by_key(|map| map.entity);
    let mut retargeted: Vec<_> = world
        .get_resource::<Retargeted>()
        .into_iter()
        .flat_map(|all| &all.0)
        .map(|(&chaser, &before)| (chaser, before))
        .collect();
    retargeted.sort_unstable();
    let map_entities = maps.iter().map(|map| map.entity);
    NavSave {
        version: VERSION,
        digest,
        parts,
        clock: resource(world),
        ids: resource(world),
        budget: resource(world),
        diagnostics: resource(world),
        bodies: BodiesSave::of(world, agents.entities(), map_entities),
        last_maps: last_maps(world, agents.entities()),
        unread_places: unread_places(world, agents.entities()),
        maps,
        agents,
        retargeted,
    }
}

impl NavSave {
    fn maps(&self) -> impl Iterator<Item = Entity> + '_ {
        self.maps.iter().map(|map| map.entity)
    }

    /// The maps and then the agents, in the order of their entities, as those of the saved world.
    pub fn entities(&self) -> impl Iterator<Item = Entity> + '_ {
        self.maps().chain(self.agents.entities())
    }

    /// The digest of the saved world, by which [`Self::restore`] detects damage.
    pub const fn digest(&self) -> u64 {
        self.digest
    }

    /// The same save with another digest, for tests of damaged saves.
    #[must_use]
    pub fn with_digest(self, digest: u64) -> Self {
        Self { digest, ..self }
    }

    /// Restores the state into a world without maps and agents.
    ///
    /// [`NavPlugin`](crate::NavPlugin) may be added before or after, but plugins that
    /// [register](crate::state) components of the save before. Returns the new entity of each map
    /// and agent by the saved one, and those of all entities that they refer to.
    ///
    /// The clock continues from its saved time. The app's own [`Time`](bevy_time::Time) is not
    /// changed.
    ///
    /// # Errors
    ///
    /// [`RestoreError`]; the world is then unchanged.
    ///
    /// # Complexity
    ///
    /// Twice that of spawning all agents: the contents are checked in a scratch world before
    /// anything changes. Indexes of maps were built when the save was read.
    pub fn restore(self, world: &mut World) -> Result<EntityHashMap<Entity>, RestoreError> {
        self.restore_with(world, spawn_in_order)
    }

    /// Restores the state into entities of the caller.
    ///
    /// The function gets saved entities and spawns an empty one for each, in their order.
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
        let mut agents = world.query_filtered::<(), Agents>();
        let (maps, agents) = (maps.iter(world).count(), agents.iter(world).count());
        if maps + agents > 0 {
            return Err(RestoreError::NotEmpty { maps, agents });
        }
        // The contents are checked in a scratch world, so that damage changes nothing in this one.
        let columns = self.agents.read(world, self.maps())?;
        // Maps are large: they move into the scratch world and back.
        let maps = std::mem::take(&mut self.maps);
        let lent: Vec<Entity> = maps.iter().map(|map| map.entity).collect();
        let mut checked = self.clone();
        checked.maps = maps;
        let entities: Vec<Entity> = checked.entities().collect();
        let mut scratch = World::new();
        let registered = world.get_resource::<StateComponents>();
        scratch.insert_resource(registered.cloned().unwrap_or_default());
        let known = checked.spawn_into(&mut scratch, columns, spawn_in_order);
        let entities = entities.iter().filter_map(|entity| known.get(entity));
        let (found, parts) = PartSums::of(&mut scratch, entities.copied());
        if self.digest != found {
            return Err(RestoreError::Damaged {
                parts: self.parts.differing(&parts),
                saved: self.digest,
                found,
            });
        }
        self.maps.extend(lent.into_iter().filter_map(|entity| {
            let mut scratch = scratch.entity_mut(*known.get(&entity)?);
            let map: NavMap = scratch.take()?;
            Some(MapSave {
                entity,
                is_disabled: scratch.contains::<Disabled>(),
                unseen: map.unseen_edits(),
                map,
                screens: scratch.take(),
            })
        }));
        let columns = self.agents.read(world, self.maps())?;
        Ok(self.spawn_into(world, columns, spawn))
    }

    /// Restores the state with values that were read, into a world without maps and agents.
    fn spawn_into(
        self,
        world: &mut World,
        columns: ReadColumns,
        mut spawn: impl FnMut(&mut World, &[Entity]) -> Vec<Entity>,
    ) -> EntityHashMap<Entity> {
        world.init_resource::<BodyPlaces>();
        world.insert_resource(self.clock);
        world.insert_resource(self.budget);
        world.insert_resource(self.diagnostics);
        let saved: Vec<Entity> = self.maps().collect();
        let maps = spawn(world, &saved);
        let mut known: EntityHashMap<Entity> =
            saved.into_iter().zip(maps.iter().copied()).collect();
        for (entity, mut of) in maps.into_iter().zip(self.maps) {
            of.map.load_seen(of.unseen);
            let mut map = world.entity_mut(entity);
            map.insert(of.map);
            if let Some(screens) = of.screens {
                map.insert(screens);
            }
            if of.is_disabled {
                map.insert(Disabled);
            }
        }
        let saved: Vec<Entity> = self.agents.entities().collect();
        let agents = spawn(world, &saved);
        known.extend(saved.into_iter().zip(agents.iter().copied()));
        let mut entities = RestoredEntities { known, world };
        self.agents.insert(columns, &mut entities, &agents);
        restore_last_maps(self.last_maps, &mut entities, &agents);
        restore_read_places(self.unread_places, &mut entities, &agents);
        note_settings(entities.world, &agents);
        let RestoredEntities { known, world } = entities;
        self.bodies.put_down(world, &agents, &known);
        // After the agents, since hooks count the numbers that agents get.
        world.insert_resource(self.ids);
        let retargeted = self.retargeted.iter().filter_map(|(chaser, before)| {
            let before = known.get(before).copied();
            Some((*known.get(chaser)?, before.unwrap_or(Entity::PLACEHOLDER)))
        });
        world.insert_resource(Retargeted(retargeted.collect()));
        known
    }
}

/// Notes the settings of restored chasers, as they were in the saved world: what the game changes
/// before the first tick is a change in both.
fn note_settings(world: &mut World, agents: &[Entity]) {
    let mut chasers =
        world.query_filtered::<(&Chaser, Has<Body>, &mut LastSettings), Allow<Disabled>>();
    for &agent in agents {
        if let Ok((chaser, has_body, mut last)) = chasers.get_mut(world, agent) {
            *last = LastSettings::of(chaser, has_body);
        }
    }
}

/// Spawns an entity for each saved one. The order of agents is kept: it breaks ties where nothing
/// else does.
fn spawn_in_order(world: &mut World, saved: &[Entity]) -> Vec<Entity> {
    let endless = std::iter::repeat_with(|| world.spawn_empty().id());
    let mut spawned: Vec<Entity> = endless.take(saved.len()).collect();
    spawned.sort_unstable();
    spawned
}

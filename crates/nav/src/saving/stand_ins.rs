//! Entities of a save and those of the world that it is restored into.

use bevy_ecs::{
    entity::{EntityHashMap, EntityMapper},
    prelude::*,
};

/// Maps the entities of a save to those of a world. One that is not in the save, as a target that is no
/// agent, is stood in for by an empty entity.
pub(super) struct StandIns<'a> {
    pub(super) known: EntityHashMap<Entity>,
    pub(super) world: &'a mut World,
}

impl EntityMapper for StandIns<'_> {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        let Self { known, world } = self;
        *known
            .entry(source)
            .or_insert_with(|| world.spawn_empty().id())
    }

    fn set_mapped(&mut self, source: Entity, target: Entity) {
        self.known.insert(source, target);
    }
}

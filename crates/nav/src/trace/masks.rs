//! Which of the components of a trace an entity has, as bits.

use crate::{CellPosition, NavMap};
use bevy_ecs::{component::ComponentId, entity_disabling::Disabled, prelude::*};

/// The bit of [`Disabled`].
pub(super) const DISABLED: u64 = 1 << 62;
/// The bit of [`NavMap`].
pub(super) const MAP: u64 = 1 << 63;

/// Finds who is an agent or a map, and which components it has.
pub(super) struct Masks {
    bits: Vec<(ComponentId, u64)>,
    position: ComponentId,
    map: ComponentId,
}

impl Masks {
    pub(super) fn new(world: &mut World, columns: impl Iterator<Item = ComponentId>) -> Self {
        let map = world.register_component::<NavMap>();
        let columns = (0..).zip(columns).map(|(n, column)| (column, 1 << n));
        let mut bits: Vec<_> = columns.collect();
        bits.push((world.register_component::<Disabled>(), DISABLED));
        bits.push((map, MAP));
        Self {
            bits,
            position: world.register_component::<CellPosition>(),
            map,
        }
    }

    /// Calls a function for every agent and every map, with its mask. O(n), in the order of storage.
    pub(super) fn scan(&self, world: &World, mut see: impl FnMut(Entity, u64)) {
        for archetype in world.archetypes().iter() {
            if !archetype.contains(self.position) && !archetype.contains(self.map) {
                continue;
            }
            let has = self.bits.iter().filter(|&&(id, _)| archetype.contains(id));
            let mask = has.fold(0, |mask, &(_, bit)| mask | bit);
            for row in archetype.entities() {
                see(row.id(), mask);
            }
        }
    }
}

//! Which of the components of a trace an entity has, as bits.

use bevy_ecs::{component::ComponentId, entity_disabling::Disabled, prelude::*};
use nav::{CellPosition, NavMap};

/// A bit for each column, and two more.
pub(crate) type Mask = u64;
/// The bit of [`Disabled`].
pub(crate) const DISABLED: Mask = 1 << 62;
/// The bit of [`NavMap`].
pub(crate) const MAP: Mask = 1 << 63;

/// Finds who is an agent or a map, and which components it has.
pub(super) struct Masks {
    bits: Vec<(ComponentId, Mask)>,
    position: ComponentId,
    map: ComponentId,
}

impl Masks {
    /// So many columns have a bit.
    pub(crate) const COLUMNS: usize = 62;

    pub(super) fn new(world: &mut World, columns: &[ComponentId]) -> Self {
        let map = world.register_component::<NavMap>();
        let columns = (0..).zip(columns).map(|(n, &column)| (column, 1 << n));
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
    pub(super) fn scan(&self, world: &World, mut see: impl FnMut(Entity, Mask)) {
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

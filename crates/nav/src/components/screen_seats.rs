//! Which seat every agent has in the [`Screens`] of its map.

use super::screens::{Absent, NO_SIZE, Screens};
use bevy_ecs::{entity::EntityHashMap, prelude::*, world::DeferredWorld};
use nav_grid::Size;

/// Where everybody is in the [`Screens`] of the maps.
///
/// A record may be of screens that were taken away, emptied or exchanged meanwhile: it holds only
/// if the seat that it names is the agent's own.
#[derive(Resource, Default)]
pub(crate) struct ScreenSeats {
    /// By the index of an entity.
    pub(crate) records: Vec<Option<ScreenSeat>>,
    /// What the screens of each map were filled with last. Screens that say otherwise are not
    /// those that the records are of. Only looked up, never iterated where order could show.
    pub(crate) fillings: EntityHashMap<u64>,
    last_filling: u64,
}

#[derive(Clone, Copy)]
pub(crate) struct ScreenSeat {
    pub(crate) map: Entity,
    pub(crate) seat: u32,
}

impl ScreenSeats {
    /// Empties screens that are new, or not those that the records are of. Says whether it did.
    pub(crate) fn renew(
        &mut self,
        map: Entity,
        size: Option<Size>,
        mut screens: Mut<Screens>,
    ) -> bool {
        let size = size.unwrap_or(NO_SIZE);
        if screens.are(size, self.fillings.get(&map).copied()) {
            return false;
        }
        self.last_filling += 1;
        screens.begin(size, self.last_filling);
        self.fillings.insert(map, self.last_filling);
        true
    }

    pub(crate) fn record(&self, agent: Entity) -> Option<ScreenSeat> {
        let record = self.records.get(agent.index_u32() as usize);
        record.copied().flatten()
    }
}

/// An agent leaves its screen.
pub(super) fn leave(world: &mut DeferredWorld, entity: Entity) {
    let Some(mut seats) = world.get_resource_mut::<ScreenSeats>() else {
        return;
    };
    let record = seats.records.get_mut(entity.index_u32() as usize);
    let Some(ScreenSeat { map, seat }) = record.and_then(Option::take) else {
        return;
    };
    let screens = world.get_mut::<Screens>(map);
    let left = screens.map_or(Err(Absent), |mut screens| screens.exit(entity, seat));
    // Screens that the game put aside must not come back with a ghost in them.
    if left.is_err()
        && let Some(mut seats) = world.get_resource_mut::<ScreenSeats>()
    {
        seats.fillings.remove(&map);
    }
}

//! Step: who came into which screen.

use crate::{
    CellPosition, NavMap, OnMap, Screens,
    components::{Absent, NO_SIZE},
};
use bevy_ecs::{
    entity::EntityHashMap, entity_disabling::Disabled, lifecycle::HookContext, prelude::*,
    query::Allow, world::DeferredWorld,
};
use nav_grid::Cell;

/// Where everybody is in the [`Screens`] of the maps.
///
/// A record may be of screens that were taken away, emptied or exchanged meanwhile: it holds only
/// if the seat that it names is the agent's own.
#[derive(Resource, Default)]
pub(crate) struct Sightings {
    /// By the index of an entity.
    records: Vec<Option<Record>>,
    /// What the screens of each map were filled with last. Screens that say otherwise are not
    /// those that the records are of. Only looked up, never iterated where order could show.
    fillings: EntityHashMap<u64>,
    last_filling: u64,
}

#[derive(Clone, Copy)]
struct Record {
    map: Entity,
    seat: u32,
}

type Maps<'w, 's> = Query<'w, 's, (Entity, Option<&'static NavMap>, &'static mut Screens)>;

impl Sightings {
    /// Empties screens that are new, or not those that the records are of. Says whether it did.
    fn renew(&mut self, map: Entity, nav_map: Option<&NavMap>, mut screens: Mut<Screens>) -> bool {
        let size = nav_map.map_or(NO_SIZE, |map| map.grid().size());
        if screens.are(size, self.fillings.get(&map).copied()) {
            return false;
        }
        self.last_filling += 1;
        screens.begin(size, self.last_filling);
        self.fillings.insert(map, self.last_filling);
        true
    }

    fn record(&self, agent: Entity) -> Option<Record> {
        let record = self.records.get(agent.index_u32() as usize);
        record.copied().flatten()
    }

    /// Has an agent leave the screen it was in for that of its cell.
    fn cross(&mut self, Sight { agent, map, cell }: Sight, maps: &mut Maps) {
        let index = agent.index_u32() as usize;
        if let Some(Record { map, seat }) = self.record(agent) {
            self.records[index] = None;
            if let Ok((_, _, mut screens)) = maps.get_mut(map) {
                // Absent from screens that were renewed.
                let _ = screens.exit(agent, seat);
            }
        }
        let Ok((_, _, mut screens)) = maps.get_mut(map) else {
            return;
        };
        if let Some(seat) = screens.enter(agent, cell) {
            if self.records.len() <= index {
                self.records.resize(index + 1, None);
            }
            self.records[index] = Some(Record { map, seat });
        }
    }

    /// Notes where agents are, and who among them is in another screen than before.
    fn follow(
        &self,
        sights: impl Iterator<Item = Sight>,
        maps: &mut Maps,
        crossers: &mut Vec<Sight>,
    ) {
        // Those in a row tend to be on one map.
        let mut looked_at: Option<(Entity, Mut<Screens>)> = None;
        for sight in sights {
            let Sight { agent, map, cell } = sight;
            if looked_at.as_ref().is_none_or(|&(entity, _)| entity != map) {
                looked_at = maps
                    .get_mut(map)
                    .ok()
                    .map(|(map, _, screens)| (map, screens));
            }
            let followed = match (&mut looked_at, self.record(agent)) {
                (Some((_, screens)), Some(record)) if record.map == map => {
                    screens.follow(agent, record.seat, cell).is_ok()
                }
                // Neither was nor is in any screens.
                (None, None) => true,
                _ => false,
            };
            if !followed {
                crossers.push(sight);
            }
        }
    }
}

/// An agent that is somewhere else than before, or may be.
#[derive(Clone, Copy)]
pub(crate) struct Sight {
    agent: Entity,
    map: Entity,
    cell: Cell,
}

/// Those on maps, disabled ones included: being disabled moves nobody.
type Everybody = Allow<Disabled>;

type Moved = (Or<(Changed<CellPosition>, Changed<OnMap>)>, Everybody);

/// Brings the screens of all maps up to date.
pub(crate) fn see_everybody(
    mut maps: Maps,
    moved: Query<(Entity, &CellPosition, &OnMap), Moved>,
    all: Query<(Entity, Ref<CellPosition>, Ref<OnMap>), Everybody>,
    mut sightings: ResMut<Sightings>,
    mut renewed: Local<Vec<Entity>>,
    mut crossers: Local<Vec<Sight>>,
) {
    let sightings = &mut *sightings;
    if maps.is_empty() {
        sightings.fillings.clear();
        sightings.records = Vec::new();
        return;
    }
    renewed.clear();
    let mut count = 0;
    for (map, nav_map, screens) in &mut maps {
        count += 1;
        if sightings.renew(map, nav_map, screens) {
            renewed.push(map);
        }
    }
    if sightings.fillings.len() > count {
        sightings.fillings.retain(|&map, _| maps.contains(map));
    }
    let sight = |agent, position: &CellPosition, on_map: &OnMap| Sight {
        agent,
        map: on_map.0,
        cell: position.cell,
    };
    crossers.clear();
    if renewed.is_empty() {
        let sights = moved.iter();
        let sights = sights.map(|(agent, position, on_map)| sight(agent, position, on_map));
        sightings.follow(sights, &mut maps, &mut crossers);
    } else {
        renewed.sort_unstable();
        let sights = all.iter().filter(|(_, position, on_map)| {
            let moved = position.is_changed() || on_map.is_changed();
            moved || renewed.binary_search(&on_map.0).is_ok()
        });
        let sights = sights.map(|(agent, position, on_map)| sight(agent, &position, &on_map));
        sightings.follow(sights, &mut maps, &mut crossers);
    }
    for &crosser in &*crossers {
        sightings.cross(crosser, &mut maps);
    }
}

/// Whoever is despawned, or no longer is anywhere or on a map, leaves its screen. A hook, since a
/// list of removals is kept for two frames only, and a tick may come later.
pub(crate) fn leave(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let Some(mut sightings) = world.get_resource_mut::<Sightings>() else {
        return;
    };
    let record = sightings.records.get_mut(entity.index_u32() as usize);
    let Some(Record { map, seat }) = record.and_then(Option::take) else {
        return;
    };
    let screens = world.get_mut::<Screens>(map);
    let left = screens.map_or(Err(Absent), |mut screens| screens.exit(entity, seat));
    // Screens that the game put aside must not come back with a ghost in them.
    if left.is_err()
        && let Some(mut sightings) = world.get_resource_mut::<Sightings>()
    {
        sightings.fillings.remove(&map);
    }
}

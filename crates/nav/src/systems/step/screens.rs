//! Bringing the screens of all maps up to date with where everybody is.

use crate::{
    CellPosition, NavMap, OnMap, Screens,
    components::{ScreenSeat, ScreenSeats},
};
use bevy_ecs::{entity_disabling::Disabled, prelude::*, query::Allow};
use nav_grid::Cell;

type Maps<'w, 's> = Query<'w, 's, (Entity, Option<&'static NavMap>, &'static mut Screens)>;

impl ScreenSeats {
    /// Has an agent leave the screen it was in for that of its cell.
    fn cross(&mut self, Sight { agent, map, cell }: Sight, maps: &mut Maps) {
        let index = agent.index_u32() as usize;
        if let Some(ScreenSeat { map, seat }) = self.record(agent) {
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
            self.records[index] = Some(ScreenSeat { map, seat });
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
pub(super) struct Sight {
    agent: Entity,
    map: Entity,
    cell: Cell,
}

/// Those on maps, disabled ones included: being disabled moves nobody.
type Everybody = Allow<Disabled>;

type IsMoved = (Or<(Changed<CellPosition>, Changed<OnMap>)>, Everybody);

/// Brings the screens of all maps up to date.
pub(super) fn update_screens(
    mut maps: Maps,
    moved: Query<(Entity, &CellPosition, &OnMap), IsMoved>,
    all: Query<(Entity, Ref<CellPosition>, Ref<OnMap>), Everybody>,
    mut seats: ResMut<ScreenSeats>,
    mut renewed: Local<Vec<Entity>>,
    mut crossers: Local<Vec<Sight>>,
) {
    let seats = &mut *seats;
    if maps.is_empty() {
        seats.fillings.clear();
        seats.records = Vec::new();
        return;
    }
    renewed.clear();
    let mut count = 0;
    for (map, nav_map, screens) in &mut maps {
        count += 1;
        if seats.renew(map, nav_map.map(|map| map.grid().size()), screens) {
            renewed.push(map);
        }
    }
    if seats.fillings.len() > count {
        seats.fillings.retain(|&map, _| maps.contains(map));
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
        seats.follow(sights, &mut maps, &mut crossers);
    } else {
        renewed.sort_unstable();
        let sights = all.iter().filter(|(_, position, on_map)| {
            let moved = position.is_changed() || on_map.is_changed();
            moved || renewed.binary_search(&on_map.0).is_ok()
        });
        let sights = sights.map(|(agent, position, on_map)| sight(agent, &position, &on_map));
        seats.follow(sights, &mut maps, &mut crossers);
    }
    for &crosser in &*crossers {
        seats.cross(crosser, &mut maps);
    }
}

//! Observe: who stands where.

use crate::{Body, CellPosition, NavMap, OnMap};
use bevy_ecs::{entity::EntityHashMap, prelude::*};
use nav_grid::{Bodies, Cell, Footprint, Terrain};

/// The bodies of each map as the tick began. Maps on which there never was one have no entry.
/// Only looked up, never iterated where order could show.
#[derive(Resource, Default)]
pub(crate) struct Crowds {
    maps: EntityHashMap<Bodies>,
    /// Who was put where, to be taken away again.
    placed: Vec<(Entity, Cell, Footprint)>,
}

impl Crowds {
    /// A map together with its bodies and what was prepared of it.
    pub(crate) fn terrain<'a>(&'a self, entity: Entity, map: &'a NavMap) -> Terrain<'a> {
        Terrain {
            bodies: self.maps.get(&entity),
            ..map.grid().with_charts(map.charts())
        }
    }
}

/// Puts every body where it stands.
///
/// All are taken away first and put down afresh, since several may share a cell: which one
/// leaves it free when it goes cannot be told from the overlay.
pub(crate) fn place_bodies(
    bodies: Query<(&Body, &CellPosition, &OnMap)>,
    maps: Query<&NavMap>,
    mut crowds: ResMut<Crowds>,
) {
    if bodies.is_empty() && crowds.maps.is_empty() {
        return;
    }
    let Crowds {
        maps: crowds,
        placed,
    } = &mut *crowds;
    for (map, cell, footprint) in placed.drain(..) {
        if let Some(crowd) = crowds.get_mut(&map) {
            crowd.vacate(cell, footprint);
        }
    }
    // Maps that are gone, or were replaced by others.
    crowds.retain(|&map, crowd| {
        maps.get(map)
            .is_ok_and(|map| map.grid().size() == crowd.size())
    });
    for (body, position, on_map) in &bodies {
        let Ok(map) = maps.get(on_map.0) else {
            continue;
        };
        let crowd = crowds.entry(on_map.0);
        let crowd = crowd.or_insert_with(|| Bodies::new(map.grid().size()));
        crowd.occupy(position.cell, body.0);
        placed.push((on_map.0, position.cell, body.0));
    }
}

//! What searches look at.

use crate::{CellPosition, Chasing, NavMap, occupancy::Occupancy};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::Terrain;

/// What searches look at.
#[derive(SystemParam)]
pub(crate) struct SearchParams<'w, 's> {
    maps: Query<'w, 's, &'static NavMap>,
    occupancy: Res<'w, Occupancy>,
    pub(super) chasers: Query<'w, 's, (&'static Chasing, &'static CellPosition)>,
}

impl SearchParams<'_, '_> {
    /// A map with its bodies and indexes.
    pub(super) fn terrain(&self, map: Entity) -> Option<Terrain<'_>> {
        let nav_map = self.maps.get(map).ok()?;
        let terrain = Terrain::from(nav_map.indexed());
        Some(match self.occupancy.bodies(map) {
            Some(bodies) => terrain.with_bodies(bodies),
            None => terrain,
        })
    }
}

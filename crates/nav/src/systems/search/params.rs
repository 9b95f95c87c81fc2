//! What searches look at.

use crate::{CellPosition, Chaser, Chasing, NavMap, OnMap, occupancy::Occupancy};
use bevy_ecs::{prelude::*, query::QueryData, system::SystemParam};
use nav_grid::Terrain;

/// What searches look at.
#[derive(SystemParam)]
pub(crate) struct SearchParams<'w, 's> {
    maps: Query<'w, 's, &'static NavMap>,
    occupancy: Res<'w, Occupancy>,
    pub(super) chasers: Query<'w, 's, Asking>,
}

/// What a chaser asks with.
#[derive(QueryData)]
pub(super) struct Asking {
    pub(super) chasing: &'static Chasing,
    pub(super) chaser: &'static Chaser,
    pub(super) on_map: &'static OnMap,
    pub(super) position: &'static CellPosition,
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

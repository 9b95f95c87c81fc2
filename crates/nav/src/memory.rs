//! How much memory the plugin keeps.

use crate::{
    CellPosition, MoveTimer, NavTimer, PathCursor,
    components::{GoodDisplacement, Tuning},
    occupancy::Occupancy,
    systems::{Outcomes, fields::Fields},
};
use bevy_ecs::prelude::*;

/// Bytes that the plugin keeps beside the components of agents and the maps themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NavMemory {
    /// Waypoints of all paths; chasers that share a field have none.
    pub paths: usize,
    /// Fields that chasers share: some 1 KiB for each target that several chase; of a far field 10
    /// bytes for each portal of the map and 4 KiB for each cluster of 32×32 cells that somebody
    /// walks through.
    pub fields: usize,
    /// Who stands where: nothing without bodies, else up to 4¼ bytes for each cell of 64×16 pages
    /// that somebody came to, and 32 for each body.
    pub bodies: usize,
}

impl NavMemory {
    /// What changes of a chaser as its chase goes on, in its components: place, path, when it may
    /// search, when it may step; and what is noted of its tuning. That itself, its number, map and
    /// target are not in it.
    pub const STATE_BYTES: usize = size_of::<CellPosition>()
        + size_of::<PathCursor>()
        + size_of::<NavTimer>()
        + size_of::<MoveTimer>()
        + size_of::<Tuning>()
        + size_of::<GoodDisplacement>();

    /// What the plugin keeps in a world. One pass over all chasers.
    pub fn of(world: &mut World) -> Self {
        let mut cursors = world.query::<&PathCursor>();
        let paths = cursors.iter(world).map(PathCursor::heap_bytes);
        let paths = paths.sum();
        let fields = world.get_resource().map_or(0, Fields::heap_bytes);
        let occupancy = world.get_resource().map_or(0, Occupancy::heap_bytes);
        let outcomes = world.get_resource().map_or(0, Outcomes::heap_bytes);
        Self {
            paths,
            fields,
            bodies: occupancy + outcomes,
        }
    }
}

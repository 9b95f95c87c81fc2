//! NPCs that look around, and the targets that they notice.

use crate::scene::TestWorld;
use bevy_ecs::prelude::*;
use nav::{CellPosition, Chaser, Chasing, OnMap};
use nav_behaviour::{Notice, Noticeable};
use nav_grid::Cell;

/// Spawns an NPC that stands and looks around.
pub fn guard(world: &mut TestWorld, at: impl Into<Cell>, notice: Notice) -> Entity {
    let place = (CellPosition::at(at.into()), OnMap(world.map));
    let guard = (Chaser::default(), notice, place);
    world.world().spawn(guard).id()
}

/// Spawns a player that can be noticed.
pub fn player(world: &mut TestWorld, at: impl Into<Cell>) -> Entity {
    let player = world.target(at.into());
    let noticeable = Noticeable::default();
    world.world().entity_mut(player).insert(noticeable);
    player
}

/// Returns the target that an NPC chases.
pub fn chased(world: &TestWorld, npc: Entity) -> Option<Entity> {
    world
        .app
        .world()
        .get::<Chasing>(npc)
        .map(|chasing| chasing.0)
}

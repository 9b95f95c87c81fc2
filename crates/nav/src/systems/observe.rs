//! Observe: the clock, and the cells of targets that the game moves in the world.

use crate::{CellPosition, Chaser, NavClock, NavMap, OnMap, WorldPosition};
use bevy_ecs::prelude::*;
use bevy_time::Time;

pub(crate) fn advance_clock(time: Res<Time>, mut clock: ResMut<NavClock>) {
    clock.advance(time.delta());
}

type Located = (
    Ref<'static, WorldPosition>,
    Ref<'static, OnMap>,
    &'static mut CellPosition,
);

/// Turns world positions that the game wrote into cells, and all of them where a map is new.
/// Which floor an agent is on stays what it was: world coordinates do not say.
pub(crate) fn locate_targets(
    maps: Query<Ref<NavMap>>,
    mut targets: Query<Located, Without<Chaser>>,
) {
    for (world, on_map, mut position) in &mut targets {
        let Ok(map) = maps.get(on_map.0) else {
            continue;
        };
        if world.is_changed() || on_map.is_changed() || map.is_added() {
            let mut place = CellPosition::from_world(map.frame(), *world);
            place.cell.floor = position.cell.floor;
            position.set_if_neq(place);
        }
    }
}

//! Agents that the game disables and enables: who is disabled is in nobody's way.

use crate::{Body, CellPosition, Chaser, OnMap, WorldPosition, occupancy::Occupancy};
use bevy_ecs::{entity_disabling::Disabled, prelude::*, query::Allow};

/// Takes the body of an agent away that is disabled.
pub(super) fn take_away(disabled: On<Add<Disabled>>, mut occupancy: ResMut<Occupancy>) {
    occupancy.leave(disabled.entity);
}

/// What the plugin looks at only when it changes, and so overlooks of who is disabled.
type Overlooked = (
    Option<&'static mut CellPosition>,
    Option<&'static mut WorldPosition>,
    Option<&'static mut OnMap>,
    Option<&'static mut Body>,
    Option<&'static mut Chaser>,
);

/// Has an agent looked at in the next tick that is no longer disabled: what the game changed meanwhile was not
/// seen.
pub(super) fn look_again(
    enabled: On<Remove<Disabled>>,
    mut agents: Query<Overlooked, Allow<Disabled>>,
) {
    let Ok((position, world, on_map, body, chaser)) = agents.get_mut(enabled.entity) else {
        return;
    };
    if let Some(mut position) = position {
        position.set_changed();
    }
    if let Some(mut world) = world {
        world.set_changed();
    }
    if let Some(mut on_map) = on_map {
        on_map.set_changed();
    }
    if let Some(mut body) = body {
        body.set_changed();
    }
    if let Some(mut chaser) = chaser {
        chaser.set_changed();
    }
}

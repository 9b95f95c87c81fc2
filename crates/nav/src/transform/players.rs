//! World positions of players that move by their `Transform`.

use super::components::TransformToCell;
use crate::{Chaser, WorldPosition};
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;

type MovedPlayer = (
    With<TransformToCell>,
    Without<Chaser>,
    Or<(Changed<Transform>, Added<TransformToCell>)>,
);

/// Reads the place of players whose `Transform` was changed.
pub(super) fn read_transforms(mut players: Query<(&Transform, &mut WorldPosition), MovedPlayer>) {
    for (transform, mut world) in &mut players {
        let place = transform.translation.to_array().map(f64::from);
        world.set_if_neq(WorldPosition(place));
    }
}

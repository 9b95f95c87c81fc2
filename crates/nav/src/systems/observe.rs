//! Observe: the clock, targets, and edits that closed somebody's way.

use crate::{
    CellPosition, ChasedBy, Chaser, NavClock, NavMap, NavTimer, OnMap, PathCursor, WorldPosition,
};
use bevy_ecs::{entity::EntityHashMap, prelude::*};
use bevy_time::Time;

/// Where the targets were when the tick began, so that all chasers of a target see it in the
/// same place whatever the order of systems. Only looked up, never iterated.
#[derive(Resource, Default)]
pub(crate) struct SeenTargets(EntityHashMap<SeenTarget>);

#[derive(Clone, Copy)]
pub(crate) struct SeenTarget {
    pub(crate) position: CellPosition,
    pub(crate) map: Entity,
}

impl SeenTargets {
    /// The place of a target, unless it is on no map.
    #[inline]
    pub(crate) fn get(&self, target: Entity) -> Option<&SeenTarget> {
        self.0.get(&target)
    }

    /// A target that is a chaser itself has stepped.
    pub(crate) fn has_moved(&mut self, target: Entity, position: CellPosition) {
        if let Some(seen) = self.0.get_mut(&target) {
            seen.position = position;
        }
    }
}

pub(crate) fn advance_clock(time: Res<Time>, mut clock: ResMut<NavClock>) {
    clock.advance(time.delta());
}

type Located = (
    Ref<'static, WorldPosition>,
    Ref<'static, OnMap>,
    &'static mut CellPosition,
);

/// Turns world positions that the game wrote into cells, and all of them where a map is new.
pub(crate) fn locate_targets(
    maps: Query<Ref<NavMap>>,
    mut targets: Query<Located, Without<Chaser>>,
) {
    for (world, on_map, mut position) in &mut targets {
        let Ok(map) = maps.get(on_map.0) else {
            continue;
        };
        if world.is_changed() || on_map.is_changed() || map.is_added() {
            position.set_if_neq(CellPosition::from_world(map.frame(), *world));
        }
    }
}

pub(crate) fn see_targets(
    targets: Query<(Entity, &CellPosition, &OnMap), With<ChasedBy>>,
    mut seen: ResMut<SeenTargets>,
) {
    seen.0.clear();
    seen.0
        .extend(targets.iter().map(|(entity, position, on_map)| {
            (
                entity,
                SeenTarget {
                    position: *position,
                    map: on_map.0,
                },
            )
        }));
}

/// Drops paths that an edit of their map has broken, so that their walkers decide anew within
/// the tick.
pub(crate) fn drop_broken_paths(
    edited: Query<(), Changed<NavMap>>,
    maps: Query<&NavMap>,
    mut chasers: Query<(
        &Chaser,
        &OnMap,
        &CellPosition,
        &mut PathCursor,
        &mut NavTimer,
    )>,
) {
    if edited.is_empty() {
        return;
    }
    for (chaser, on_map, position, mut cursor, mut timer) in &mut chasers {
        if cursor.path().is_empty() || !edited.contains(on_map.0) {
            continue;
        }
        let Ok(map) = maps.get(on_map.0) else {
            continue;
        };
        if cursor
            .path()
            .walk(map.grid(), position.cell, chaser.rules)
            .is_err()
        {
            cursor.drop_path();
            // What failed before the edit says nothing about the ground as it is now.
            timer.failures = 0;
        }
    }
}

//! Observe: the clock and the targets.

use crate::{Body, CellPosition, ChasedBy, Chaser, NavClock, NavMap, OnMap, WorldPosition};
use bevy_ecs::{entity::EntityHashMap, prelude::*};
use bevy_time::Time;
use nav_grid::{Area, Footprint};

/// Where the targets were when the tick began, so that all chasers of a target see it in the
/// same place whatever the order of systems. Only looked up, never iterated.
#[derive(Resource, Default)]
pub(crate) struct SeenTargets(EntityHashMap<SeenTarget>);

#[derive(Clone, Copy)]
pub(crate) struct SeenTarget {
    pub(crate) position: CellPosition,
    pub(crate) map: Entity,
    /// One cell if the target has no body.
    pub(crate) body: Footprint,
}

impl SeenTarget {
    /// The cells that the target covers.
    pub(crate) fn area(&self) -> Area {
        self.body.area(self.position.cell)
    }
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

pub(crate) fn see_targets(
    targets: Query<(Entity, &CellPosition, &OnMap, Option<&Body>), With<ChasedBy>>,
    mut seen: ResMut<SeenTargets>,
) {
    seen.0.clear();
    seen.0
        .extend(targets.iter().map(|(entity, position, on_map, body)| {
            (
                entity,
                SeenTarget {
                    position: *position,
                    map: on_map.0,
                    body: body.copied().unwrap_or_default().0,
                },
            )
        }));
}

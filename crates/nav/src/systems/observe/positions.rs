//! The clock, and the cells of targets that the game moves in world coordinates.

use crate::{
    Body, CellPosition, ChasedBy, Chaser, FieldAnchor, MoveTimer, NavClock, NavMap, OnMap,
    PathCursor, WorldPosition,
    systems::storage::targets::{Target, TargetSnapshot, Targets},
};
use bevy_ecs::prelude::*;
use bevy_time::Time;

pub(super) fn advance_clock(time: Res<Time>, mut clock: ResMut<NavClock>) {
    clock.advance(time.delta());
}

type Located = (
    Ref<'static, WorldPosition>,
    Ref<'static, OnMap>,
    &'static mut CellPosition,
);

/// Turns world positions that the game wrote into cells, and all of them where a map is new.
/// Which floor an agent is on stays what it was: world coordinates do not say.
pub(super) fn update_cells(maps: Query<Ref<NavMap>>, mut targets: Query<Located, Without<Chaser>>) {
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

type Chased = (
    Entity,
    &'static CellPosition,
    &'static OnMap,
    Option<&'static Body>,
    &'static ChasedBy,
    &'static mut FieldAnchor,
);

/// Notes where all targets are in this tick, and since when. Who rests beside one that sets off is
/// woken.
pub(super) fn update_targets(
    clock: Res<NavClock>,
    mut chased: Query<Chased>,
    mut targets: ResMut<Targets>,
    mut chasers: Query<(&PathCursor, &mut MoveTimer)>,
) {
    let now = clock.now();
    let target = |(entity, position, on_map, body, chased_by, mut anchor): ChasedItem| {
        let cell = position.cell;
        if anchor.still.is_none_or(|(before, _)| before != cell) {
            if anchor.is_standing(now) {
                let mut resting = chasers.iter_many_mut(chased_by.iter());
                while let Some(Ok((cursor, mut timer))) = resting.fetch_next() {
                    if cursor.is_reached() && !timer.is_due(now) {
                        timer.wake(now);
                    }
                }
            }
            anchor.still = Some((cell, now));
        }
        let seen = TargetSnapshot {
            position: *position,
            map: on_map.0,
            body: body.copied().unwrap_or_default().footprint,
        };
        Target::new(entity, seen, chased_by.len() as u32, *anchor)
    };
    targets.update(chased.iter_mut().map(target));
}

type ChasedItem<'a> = (
    Entity,
    &'a CellPosition,
    &'a OnMap,
    Option<&'a Body>,
    &'a ChasedBy,
    Mut<'a, FieldAnchor>,
);

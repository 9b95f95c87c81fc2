//! Showing agents where they are: a walk for each step, and the `Transform` along it.

use super::{cell_walk::CellWalk, components::CellToTransform};
use crate::{CellPosition, MoveTimer, NavClock, NavMap, NavTime, OnMap};
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use nav_grid::map::UpAxis;

/// Whether ticks are those of the fixed clock, between which frames are shown.
#[derive(Resource, Clone, Copy)]
pub(super) struct ShowsBetweenTicks(pub(super) bool);

type ShownAgent = (
    &'static CellToTransform,
    &'static CellPosition,
    &'static OnMap,
    Option<&'static MoveTimer>,
    &'static mut CellWalk,
    &'static mut Transform,
);

type MovedAgent = Or<(
    Changed<CellPosition>,
    Changed<OnMap>,
    Added<CellToTransform>,
)>;

/// Notes the walks of agents that came into another cell in this tick.
pub(super) fn note_walks(
    clock: Res<NavClock>,
    maps: Query<&NavMap>,
    mut agents: Query<ShownAgent, MovedAgent>,
) {
    let (now, previous) = (clock.now(), clock.previous());
    let tick = now.0.saturating_sub(previous.0).max(1);
    for (settings, position, on_map, timer, mut walk, mut transform) in &mut agents {
        let Ok(map) = maps.get(on_map.0) else {
            continue;
        };
        let (cell, frame) = (position.cell, map.frame());
        let before = walk.cell.filter(|&(_, of)| of == on_map.0);
        if before.is_some_and(|(before, _)| before == cell) {
            continue;
        }
        let to = frame.world_of(cell).map(|at| at as f32);
        let is_step = before.is_some_and(|(before, _)| before.chebyshev(cell) <= 1);
        if is_step && settings.faces {
            face(&mut transform, walk.to, to, frame.axes().up);
        }
        let walks = timer.filter(|_| is_step && settings.smooth);
        // The step after this one is taken in the first tick at its move tick or later.
        let ticks = walks.map_or(0, |timer| {
            timer.next_step.0.saturating_sub(now.0).div_ceil(tick)
        });
        *walk = CellWalk {
            from: if walks.is_some() { walk.at(now) } else { to },
            to,
            start: now,
            end: NavTime(now.0.saturating_add(ticks.saturating_mul(tick))),
            cell: Some((cell, on_map.0)),
        };
    }
}

/// Has a `Transform` face from one place to another, heights aside.
fn face(transform: &mut Transform, from: [f32; 3], to: [f32; 3], up: UpAxis) {
    let mut way = Transform::from_translation(to.into()).translation;
    way -= Transform::from_translation(from.into()).translation;
    match up {
        UpAxis::Y => way.y = 0.0,
        UpAxis::Z => way.z = 0.0,
    }
    if way.x == 0.0 && way.y == 0.0 && way.z == 0.0 {
        // Straight up or down a ladder.
        return;
    }
    match up {
        UpAxis::Y => transform.look_to(way, Transform::IDENTITY.up()),
        UpAxis::Z => transform.look_to(Transform::IDENTITY.forward(), way),
    }
}

/// Moves every `Transform` to where its agent is at the moment of the frame.
pub(super) fn show(
    clock: Res<NavClock>,
    fixed: Option<Res<Time<Fixed>>>,
    between: Res<ShowsBetweenTicks>,
    mut agents: Query<(&CellWalk, &mut Transform), With<CellToTransform>>,
) {
    let overstep = fixed.filter(|_| between.0).map(|time| time.overstep());
    let overstep = overstep.map_or(0, |time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    let now = NavTime(clock.now().0.saturating_add(overstep));
    for (walk, mut transform) in &mut agents {
        if walk.cell.is_some() {
            let moved = transform.with_translation(walk.at(now).into());
            transform.set_if_neq(moved);
        }
    }
}

//! Step: one waypoint per move tick.

use super::{
    observe::SeenTargets,
    reach::{in_reach, overlaps},
};
use crate::{
    AgentId, CellPosition, ChasedBy, Chaser, Chasing, MoveTimer, NavClock, NavMap, OnMap,
    PathCursor, WorldPosition,
};
use bevy_ecs::{prelude::*, query::QueryData};

/// Steps taken in this tick.
#[derive(Resource, Default)]
pub(crate) struct StepsTaken(pub(crate) u64);

#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Walker {
    chaser: &'static Chaser,
    chasing: &'static Chasing,
    on_map: &'static OnMap,
    position: &'static mut CellPosition,
    world: Option<&'static mut WorldPosition>,
    cursor: &'static mut PathCursor,
    timer: &'static mut MoveTimer,
}

/// Advances every chaser whose move tick it is by one waypoint.
///
/// Chasers that are targets themselves go first, by number, and those behind them see where
/// they went: nobody steps onto the cell of its own target. The others do not see each other,
/// so their order does not matter.
pub(crate) fn take_steps(
    clock: Res<NavClock>,
    maps: Query<&NavMap>,
    mut seen: ResMut<SeenTargets>,
    mut chased: Query<(Entity, &AgentId, Walker), With<ChasedBy>>,
    mut others: Query<Walker, Without<ChasedBy>>,
    mut taken: ResMut<StepsTaken>,
    mut order: Local<Vec<(AgentId, Entity)>>,
) {
    taken.0 = 0;
    let (now, previous) = (clock.now(), clock.previous());
    let mut step = |walker: WalkerItem, seen: &SeenTargets| -> Option<CellPosition> {
        let WalkerItem {
            chaser,
            chasing,
            on_map,
            mut position,
            world,
            mut cursor,
            mut timer,
        } = walker;
        if now < timer.next_step {
            return None;
        }
        let target = seen.get(chasing.0).filter(|target| target.map == on_map.0);
        let following = target.is_some() && !cursor.path().is_empty();
        if !timer.tick(now, previous, following) || !following {
            return None;
        }
        let (target, map) = (target?, maps.get(on_map.0).ok()?);
        let waypoint = cursor.path().peek()?;
        // A path can lie beside its walker after a teleport, or behind a door that closed.
        if !map
            .grid()
            .allows_move(position.cell, waypoint, chaser.rules)
        {
            cursor.drop_path();
            return None;
        }
        if overlaps(chaser.rules, waypoint, target)
            || in_reach(chaser, map.grid(), &position, target, &cursor)
        {
            return None;
        }
        cursor.advance();
        *position = CellPosition::at(waypoint);
        if let Some(mut world) = world {
            world.0 = map.frame().world((waypoint.x.into(), waypoint.y.into()));
        }
        taken.0 += 1;
        Some(*position)
    };

    order.clear();
    order.extend(chased.iter().map(|(entity, id, _)| (*id, entity)));
    order.sort_unstable();
    for &(_, entity) in &*order {
        if let Ok((_, _, walker)) = chased.get_mut(entity)
            && let Some(position) = step(walker, &seen)
        {
            seen.has_moved(entity, position);
        }
    }
    for walker in &mut others {
        step(walker, &seen);
    }
}

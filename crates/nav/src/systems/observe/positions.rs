//! The clock, the cells of targets that the game moves in world coordinates, and the view of all
//! targets.

use crate::{
    AgentId, Body, CellPosition, ChasedBy, Chaser, Destination, FieldAnchor, MoveTimer, NavClock,
    NavMap, OnLink, OnMap, PathCursor, ValueField, ValueRefusal, WorldPosition,
    components::LastWorldPosition,
    shared::ChasedElsewhere,
    systems::storage::{
        targets::{Target, TargetSnapshot, Targets},
        tick_events::TickEvents,
    },
};
use bevy_ecs::prelude::*;
use bevy_time::Time;
use nav_grid::Footprint;

pub(super) fn advance_clock(time: Res<Time>, mut clock: ResMut<NavClock>) {
    clock.advance(time.delta());
}

type Located = (
    Entity,
    Option<&'static AgentId>,
    &'static WorldPosition,
    &'static mut LastWorldPosition,
    Ref<'static, OnMap>,
    &'static mut CellPosition,
);

/// Derives cells from the world positions that were not read yet, and from all of them on a new
/// map.
///
/// Refuses positions that are not finite: the agent stays in its cell.
pub(crate) fn update_cells(
    maps: Query<&NavMap>,
    mut targets: Query<Located, Without<Chaser>>,
    mut events: ResMut<TickEvents>,
) {
    for (entity, id, &world, mut last, on_map, mut position) in &mut targets {
        let Ok(map) = maps.get(on_map.0) else {
            continue;
        };
        let is_news = last.set_if_neq(LastWorldPosition::of(world, *on_map));
        if !is_news && !map.is_new() {
            continue;
        }
        if !world.is_finite() {
            let refusal = (ValueField::WorldPosition, ValueRefusal::NotFinite);
            let id = id.copied().unwrap_or_default();
            events.values.push((id, entity, refusal));
            // A world position requires a cell. The default one is not where a new agent is.
            let is_new = position.is_added() || on_map.is_added();
            if is_new && *position == CellPosition::default() {
                *position = CellPosition::OUTSIDE;
            }
            continue;
        }
        let place = world.place_on(map, *position);
        position.set_if_neq(place);
    }
}

/// Up to this many chasers of one target continue in the tick in which the target does, if they
/// took no step at their last move tick. Among more, some chaser is due in nearly every tick
/// anyway, and waking all would cost more than their steps.
///
/// Measured: with 8, chasers are a fourteenth less of the time beside targets that move, with 128
/// as long. Without a limit the scenario `plain-10k` takes 10 % more instructions and gains
/// nothing.
const COMPANY_MAX: usize = 32;

type Chased = (
    Entity,
    Option<&'static AgentId>,
    &'static CellPosition,
    &'static OnMap,
    Option<&'static Body>,
    Has<Destination>,
    &'static ChasedBy,
    Option<&'static ChasedElsewhere>,
    &'static mut FieldAnchor,
);

/// Notes where all targets are in this tick, and since when. Wakes chasers that rest within reach
/// of a target that moves off.
pub(super) fn update_targets(
    clock: Res<NavClock>,
    mut chased: Query<Chased>,
    mut targets: ResMut<Targets>,
    mut chasers: Query<(&PathCursor, &mut MoveTimer), Without<OnLink>>,
    mut events: ResMut<TickEvents>,
) {
    let now = clock.now();
    for (entity, id, .., mut anchor) in &mut chased {
        if let Some(refusal) = ValueRefusal::of_length(anchor.repath_distance) {
            let refusal = (ValueField::AnchorRepathDistance, refusal);
            let id = id.copied().unwrap_or_default();
            events.values.push((id, entity, refusal));
            let before = targets.slot(entity).map(|slot| targets.at(slot).anchor);
            let valid = before.map(|before| before.repath_distance);
            anchor.repath_distance = valid.unwrap_or(Chaser::default().repath_distance);
        }
    }
    let seen = chased.iter_mut().map(|chased| {
        let (entity, _, position, on_map, body, is_entered, chased_by, elsewhere, mut anchor) =
            chased;
        let cell = position.cell;
        let count = chased_by.len() + elsewhere.map_or(0, |elsewhere| elsewhere.0 as usize);
        if anchor.still.is_none_or(|(before, _)| before != cell) {
            let (is_company, was_standing) = (count <= COMPANY_MAX, anchor.is_standing(now));
            if is_company || was_standing {
                let mut resting = chasers.iter_many_mut(chased_by.iter());
                while let Some(Ok((cursor, mut timer))) = resting.fetch_next() {
                    if !cursor.is_at_rest() || timer.is_due(now) {
                        continue;
                    }
                    if is_company {
                        timer.next_step = now;
                    } else {
                        timer.wake(now, cursor.stands());
                    }
                }
            }
            let (before, _) = anchor.before;
            anchor.before = (anchor.still.map_or(cell, |(last, _)| last), before == cell);
            anchor.still = Some((cell, now));
            anchor.arrivals = 0;
        }
        let body = body.filter(|_| !is_entered);
        let snapshot = TargetSnapshot {
            position: *position,
            map: on_map.0,
            body: body.map_or(Footprint::ONE, |body| body.footprint),
            is_entered,
        };
        Target::new(entity, snapshot, count as u32, *anchor)
    });
    targets.update(seen);
}

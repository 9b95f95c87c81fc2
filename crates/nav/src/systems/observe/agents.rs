//! Agents that the game changed: paused, put onto another map, disabled, given a body or moved with
//! it.

use crate::{
    AgentId, Body, CellPosition, Chaser, Crowding, MoveTimer, NavClock, NavMap, NavTimer, OnMap,
    PathCursor, ValueField, ValueRefusal,
    components::{
        DiscardedTimers, LastMap, LastWorldPosition, Paused, SleepInputs, derives_asleep,
    },
    occupancy::BodyPlaces,
    systems::storage::{pending::begin_again, tick_events::TickEvents},
};
use bevy_ecs::{
    change_detection::{ContiguousComponentTicksRef, ContiguousRef, Tick},
    entity_disabling::Disabled,
    prelude::*,
    query::Allow,
};

/// Removes the pauses whose time is over, and pauses timers that the game inserted meanwhile.
/// Forgets the move ticks of removed timers that came.
pub(super) fn end_pauses(
    clock: Res<NavClock>,
    mut paused: Query<(Entity, &mut Paused, Option<&mut MoveTimer>)>,
    mut discarded: ResMut<DiscardedTimers>,
    mut commands: Commands,
) {
    if !discarded.0.is_empty() {
        let now = clock.now();
        discarded.0.retain(|_, next_step| *next_step > now);
    }
    for (entity, mut pause, timer) in &mut paused {
        if let Some(mut timer) = timer.filter(|timer| !timer.is_paused()) {
            pause.hold(&mut timer);
        }
        if pause.until.is_some_and(|until| until <= clock.now()) {
            commands.entity(entity).remove::<Paused>();
        }
    }
}

type Moved = (
    &'static OnMap,
    &'static mut LastMap,
    &'static mut PathCursor,
    &'static mut NavTimer,
    &'static mut MoveTimer,
    Option<&'static mut Crowding>,
);

/// Clears what chasers followed on another map, as after a change of target.
pub(super) fn leave_maps(
    clock: Res<NavClock>,
    on_maps: Query<Ref<OnMap>, With<Chaser>>,
    mut moved: Query<Moved, (With<Chaser>, Changed<OnMap>)>,
) {
    // Usually no `OnMap` changed, and the summary of a table says so without a look at its rows.
    if let Ok(mut tables) = on_maps.contiguous_iter()
        && tables
            .all(|on_maps| ContiguousRef::split(on_maps).1.summary_tick_is_changed() == Some(false))
    {
        return;
    }
    for (on_map, mut last, cursor, timer, move_timer, crowding) in &mut moved {
        let before = *last;
        if !last.set_if_neq(LastMap(Some(on_map.0))) || before == LastMap::default() {
            continue;
        }
        begin_again((cursor, timer), Some(move_timer), crowding, clock.now());
    }
}

/// Removes the body of a disabled agent from its cells.
pub(super) fn take_away(disabled: On<Add<Disabled>>, mut occupancy: ResMut<BodyPlaces>) {
    occupancy.leave(disabled.entity);
}

/// The components of which the plugin reads changes, which skips disabled agents.
type Watched = (
    Option<&'static mut CellPosition>,
    Option<&'static mut LastWorldPosition>,
    Option<&'static mut OnMap>,
    Option<&'static mut Body>,
    Option<&'static mut Chaser>,
);

/// Marks the watched components of an enabled agent as changed, since changes in the meantime were
/// not seen.
///
/// Not by a `DeferredWorld`, which would mark them with the tick of the next system. If that moves
/// bodies, [`list_moved`] would take the change for its own.
pub(super) fn look_again(
    enabled: On<Remove<Disabled>>,
    mut agents: Query<Watched, Allow<Disabled>>,
) {
    fn touch<T>(component: Option<Mut<T>>) {
        if let Some(mut component) = component {
            component.set_changed();
        }
    }
    if let Ok((position, world, on_map, body, chaser)) = agents.get_mut(enabled.entity) {
        touch(position);
        if let Some(mut world) = world {
            *world = LastWorldPosition::default();
        }
        touch(on_map);
        touch(body);
        touch(chaser);
    }
}

type Embodied = (
    Entity,
    Option<&'static AgentId>,
    &'static Body,
    &'static CellPosition,
    &'static OnMap,
    Option<SleepInputs<'static>>,
);

/// The components that state the place of a body.
type Spot = (
    Entity,
    Ref<'static, Body>,
    Ref<'static, CellPosition>,
    Ref<'static, OnMap>,
);

/// Puts new bodies, and bodies that the game moved, onto their cells. Reports bodies that do not
/// fit there.
pub(super) fn place_bodies(
    clock: Res<NavClock>,
    spots: Query<Spot>,
    all: Query<Embodied>,
    maps: Query<Ref<NavMap>>,
    mut occupancy: ResMut<BodyPlaces>,
    mut events: ResMut<TickEvents>,
    mut moved: Local<Vec<(AgentId, Entity)>>,
) {
    if all.is_empty() && occupancy.is_empty() {
        return;
    }
    let now = clock.now();
    occupancy.begin_tick(now);
    // False if maps were removed or replaced.
    let kept = occupancy.keep(|map| Some(maps.get(map).ok()?.grid().size()));
    if !kept || maps.iter().any(|map| map.is_added()) {
        for (agent, id, ..) in &all {
            moved.push((id.copied().unwrap_or_default(), agent));
        }
    } else {
        list_moved(&spots, &occupancy, |agent| {
            let id = all.get(agent).ok().and_then(|(_, id, ..)| id.copied());
            moved.push((id.unwrap_or_default(), agent));
        });
    }
    // Of two bodies on one cell, the first holds it.
    moved.sort_unstable();
    let moved = moved.drain(..).map(|(_, agent)| agent);
    for (agent, id, body, position, on_map, chase) in all.iter_many(moved).flatten() {
        let Ok(map) = maps.get(on_map.0) else {
            occupancy.leave(agent);
            continue;
        };
        let (size, cell, footprint) = (map.grid().size(), position.cell, body.footprint);
        if !occupancy.put(agent, on_map.0, size, footprint, cell) {
            continue;
        }
        if size.contains(cell) && !map.grid().fits(cell, footprint) {
            let refusal = ValueRefusal::DoesNotFit { cell, footprint };
            let event = (ValueField::BodyPlace, refusal);
            let id = id.copied().unwrap_or_default();
            events.values.push((id, agent, event));
        }
        // Bodies of a loaded game may be asleep already.
        if chase.is_some_and(|inputs| derives_asleep(inputs, now))
            && let Some(mut floor) = occupancy.floor(on_map.0, cell.floor)
        {
            floor.sleep(cell);
        }
    }
}

/// Rows that are skipped together if the game moved none of them: four cache lines of ticks of
/// change detection, which take 4 bytes.
///
/// Measured in instructions of the scenario `crowd-10k`: 4 rows take 1.2 % more, 16 0.1 % more.
/// From 64 to 1,024 it is the same.
const STRETCH: usize = 64;

/// Lists bodies that are not where occupancy has them. Bodies moved by the plugin itself, which are
/// most, already are.
fn list_moved(spots: &Query<Spot>, occupancy: &BodyPlaces, mut note: impl FnMut(Entity)) {
    let has_moved = |agent, body: &Body, position: &CellPosition, on_map: &OnMap| {
        !occupancy.is_at(agent, on_map.0, body.footprint, position.cell)
    };
    // Fails only if the game disables entities by a component that is not stored in tables.
    let Ok(tables) = spots.contiguous_iter() else {
        let moved = spots.iter().filter(|(agent, body, position, on_map)| {
            (position.is_changed() || body.is_changed() || on_map.is_changed())
                && has_moved(*agent, body, position, on_map)
        });
        moved.for_each(|(agent, ..)| note(agent));
        return;
    };
    for (agents, bodies, positions, on_maps) in tables {
        let (bodies, bodies_changed) = ContiguousRef::split(bodies);
        let (positions, moved) = ContiguousRef::split(positions);
        let (on_maps, on_maps_changed) = ContiguousRef::split(on_maps);
        let (last, this) = (moved.last_run(), moved.this_run());
        let is_recent = |tick: Tick| tick.is_newer_than(last, this);
        let others = [&bodies_changed, &on_maps_changed];
        let steady = others
            .into_iter()
            .all(|column| column.summary_tick_is_changed() == Some(false));
        // The plugin moves bodies in two systems. Changes at their ticks are not the game's.
        let [one, two] = occupancy.moved_at.map(|at| at.unwrap_or(last));
        let by_game = |tick| is_recent(tick) && tick != one && tick != two;
        // The fold has no branch, and most stretches end with it.
        for (first, ticks) in (0..).step_by(STRETCH).zip(moved.changed().chunks(STRETCH)) {
            if !ticks.iter().fold(!steady, |any, &tick| any | by_game(tick)) {
                continue;
            }
            for (row, &tick) in (first..).zip(ticks) {
                let is_recent =
                    |column: &&ContiguousComponentTicksRef| is_recent(column.changed()[row]);
                let changed = by_game(tick) || others.iter().any(is_recent);
                if changed && has_moved(agents[row], &bodies[row], &positions[row], &on_maps[row]) {
                    note(agents[row]);
                }
            }
        }
    }
}

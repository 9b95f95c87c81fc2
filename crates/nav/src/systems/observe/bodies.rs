//! Bodies that the game put somewhere: new ones, and those that it moved.

use crate::{
    AgentId, Body, CellPosition, NavClock, NavMap, NavTime, OnMap, ValueField, ValueRefusal,
    components::{SleepSigns, seems_asleep},
    occupancy::Occupancy,
    systems::storage::tick_events::TickEvents,
};
use bevy_ecs::{
    change_detection::{ContiguousComponentTicksRef, ContiguousRef, Tick},
    prelude::*,
};

type Embodied = (
    Entity,
    Option<&'static AgentId>,
    &'static Body,
    &'static CellPosition,
    &'static OnMap,
    Option<SleepSigns<'static>>,
);

type EmbodiedItem<'a> = (
    Entity,
    Option<&'a AgentId>,
    &'a Body,
    &'a CellPosition,
    &'a OnMap,
    Option<SleepSigns<'a>>,
);

/// What says where a body is.
type Spot = (
    Entity,
    Ref<'static, Body>,
    Ref<'static, CellPosition>,
    Ref<'static, OnMap>,
);

/// Puts bodies where the game put them: new ones, and those that it moved.
pub(super) fn place_bodies(
    clock: Res<NavClock>,
    spots: Query<Spot>,
    all: Query<Embodied>,
    maps: Query<Ref<NavMap>>,
    mut occupancy: ResMut<Occupancy>,
    mut events: ResMut<TickEvents>,
    mut news: Local<Vec<(AgentId, Entity)>>,
) {
    if all.is_empty() && occupancy.is_empty() {
        return;
    }
    occupancy.begin_tick(clock.now());
    // Maps that are gone, or were replaced by others.
    let size = |map| Some(maps.get(map).ok()?.grid().size());
    let kept = occupancy.keep(size);
    let now = clock.now();
    let id = |agent| all.get(agent).ok()?.1.copied();
    let mut note = |agent| news.push((id(agent).unwrap_or_default(), agent));
    if !kept || maps.iter().any(|map| map.is_added()) {
        all.iter().for_each(|(agent, ..)| note(agent));
    } else {
        list_moved(&spots, &occupancy, note);
    }
    // Who comes first holds a cell that two are put on.
    news.sort_unstable();
    let news = news.drain(..).map(|(_, agent)| agent);
    for embodied in all.iter_many(news).flatten() {
        place(&mut occupancy, &mut events, embodied, &maps, now);
    }
}

/// Rows that are skipped together where the game moved nobody.
const STRETCH: usize = 64;

/// Lists bodies that are not where they were put down. The plugin has those in place that it
/// moved itself, which most are.
fn list_moved(spots: &Query<Spot>, occupancy: &Occupancy, mut note: impl FnMut(Entity)) {
    let is_news = |agent, body: &Body, position: &CellPosition, on_map: &OnMap| {
        !occupancy.is_at(agent, on_map.0, body.footprint, position.cell)
    };
    // Fails only where the game disables entities by a component that is not kept in tables.
    let Ok(tables) = spots.contiguous_iter() else {
        let moved = spots.iter().filter(|(agent, body, position, on_map)| {
            (position.is_changed() || body.is_changed() || on_map.is_changed())
                && is_news(*agent, body, position, on_map)
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
        // What moved by the last run is no news.
        let [one, two] = occupancy.moved_at.map(|at| at.unwrap_or(last));
        let by_game = |tick| is_recent(tick) && tick != one && tick != two;
        // Most stretches hold nothing that the game moved.
        for (first, ticks) in (0..).step_by(STRETCH).zip(moved.changed().chunks(STRETCH)) {
            let any = ticks.iter().fold(!steady, |any, &tick| any | by_game(tick));
            if !any {
                continue;
            }
            for (row, &tick) in (first..).zip(ticks) {
                let is_recent =
                    |column: &&ContiguousComponentTicksRef| is_recent(column.changed()[row]);
                let changed = by_game(tick) || !steady && others.iter().any(is_recent);
                if changed && is_news(agents[row], &bodies[row], &positions[row], &on_maps[row]) {
                    note(agents[row]);
                }
            }
        }
    }
}

/// Puts an agent where the game says that it is, and notes if it does not fit there.
fn place(
    occupancy: &mut Occupancy,
    events: &mut TickEvents,
    (agent, id, body, position, on_map, chase): EmbodiedItem,
    maps: &Query<Ref<NavMap>>,
    now: NavTime,
) {
    let Ok(map) = maps.get(on_map.0) else {
        occupancy.leave(agent);
        return;
    };
    let (size, cell) = (map.grid().size(), position.cell);
    let news = occupancy.put(agent, on_map.0, size, body.footprint, cell);
    if news && size.contains(cell) && !map.grid().fits(cell, body.footprint) {
        let footprint = body.footprint;
        let refusal = ValueRefusal::DoesNotFit { cell, footprint };
        let id = id.copied().unwrap_or_default();
        events
            .values
            .push((id, agent, (ValueField::BodyPlace, refusal)));
    }
    // Those that a loaded game says are waiting.
    let waits = chase.is_some_and(|signs| seems_asleep(signs, now));
    if news
        && waits
        && let Some(mut floor) = occupancy.floor(on_map.0, cell.floor)
    {
        floor.sleep(cell);
    }
}

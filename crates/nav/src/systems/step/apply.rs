//! Taking a step: what it writes, and whether it ends within reach of the target.

use crate::{
    CellPosition, Chaser, MoveTimer, NavMap, NavTime, WorldPosition,
    components::Event,
    links::slow_link,
    systems::{
        guidance::TargetView,
        storage::{columns::ChaserView, tick_events::TickEvents},
    },
};
use nav_grid::Cell;

/// Moves a chaser on a map to a cell.
#[inline(always)]
pub(super) fn apply_step(
    map: Option<&NavMap>,
    chaser: &mut ChaserView,
    to: Cell,
    events: &mut TickEvents,
) {
    let from = chaser.cell();
    chaser.apply(Event::Stepped { from, to });
    if let Some(map) = map
        && slow_link(map, from, to, || chaser.chaser.rules).is_some()
        && let Some(on_map) = chaser.on_map
    {
        let agent = (*chaser.id, *chaser.entity);
        events
            .entered
            .push((agent.0, agent.1, (on_map.0, from, to)));
    }
    if chaser.tuning.is_by_cost()
        && let Some(map) = map
    {
        let timer = *chaser.move_timer;
        chaser.move_timer.next_step = prolonged(map, chaser.chaser, timer, from, to);
    }
    *chaser.position = CellPosition::at(to);
    if let Some(map) = map
        && let Some(world) = &mut chaser.world
    {
        **world = WorldPosition::of(map.frame(), to);
    }
    if let Some(crowding) = chaser.crowding.as_mut().filter(|crowding| crowding.stands) {
        crowding.step();
    }
    events.steps += 1;
}

/// The next move tick of a chaser whose step takes as long as it costs. Takes parts of a chaser: a
/// view that is lent to a function has to lie in memory for all steps.
#[cold]
#[inline(never)]
pub(crate) fn prolonged(
    map: &NavMap,
    chaser: &Chaser,
    timer: MoveTimer,
    from: Cell,
    to: Cell,
) -> NavTime {
    let rules = chaser.rules;
    match map.grid().move_cost(from, to, rules) {
        Some(cost) => timer.prolonged(cost, rules.metric.straight()),
        None => timer.next_step,
    }
}

/// Records after a step whether the chaser is within reach of its target.
#[inline(always)]
pub(super) fn arrive_if_reached(
    view: &TargetView,
    chaser: &mut ChaserView,
    events: &mut TickEvents,
) {
    if view.is_reached(chaser, chaser.cell()) {
        arrive(view, chaser, events);
    } else {
        chaser.apply(Event::LeftReach);
    }
}

/// Records after a look without a step that a target went out of reach.
#[inline(always)]
pub(super) fn leave_if_out_of_reach(view: &TargetView, chaser: &mut ChaserView) {
    if chaser.cursor.is_beside() && !view.is_reached(chaser, chaser.cell()) {
        chaser.apply(Event::LeftReach);
    }
}

/// Records that a chaser is within reach of its target. Beside a standing target it rests from now
/// on; beside a moving one it stays on the field.
#[inline(always)]
pub(super) fn arrive(view: &TargetView, chaser: &mut ChaserView, events: &mut TickEvents) {
    let keeps_field = chaser.cursor.shares_near() && !view.is_standing;
    let has_body = chaser.body.is_some();
    if keeps_field && chaser.cursor.is_beside() && !has_body {
        return;
    }
    let place = has_body.then_some(view.target.seen.position);
    let is_new = chaser.apply(if keeps_field {
        Event::Beside(place)
    } else {
        Event::Rests(None)
    });
    if is_new {
        if let Some(crowding) = &mut chaser.crowding {
            (crowding.waits, crowding.failed_pushes) = (0, 0);
        }
        let (id, entity, target) = (*chaser.id, *chaser.entity, chaser.chasing.0);
        events.arrivals.push((id, entity, target));
    }
}

#[cfg(test)]
mod tests {
    use super::{super::drawing::visit, *};
    use crate::{Crowding, Pace, PathCursor};
    use nav_grid::Grid;

    #[test]
    fn step_is_written() {
        let mut events = TickEvents::default();
        let to = Cell::new(2, 1);
        let (world, chaser) = visit(CellPosition::new(1, 1), |mut chaser| {
            chaser.set_stands();
            apply_step(None, &mut chaser, to, &mut events);
        });
        let chaser = world.entity(chaser);
        let position = chaser.get::<CellPosition>().expect("a place");
        let cursor = chaser.get::<PathCursor>().expect("a cursor");
        assert_eq!(
            (position.cell, events.steps, cursor.stands()),
            (to, 1, false)
        );
    }

    #[test]
    fn step_ends_a_wait() {
        let waited = Crowding {
            waits: 5,
            looks: 2,
            stands: true,
            held: true,
            ..Crowding::default()
        };
        let (world, chaser) = visit(waited, |mut chaser| {
            apply_step(
                None,
                &mut chaser,
                Cell::new(1, 0),
                &mut TickEvents::default(),
            );
        });
        let crowding = world.entity(chaser).get::<Crowding>();
        // Waits count until the target is within reach.
        let expected = Crowding {
            waits: 5,
            ..Crowding::default()
        };
        assert_eq!(crowding, Some(&expected));
    }

    #[test]
    fn slow_steps_take_as_long_as_they_cost() {
        let mut chaser = Chaser {
            pace: Pace::ByCost,
            ..Chaser::default()
        };
        let map = NavMap::plain(Grid::open(3, 3).expect("sides of a map"));
        let timer = MoveTimer::default();
        let from = Cell::new(1, 1);
        let next = |chaser: &Chaser, to| prolonged(&map, chaser, timer, from, to);
        assert_eq!(next(&chaser, Cell::new(2, 1)), timer.next_step);
        // A diagonal step is longer by the metric that says so.
        chaser.rules.metric = nav_grid::Metric::Octile;
        let straight = u64::from(chaser.rules.metric.straight());
        let diagonal = map.grid().move_cost(from, Cell::new(2, 2), chaser.rules);
        let longer = u64::from(diagonal.expect("a step")) - straight;
        let expected = timer.next_step.0 + timer.chasing.nanos() * longer / straight;
        assert_eq!(next(&chaser, Cell::new(2, 2)), NavTime(expected));
        // No step, no longer wait.
        assert_eq!(next(&chaser, from), timer.next_step);
    }
}

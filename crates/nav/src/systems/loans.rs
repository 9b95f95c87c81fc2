//! Steps of solid bodies across the border of this process: those that were lent, and those wished for.

use crate::{
    Body, BodyKind, CellPosition, Chasing, MoveTimer, NavClock, NavTime, NavTimer, OnMap, Period,
    occupancy::{Closed, Occupancy},
    shared::{Border, BorderStep},
};
use bevy_ecs::prelude::*;

/// Those who step in this tick since the step was lent, and their move ticks before that.
#[derive(Resource, Default)]
pub(super) struct FollowedLoans(Vec<(Entity, NavTime)>);

/// Who may wish for a step.
type Wisher = (
    &'static CellPosition,
    &'static OnMap,
    &'static Body,
    &'static mut MoveTimer,
    &'static mut NavTimer,
);

/// Whether a body is where it wished for a step.
fn is_there(step: &BorderStep, position: &CellPosition, on_map: &OnMap, body: &Body) -> bool {
    position.cell == step.from && on_map.0 == step.map && body.kind == BodyKind::Solid
}

/// Opens what was lent, and has those step in this tick who wait for it. Who looks again in this tick wishes anew.
pub(super) fn open_loans(
    clock: Res<NavClock>,
    border: Option<ResMut<Border>>,
    mut wishers: Query<Wisher, With<Chasing>>,
    mut occupancy: ResMut<Occupancy>,
    mut followed: ResMut<FollowedLoans>,
) {
    followed.0.clear();
    let Some(mut border) = border else {
        if occupancy.is_closed() {
            occupancy.close(None, &[]);
        }
        return;
    };
    let now = clock.now();
    border.keep(|step| {
        let wisher = wishers.get(step.agent);
        wisher.is_ok_and(|(position, on_map, body, ..)| is_there(step, position, on_map, body))
    });
    let loans = border.loans();
    for step in &loans {
        if let Ok((.., mut timer, _)) = wishers.get_mut(step.agent)
            && !timer.is_due(now)
            && !timer.is_paused()
        {
            followed.0.push((step.agent, timer.next_step));
            timer.next_step = now;
        }
    }
    border.keep(|step| {
        let timer = wishers.get(step.agent).map(|(.., timer, _)| timer);
        timer.is_ok_and(|timer| !timer.is_due(now) && !timer.is_paused())
    });
    let loans: Vec<_> = loans
        .iter()
        .map(|step| (step.map, step.agent, step.to))
        .collect();
    occupancy.close(Some(Closed::beyond(border.own())), &loans);
}

/// Notes who waits for a step to be lent. Who followed a loan is on its beat again.
pub(super) fn note_wishes(
    clock: Res<NavClock>,
    border: Option<ResMut<Border>>,
    mut wishers: Query<Wisher>,
    mut occupancy: ResMut<Occupancy>,
    mut followed: ResMut<FollowedLoans>,
) {
    let Some(mut border) = border else {
        return;
    };
    for (agent, beat) in followed.0.drain(..) {
        if let Ok((.., mut timer, _)) = wishers.get_mut(agent) {
            timer.next_step = on_beat(*timer, beat, clock.now());
        }
    }
    for (agent, from, to) in occupancy.kept_from.drain(..) {
        if let Ok((position, on_map, body, _, mut timer)) = wishers.get_mut(agent) {
            let map = on_map.0;
            let step = BorderStep {
                agent,
                map,
                from,
                to,
            };
            // Others may have had it make room afterwards.
            if is_there(&step, position, on_map, body) {
                border.wish(step);
                timer.set_stands(true);
            }
        }
    }
}

/// The next move tick of a body that stepped before its beat came: that beat, as much later as its step takes longer
/// than others, if half a period is left until then, or else the one after it. A loan takes some ticks, so that
/// steps onto what was lent come late, and the next ones in time.
fn on_beat(timer: MoveTimer, beat: NavTime, now: NavTime) -> NavTime {
    let chasing = timer.chasing;
    let longer = timer.next_step.0.saturating_sub(now.after(chasing).0);
    let is_near = beat < now.after(Period::from_micros(chasing.micros / 2));
    let beat = if is_near { beat.after(chasing) } else { beat };
    NavTime(beat.0.saturating_add(longer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_steps_before_its_beat_is_on_it_again_after_half_a_period_at_least() {
        const MS: u64 = 1_000_000;
        let next = |beat: u64, next_step: u64| {
            let timer = MoveTimer {
                next_step: NavTime(next_step * MS),
                ..MoveTimer::default()
            };
            on_beat(timer, NavTime(beat * MS), NavTime(1000 * MS)).0 / MS
        };
        assert_eq!(next(1200, 1250), 1200);
        assert_eq!(next(1100, 1250), 1350);
        assert_eq!(next(1200, 1500), 1450, "its step takes as long as two");
    }
}

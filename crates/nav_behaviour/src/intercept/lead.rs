//! Has chasers head for a cell ahead of their targets.

use super::{Intercept, course::Pursuer};
use crate::{BehaviourSystems, keep_distance::step_away, sets::order_sets};
use bevy_app::{App, Plugin};
use bevy_ecs::{
    event::EventPattern,
    intern::Interned,
    prelude::*,
    query::QueryData,
    schedule::{ScheduleLabel, common_conditions::any_with_component},
};
use nav::{
    CellPosition, Chasing, Guidance, Header, MoveTimer, NavMap, NavTime, NavTimer, OnMap, Stepping,
};
use nav_grid::Cell;

/// Has those who [`Intercept`] head for a cell ahead of their targets.
pub struct InterceptPlugin(pub Interned<dyn ScheduleLabel>);

impl Plugin for InterceptPlugin {
    fn build(&self, app: &mut App) {
        order_sets(app, self.0);
        app.add_systems(
            self.0,
            // From where those stand who stepped away in this tick.
            take_aim
                .in_set(BehaviourSystems::Steer)
                .after(step_away)
                .run_if(any_with_component::<Intercept>),
        )
        .add_observer(let_go::<Remove<Chasing>>)
        .add_observer(let_go::<Remove<Intercept>>);
    }
}

/// So many steps out of reach a target is chased itself; who is to begin to cut it off needs twice as many.
const AT_HAND: u16 = 3;

#[derive(QueryData)]
#[query_data(mutable)]
struct Leading {
    intercept: &'static mut Intercept,
    chasing: &'static Chasing,
    on_map: &'static OnMap,
    position: &'static CellPosition,
    search_timer: &'static NavTimer,
    move_timer: &'static MoveTimer,
    header: Header,
}

/// Looks where the targets are going, and has chasers begin and end to head for a cell ahead.
fn take_aim(mut stepping: Stepping, mut leading: Query<Leading>, maps: Query<&NavMap>) {
    let now = stepping.now();
    for mut one in &mut leading {
        let seen = stepping.target(one.chasing, one.on_map);
        let map = maps.get(one.on_map.0).ok();
        let aim = if let (Some(seen), Some(map)) = (seen.filter(|seen| !seen.is_entered), map) {
            one.aim(seen.position.cell, map, now)
        } else {
            one.intercept.forget();
            None
        };
        if one.intercept.aim() != aim {
            one.intercept.set_aim(aim);
        }
        one.header.head_for(aim, &mut stepping);
    }
}

impl LeadingItem<'_, '_> {
    /// The cell ahead for which it heads from now on. A path for another purpose is dropped, so that the next
    /// decision is to search.
    fn aim(&mut self, target: Cell, map: &NavMap, now: NavTime) -> Option<Cell> {
        self.intercept.follow(target, now);
        let led = self.intercept.aim().is_some();
        let aim = self.meet(target, led, map, now);
        let cursor = &mut self.header.cursor;
        if led != aim.is_some() && cursor.guidance() == Some(Guidance::OwnPath) {
            cursor.drop_path();
        }
        aim
    }

    fn meet(&self, target: Cell, led: bool, map: &NavMap, now: NavTime) -> Option<Cell> {
        let (chaser, timer) = (&self.header.chaser, self.search_timer);
        let from = self.position.cell;
        let away = from.chebyshev(target);
        let at_hand = if led { AT_HAND } else { 2 * AT_HAND };
        let reach = chaser.stop_distance.saturating_add(chaser.stop_slack);
        let radius = chaser.limits.radius;
        let is_within =
            from.floor == target.floor && away > reach.saturating_add(at_hand) && away <= radius;
        // To begin takes a search, for which the interval has to be over.
        let may_search = led || now >= timer.next_search();
        if !is_within || !may_search || timer.failures() > 0 {
            return None;
        }
        let pursuer = Pursuer {
            from,
            rules: chaser.rules,
            pace: self.move_timer.chasing.nanos(),
            lead: self.intercept.lead,
            radius,
        };
        self.intercept.course(now)?.meet(map.grid(), pursuer)
    }
}

/// Forgets the target of a chase that ended, and heads for no cell any longer.
fn let_go<E: EventPattern<Event: EntityEvent>>(
    event: On<E>,
    mut leading: Query<(&mut Intercept, Header)>,
) {
    if let Ok((mut intercept, mut header)) = leading.get_mut(event.event().event_target()) {
        intercept.forget();
        header.release();
    }
}
